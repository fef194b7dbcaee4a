// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Connections that send messages for keys drawn by lot, a buffer of them at a time, and hear which
 * ones failed.
 */
#include "load.h"

#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>

#define BATCH_BYTES (64 * 1024)
#define FAILED_MOST 4096

static const uint32_t odd_pieces[] = { 7, 777, 1, 4093 };

struct sender {
	struct watch watch;
	struct senders *all;
	uint32_t id;
	uint64_t lot;
	uint64_t quota, made;	/* messages */
	uint32_t *sequence;	/* the next, by key */
	uint8_t *out;
	size_t at, end;		/* of `out`: what was not sent */
	uint32_t pieces;
	uint8_t in[FAILED_MOST];
	size_t used;
	struct pace pace;
};

struct senders {
	const struct options *options;
	struct result *result;
	uint32_t frame, batch;	/* bytes of a frame; frames at a time */
	bool stopped, told;
	struct sender *sender;
};

static void give_up(struct sender *sender)
{
	sender->all->result->failed++;
	watch_end(&sender->watch);
}

static uint32_t draw(struct sender *sender)
{
	sender->lot = sender->lot * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)((sender->lot >> 33) % sender->all->options->backends);
}

static void make_one(struct sender *sender, uint8_t *frame)
{
	const struct options *options = sender->all->options;
	uint32_t which = draw(sender), sequence = sender->sequence[which]++;
	uint32_t key = options->first_key + which;
	uint64_t time = options->rate ? pace_time(&sender->pace, sender->made) : now;

	put32(frame + FRAME_KEY, key);
	put32(frame + FRAME_PAYLOAD + 4, sequence);
	memcpy(frame + FRAME_PAYLOAD + 8, &time, sizeof(time));
	if (options->verify)
		memcpy(frame + FRAME_PAYLOAD + PAYLOAD_LEAST,
		       pattern_of(sender->id * options->backends + key, sequence),
		       options->size - PAYLOAD_LEAST);
	sender->made++;
	sender->all->result->sent++;
}

static void make(struct sender *sender)
{
	const struct senders *all = sender->all;
	uint64_t limit = sender->quota, number;
	uint32_t i;

	if (all->stopped)
		return;
	if (all->options->rate && pace_due(&sender->pace, now) < limit)
		limit = pace_due(&sender->pace, now);
	number = limit > sender->made ? limit - sender->made : 0;
	if (number > all->batch)
		number = all->batch;
	for (i = 0; i < number; i++)
		make_one(sender, sender->out + (size_t)i * all->frame);
	sender->at = 0;
	sender->end = (size_t)number * all->frame;
}

static void push(struct sender *sender)
{
	struct iovec part;
	int64_t sent;

	for (;;) {
		if (sender->at == sender->end)
			make(sender);
		if (sender->at == sender->end)
			break;
		part.iov_base = sender->out + sender->at;
		part.iov_len = sender->end - sender->at;
		if (sender->all->options->split && part.iov_len > odd_pieces[sender->pieces % 4])
			part.iov_len = odd_pieces[sender->pieces % 4];
		sender->pieces++;
		sent = net_send(sender->watch.fd, &part, 1);
		if (sent < 0) {
			give_up(sender);
			return;
		}
		sender->at += (size_t)sent;
		if ((size_t)sent < part.iov_len || !sender->all->options->rate) {
			/* A flood takes turns: the sinks have to be read as well. */
			watch_want(&sender->watch, EPOLLIN | EPOLLOUT);
			return;
		}
	}
	watch_want(&sender->watch, EPOLLIN);
}

/* `oneway failed(1: i32 key, 2: string reason)` */
static void one_failed(struct sender *sender, const uint8_t *frame, uint32_t length)
{
	static const char name[] = "failed";
	uint32_t reason = 4 + 8 + 6 + 4 + 7 + 3;

	sender->all->result->failed++;
	if (sender->all->told)
		return;
	sender->all->told = true;
	if (length < reason + 5 || memcmp(frame + 12, name, 6)) {
		fprintf(stderr, "slickload: the forwarder sent what is not understood\n");
		return;
	}
	fprintf(stderr, "slickload: the forwarder says of key %d: %.*s\n",
		(int)get32(frame + reason - 7), (int)(length - reason - 5), frame + reason + 4);
}

