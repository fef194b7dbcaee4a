// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Connections that send messages and expect each of them back. */
#include "load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>

#define LOWAT_MOST (32 * 1024)
#define TICK 50000 /* ns: how finely an open loop looks at the clock */

static const uint32_t odd_pieces[] = { 7, 777, 1, 4093 };

struct connection {
	struct watch watch;
	uint32_t id;
	uint64_t quota;		/* messages to be sent in all */
	uint64_t allowed;	/* messages that may have been sent by now */
	uint64_t made;		/* messages that lie in `out` or lay there */
	uint64_t sent, got;	/* bytes */
	uint64_t wrong_at;	/* the last message counted as wrong, + 1 */
	uint64_t *stamps;	/* of the last `depth` messages */
	uint8_t *out;		/* the last `depth` messages */
	uint32_t pieces;
	struct pace pace;
};

static const struct options *options;
static struct result *result;
static struct connection *connections;
static uint8_t in[READ_BYTES];
static bool stopped;
static uint64_t progress;	/* when something came last */

static uint64_t returned(const struct connection *c)
{
	return c->got / options->size;
}

static void give_up(struct connection *c)
{
	result->failed++;
	watch_end(&c->watch);
}

/* Messages that the window or the clock allow. Refilled by halves, so that a write carries many. */
static void allow(struct connection *c)
{
	uint64_t limit;

	if (stopped)
		return;
	if (options->rate)
		limit = pace_due(&c->pace, now);
	else if (options->eager || c->allowed - returned(c) <= options->depth / 2)
		limit = returned(c) + options->depth;
	else
		return;
	if (limit >= c->quota) {
		limit = c->quota;
		if (c->allowed < limit)
			net_lowat(c->watch.fd, 1);
	}
	if (limit > c->allowed)
		c->allowed = limit;
}

static void make(struct connection *c)
{
	uint64_t limit = c->sent / options->size + options->depth;
	uint32_t slot;

	if (limit > c->allowed)
		limit = c->allowed;
	for (; c->made < limit; c->made++) {
		slot = (uint32_t)(c->made % options->depth);
		if (!options->rate)
			c->stamps[slot] = now;
		if (options->verify || c->made < options->depth)
			memcpy(c->out + (size_t)slot * options->size, pattern_of(c->id, c->made),
			       options->size);
	}
}

/* What was made and not sent: up to two parts, because `out` is a ring. */
static int parts_of(struct connection *c, struct iovec *parts)
{
	uint64_t ring = (uint64_t)options->depth * options->size;
	uint64_t at = c->sent % ring, length = c->made * options->size - c->sent;
	uint32_t piece;

	if (options->split) {
		piece = odd_pieces[c->pieces++ % 4];
		length = length < piece ? length : piece;
	}
	parts[0].iov_base = c->out + at;
	parts[0].iov_len = at + length > ring ? ring - at : length;
	parts[1].iov_base = c->out;
	parts[1].iov_len = length - parts[0].iov_len;
	return parts[1].iov_len ? 2 : 1;
}

static void push(struct connection *c)
{
	struct iovec parts[2];
	int64_t sent;
	size_t length;

	for (;;) {
		allow(c);
		make(c);
		if (c->sent == c->made * options->size)
			break;
		sent = net_send(c->watch.fd, parts, parts_of(c, parts));
		if (sent < 0) {
			give_up(c);
			return;
		}
		length = parts[0].iov_len + parts[1].iov_len;
		c->sent += (uint64_t)sent;
		if ((size_t)sent < length) {
			watch_want(&c->watch, EPOLLIN | EPOLLOUT);
			return;
		}
	}
	watch_want(&c->watch, EPOLLIN);
}

static void check(struct connection *c, const uint8_t *bytes, uint64_t length)
{
	uint64_t at = c->got, message, offset, part;

	while (length) {
		message = at / options->size;
		offset = at % options->size;
		part = options->size - offset < length ? options->size - offset : length;
		if (c->wrong_at != message + 1 &&
		    memcmp(bytes, pattern_of(c->id, message) + offset, part)) {
			result->wrong++;
			c->wrong_at = message + 1;
		}
		bytes += part;
		at += part;
		length -= part;
	}
}

static void took(struct connection *c, uint64_t length)
{
	uint64_t message = returned(c), end;

	if (options->verify)
		check(c, in, length);
	c->got += length;
	progress = now;
	if (c->got > c->sent) {
		result->wrong++;
		give_up(c);
		return;
	}
	for (end = returned(c); message < end; message++)
		latency_add(&result->latency, now - (options->rate ? pace_time(&c->pace, message) :
						     c->stamps[message % options->depth]));
}

