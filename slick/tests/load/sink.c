// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The backends: each message has to be theirs, whole, and behind the one that its sender sent them
 * before.
 */
#include "load.h"

#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define SAMPLE 16 /* of a flood: one message in so many is timed */

struct sink {
	struct watch watch;
	struct sinks *all;
	uint32_t key;
	uint32_t *expected;	/* the next sequence, by sender */
	uint8_t *in;
	size_t used;
	uint64_t received;
};

struct sinks {
	const struct options *options;
	struct result *result;
	int control;
	uint32_t frame;
	uint8_t *like;		/* a frame, to compare with */
	uint64_t received;
	struct sink *sink;
};

static bool content_is_right(const struct sink *sink, const uint8_t *frame, uint32_t stream,
			     uint32_t sequence)
{
	const struct sinks *all = sink->all;
	const uint8_t *rest = frame + FRAME_PAYLOAD + PAYLOAD_LEAST;

	return !memcmp(frame, all->like, FRAME_KEY) &&
		!memcmp(frame + FRAME_KEY + 4, all->like + FRAME_KEY + 4, 7) &&
		!memcmp(rest, pattern_of(stream, sequence), all->options->size - PAYLOAD_LEAST) &&
		!frame[all->frame - 1];
}

static void take(struct sink *sink, const uint8_t *frame)
{
	struct sinks *all = sink->all;
	uint32_t sender = get32(frame + FRAME_PAYLOAD);
	uint32_t sequence = get32(frame + FRAME_PAYLOAD + 4);
	uint64_t time;

	all->received++;
	sink->received++;
	if (get32(frame + FRAME_KEY) != sink->key || sender >= all->options->connections) {
		all->result->wrong++;
		return;
	}
	if (all->options->verify &&
	    !content_is_right(sink, frame, sender * all->options->backends + sink->key, sequence))
		all->result->wrong++;
	if (sequence < sink->expected[sender])
		all->result->reordered++;
	else
		sink->expected[sender] = sequence + 1;
	if (all->options->rate || sink->received % SAMPLE == 0) {
		memcpy(&time, frame + FRAME_PAYLOAD + 8, sizeof(time));
		latency_add(&all->result->latency, now - time);
	}
}

static void sink_end(struct sink *sink)
{
	sink->all->result->failed++;
	watch_end(&sink->watch);
}

static void ready(struct watch *watch, uint32_t events)
{
	struct sink *sink = (struct sink *)watch;
	uint32_t frame = sink->all->frame;
	size_t at = 0;
	bool ended;
	int64_t got = net_recv(watch->fd, sink->in + sink->used, READ_BYTES, &ended);

	(void)events;
	if (got < 0 || ended) {
		sink_end(sink);
		return;
	}
	for (sink->used += (size_t)got; sink->used - at >= frame; at += frame) {
		if (get32(sink->in + at) != frame - 4) {
			/* Where the next one begins cannot be known. */
			sink->all->result->wrong++;
			sink_end(sink);
			return;
		}
		take(sink, sink->in + at);
	}
	sink->used -= at;
	memmove(sink->in, sink->in + at, sink->used);
}

static void open_one(struct sinks *all, struct sink *sink, uint32_t key)
{
	struct sockaddr_storage address;
	char name[32];
	uint16_t port;
	int listener = net_listen(all->control, &address, &port);

	sink->all = all;
	sink->key = key;
	sink->expected = get_memory(all->options->connections * sizeof(*sink->expected));
	sink->in = get_memory(READ_BYTES + all->frame);
	sink->watch.ready = ready;
	control_connect(all->control, key, &address, port);
	snprintf(name, sizeof(name), "key %u", key);
	sink->watch.fd = net_accept(listener, all->options->patience, name);
	close(listener);
	watch_add(&sink->watch, EPOLLIN);
}

struct sinks *sinks_open(const struct options *options, struct result *result, int control)
{
	struct sinks *all = get_memory(sizeof(*all));
	uint32_t i;

	all->options = options;
	all->result = result;
	all->control = control;
	all->frame = FRAME_EXTRA + options->size;
	all->like = get_memory(all->frame);
	frame_msg(all->like, options->size);
	all->sink = get_memory(options->backends * sizeof(*all->sink));
	for (i = 0; i < options->backends; i++)
		open_one(all, &all->sink[i], options->first_key + i);
	return all;
}

uint64_t sinks_received(const struct sinks *sinks)
{
	return sinks->received;
}

/* The forwarder forgets the keys, so that the next run finds it as this one did. */
void sinks_close(struct sinks *sinks)
{
	uint32_t i;

	for (i = 0; i < sinks->options->backends; i++) {
		if (sinks->sink[i].watch.fd >= 0)
			control_disconnect(sinks->control, sinks->sink[i].key);
		watch_end(&sinks->sink[i].watch);
	}
}