static void hear(struct sender *sender)
{
	size_t at = 0, length;
	bool ended;
	int64_t got = net_recv(sender->watch.fd, sender->in + sender->used,
			       sizeof(sender->in) - sender->used, &ended);

	if (got < 0 || ended) {
		give_up(sender);
		return;
	}
	sender->used += (size_t)got;
	while (sender->used - at >= 4) {
		length = (size_t)get32(sender->in + at) + 4;
		if (length > sizeof(sender->in)) {
			give_up(sender);
			return;
		}
		if (sender->used - at < length)
			break;
		one_failed(sender, sender->in + at, (uint32_t)length);
		at += length;
	}
	sender->used -= at;
	memmove(sender->in, sender->in + at, sender->used);
}

static void ready(struct watch *watch, uint32_t events)
{
	struct sender *sender = (struct sender *)watch;

	if (events & (EPOLLIN | EPOLLERR | EPOLLHUP))
		hear(sender);
	if (watch->fd >= 0)
		push(sender);
}

static void open_one(struct senders *all, struct sender *sender, uint32_t id)
{
	const struct options *options = all->options;
	uint32_t i;

	sender->all = all;
	sender->id = id;
	sender->lot = id * 7919 + 1;
	sender->quota = ENDLESS;
	if (options->messages != ENDLESS)
		sender->quota = options->messages / options->connections +
			(id < options->messages % options->connections);
	sender->sequence = get_memory(options->backends * sizeof(*sender->sequence));
	sender->out = get_memory((size_t)all->batch * all->frame);
	for (i = 0; i < all->batch; i++) {
		frame_msg(sender->out + (size_t)i * all->frame, options->size);
		put32(sender->out + (size_t)i * all->frame + FRAME_PAYLOAD, id);
	}
	sender->pace.rate = options->rate;
	sender->pace.stride = options->connections;
	sender->pace.offset = id;
	sender->watch.ready = ready;
	sender->watch.fd = net_connect(options->address, options->port, options->patience);
	watch_add(&sender->watch, EPOLLIN);
}

struct senders *senders_open(const struct options *options, struct result *result)
{
	struct senders *all = get_memory(sizeof(*all));
	uint32_t i;

	all->options = options;
	all->result = result;
	all->frame = FRAME_EXTRA + options->size;
	all->batch = BATCH_BYTES / all->frame ? BATCH_BYTES / all->frame : 1;
	all->sender = get_memory(options->connections * sizeof(*all->sender));
	for (i = 0; i < options->connections; i++)
		open_one(all, &all->sender[i], i);
	return all;
}

void senders_start(struct senders *senders, uint64_t start)
{
	uint32_t i;

	for (i = 0; i < senders->options->connections; i++)
		senders->sender[i].pace.start = start;
	senders_push(senders);
}

void senders_push(struct senders *senders)
{
	uint32_t i;

	for (i = 0; i < senders->options->connections; i++) {
		if (senders->sender[i].watch.fd >= 0)
			push(&senders->sender[i]);
	}
}

void senders_stop(struct senders *senders)
{
	uint32_t i;

	senders->stopped = true;
	for (i = 0; senders->options->rate && i < senders->options->connections; i++)
		senders->result->due += pace_due(&senders->sender[i].pace, now);
}

bool senders_done(const struct senders *senders)
{
	const struct sender *sender;
	uint32_t i;

	for (i = 0; i < senders->options->connections; i++) {
		sender = &senders->sender[i];
		if (sender->watch.fd < 0)
			continue;
		if (sender->at < sender->end ||
		    (!senders->stopped && sender->made < sender->quota))
			return false;
	}
	return true;
}

void senders_close(struct senders *senders)
{
	uint32_t i;

	for (i = 0; i < senders->options->connections; i++)
		watch_end(&senders->sender[i].watch);
}