static void ready(struct watch *watch, uint32_t events)
{
	struct connection *c = (struct connection *)watch;
	int64_t got = 0;
	bool ended = false;

	if (events & (EPOLLIN | EPOLLERR | EPOLLHUP))
		got = net_recv(watch->fd, in, sizeof(in), &ended);
	if (got < 0 || ended) {
		give_up(c);
		return;
	}
	if (got > 0)
		took(c, (uint64_t)got);
	if (watch->fd >= 0)
		push(c);
}

static void open_one(struct connection *c, uint32_t id)
{
	uint64_t ring = (uint64_t)options->depth * options->size;
	uint64_t lowat = options->size * (uint64_t)(options->depth / 2);

	c->id = id;
	c->quota = ENDLESS;
	if (options->messages != ENDLESS)
		c->quota = options->messages / options->connections +
			(id < options->messages % options->connections);
	c->out = get_memory(ring);
	c->stamps = get_memory(options->depth * sizeof(*c->stamps));
	c->pace.rate = options->rate;
	c->pace.stride = options->connections;
	c->pace.offset = id;
	c->watch.ready = ready;
	c->watch.fd = net_connect(options->address, options->port, options->patience);
	/*
	 * To be woken for half a window at a time costs the service nothing and keeps the client
	 * cheap.
	 */
	if (!options->rate && !options->eager && lowat > 1)
		net_lowat(c->watch.fd, lowat < LOWAT_MOST ? (uint32_t)lowat : LOWAT_MOST);
	watch_add(&c->watch, EPOLLIN);
}

static uint64_t total(bool of_sent)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < options->connections; i++)
		sum += of_sent ? connections[i].sent / options->size : returned(&connections[i]);
	return sum;
}

/* All that was to be sent came back, or cannot any more. */
static bool done(void)
{
	const struct connection *c;
	uint32_t i;

	for (i = 0; i < options->connections; i++) {
		c = &connections[i];
		if (c->watch.fd >= 0 && returned(c) < (stopped ? c->allowed : c->quota))
			return false;
	}
	return true;
}

static void loop(uint64_t end)
{
	uint64_t until;
	uint32_t i;

	while (now < end && !done() && now - progress < options->patience) {
		until = end < now + NS / 10 ? end : now + NS / 10;
		if (options->rate && !stopped && until > now + TICK)
			until = now + TICK;
		watch_wait(until);
		for (i = 0; options->rate && !stopped && i < options->connections; i++) {
			if (connections[i].watch.fd >= 0)
				push(&connections[i]);
		}
	}
}

static void stop(void)
{
	uint32_t i;

	stopped = true;
	for (i = 0; i < options->connections; i++) {
		/*
		 * What an overloaded open loop has not sent by now is missing from `sent`, not
		 * lost.
		 */
		if (options->rate)
			connections[i].allowed = connections[i].made;
		if (connections[i].watch.fd >= 0)
			net_lowat(connections[i].watch.fd, 1);
	}
}

static void lost(void)
{
	const struct connection *c;
	uint64_t expected;
	uint32_t i;

	for (i = 0; i < options->connections; i++) {
		c = &connections[i];
		expected = c->quota != ENDLESS && !options->ns ? c->quota : c->allowed;
		result->lost += expected - returned(c);
	}
}

void echo_run(const struct options *with, struct result *into)
{
	uint64_t start;
	uint32_t i;

	options = with;
	result = into;
	pattern_open(options->size, options->thrift);
	watch_open();
	connections = get_memory(options->connections * sizeof(*connections));
	for (i = 0; i < options->connections; i++)
		open_one(&connections[i], i);
	start = clock_ns();
	now = start;
	progress = start;
	for (i = 0; i < options->connections; i++) {
		connections[i].pace.start = start;
		push(&connections[i]);
	}
	loop(options->ns ? start + options->ns : ENDLESS);
	result->ns = now - start;
	result->messages = total(false);
	result->bytes = result->messages * options->size;
	if (options->rate)
		for (i = 0; i < options->connections; i++)
			result->due += pace_due(&connections[i].pace, now);
	stop();
	progress = now;
	loop(ENDLESS);
	result->sent = total(true);
	lost();
	for (i = 0; i < options->connections; i++)
		watch_end(&connections[i].watch);
}
