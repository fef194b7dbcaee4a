// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flow.h"

#define PAYLOAD_AT 33 /* in the frame of a message */

static void put_u32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, 4);
}

void flow_frame(struct frame *frame, int sender, int32_t key, uint32_t index, size_t length)
{
	uint8_t *payload = malloc(length);

	if (!payload)
		abort();
	fill(payload, sender * 7919u + key * 31u + index, 0, length);
	put_u32(payload, sender);
	put_u32(payload + 4, index);
	put_u32(payload + 8, length);
	frame_message(frame, key, payload, length);
	free(payload);
}

/* What arrived has to be the next of its sender to this backend, and every byte of it as it was
 * sent. */
static bool check(struct backend *backend, const uint8_t *bytes, size_t length, void *data)
{
	struct flow *flow = data;
	struct frame frame;
	uint32_t sender, index, size, *next;
	bool same;

	if (length < PAYLOAD_AT + 12)
		return fail("key %d got a frame of %zu bytes that nobody sent", backend->key,
			    length);
	memcpy(&sender, bytes + PAYLOAD_AT, 4);
	memcpy(&index, bytes + PAYLOAD_AT + 4, 4);
	memcpy(&size, bytes + PAYLOAD_AT + 8, 4);
	if (sender >= (uint32_t)flow->senders || size < 12 || size > flow->payload)
		return fail("key %d got a message that nobody sent", backend->key);
	next = &flow->next[sender * flow->backends + (backend - flow->to)];
	if (index != *next)
		return fail("key %d got message %u of sender %u where %u was due", backend->key,
			    index, sender, *next);
	flow_frame(&frame, sender, backend->key, index, size);
	same = frame.length == length && !memcmp(frame.bytes, bytes, length);
	frame_free(&frame);
	if (!same)
		return fail("message %u of sender %u to key %d has other bytes than were sent",
			    index, sender, backend->key);
	++*next;
	flow->arrived++;
	return true;
}

static void write_all(struct flow *flow, int sender)
{
	struct frame all = { 0 }, one;

	for (int i = 0; i < flow->messages; i++) {
		int to = (i + sender) % flow->backends;

		flow_frame(&one, sender, flow->first_key + to, i / flow->backends,
			   12 + (size_t)(i * 2654435761u >> 7) % (flow->payload - 11));
		frame_bytes(&all, one.bytes, one.length);
		frame_free(&one);
	}
	flow->from[sender].bytes = all.bytes;
	flow->from[sender].length = all.length;
}

static bool send_more(struct flow *flow, struct flow_sender *sender)
{
	size_t length = sender->length - sender->at;
	ssize_t put;

	if (flow->chunk && length > flow->chunk)
		length = flow->chunk;
	put = send_some(sender->sock, sender->bytes + sender->at, length);
	if (put < 0 && put != -EAGAIN)
		return fail("send: %s", strerror(-put));
	if (put > 0)
		sender->at += put;
	return true;
}

static bool refused(struct flow_sender *sender)
{
	struct answer answer;

	if (!recv_answer(sender->sock, &answer))
		return false;
	return fail("a sender was told %s(%d): %s", answer.name, answer.number, answer.text);
}

static bool step(struct flow *flow, struct pollfd *pollers)
{
	int count = flow->senders + flow->backends;

	for (int i = 0; i < flow->senders; i++) {
		pollers[i].fd = flow->from[i].sock;
		pollers[i].events = POLLIN |
				    (flow->from[i].at < flow->from[i].length ? POLLOUT : 0);
	}
	for (int i = 0; i < flow->backends; i++) {
		pollers[flow->senders + i].fd = flow->to[i].sock;
		pollers[flow->senders + i].events = POLLIN;
	}
	if (poll(pollers, count, 1000) < 0)
		return fail("poll: %s", strerror(errno));
	for (int i = 0; i < flow->senders; i++) {
		if (pollers[i].revents & (POLLIN | POLLERR | POLLHUP) && !refused(&flow->from[i]))
			return false;
		if (pollers[i].revents & POLLOUT && !send_more(flow, &flow->from[i]))
			return false;
	}
	for (int i = 0; i < flow->backends; i++) {
		if (pollers[flow->senders + i].revents && !backend_read(&flow->to[i], check, flow))
			return false;
	}
	return true;
}

static bool open_all(struct flow *flow)
{
	for (int i = 0; i < flow->backends; i++) {
		if (!backend_open(&flow->to[i], flow->first_key + i, 0))
			return false;
	}
	for (int i = 0; i < flow->senders; i++) {
		write_all(flow, i);
		flow->from[i].sock = dial(target.port, 0);
		if (flow->from[i].sock < 0)
			return false;
	}
	return true;
}

static void close_all(struct flow *flow)
{
	for (int i = 0; i < flow->senders; i++) {
		if (flow->from[i].sock >= 0)
			close(flow->from[i].sock);
		free(flow->from[i].bytes);
	}
	for (int i = 0; i < flow->backends; i++)
		backend_close(&flow->to[i]);
	free(flow->from);
	free(flow->to);
	free(flow->next);
}

bool flow_run(struct flow *flow)
{
	size_t due = (size_t)flow->senders * flow->messages;
	struct pollfd *pollers = calloc(flow->senders + flow->backends, sizeof(*pollers));
	bool good;

	flow->from = calloc(flow->senders, sizeof(*flow->from));
	flow->to = calloc(flow->backends, sizeof(*flow->to));
	flow->next = calloc((size_t)flow->senders * flow->backends, sizeof(*flow->next));
	if (!pollers || !flow->from || !flow->to || !flow->next)
		abort();
	for (int i = 0; i < flow->senders; i++)
		flow->from[i].sock = -1;
	for (int i = 0; i < flow->backends; i++)
		flow->to[i].sock = flow->to[i].listener = -1;
	good = open_all(flow);
	while (good && flow->arrived < due) {
		good = step(flow, pollers);
		if (good && deadline_over())
			good = fail("time is up: %zu of %zu messages arrived", flow->arrived, due);
	}
	for (int i = 0; good && i < flow->backends; i++)
		good = backend_quiet(&flow->to[i], 0);
	close_all(flow);
	free(pollers);
	return good;
}
