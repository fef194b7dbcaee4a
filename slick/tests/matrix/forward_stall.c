// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Backends that do not read, and what becomes of those who send to them. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flow.h"
#include "forward.h"

#define SMALL 16384 /* buffers of a backend that is to be full soon */
#define MESSAGE 4000
#define FRAME (MESSAGE + 34)
#define BOUND                                                                                    \
	(32 * 1024 * 1024) /* more than this no sender gets rid of towards one who does not read \
			    */

/* The messages of sender 1 and of sender 2, each in its order. */
static bool take_counted(struct backend *backend, const uint8_t *bytes, size_t length, void *data)
{
	uint32_t *due = data;

	for (int sender = 1; sender <= 2; sender++) {
		struct frame frame;
		bool same;

		flow_frame(&frame, sender, backend->key, due[sender - 1], MESSAGE);
		same = frame.length == length && !memcmp(frame.bytes, bytes, length);
		frame_free(&frame);
		if (same) {
			due[sender - 1]++;
			return true;
		}
	}
	return fail(
		"message %zu behind the stall is wrong, lost, or out of order (%u and %u were due)",
		backend->messages - 1, due[0], due[1]);
}

/* Sends numbered messages until the forwarder takes no more: the bytes that it took, or -1. */
static ssize_t flood(int sender, int32_t key, struct frame *rest)
{
	struct frame frame;
	size_t total = 0;
	ssize_t put;

	for (uint32_t index = 0; total < BOUND; index++) {
		flow_frame(&frame, 1, key, index, MESSAGE);
		for (size_t at = 0; at < frame.length;) {
			put = send_some(sender, frame.bytes + at, frame.length - at);
			if (put >= 0) {
				at += put;
				total += put;
			} else if (put != -EAGAIN) {
				frame_free(&frame);
				return fail("send: %s", strerror(-put)), -1;
			} else if (!ready(sender, POLLOUT, 500)) {
				/* What is left of this one is sent when the backend reads again. */
				memmove(frame.bytes, frame.bytes + at, frame.length - at);
				frame.length -= at;
				*rest = frame;
				return total;
			}
		}
		frame_free(&frame);
	}
	return fail("%zu bytes were taken for a backend that does not read", total), -1;
}

/* The backend reads: all of the flood has to come, and `others` of sender 2. */
static bool drain(struct backend *backend, int sender, struct frame *rest, size_t total,
		  size_t others)
{
	size_t due = (total + rest->length) / FRAME + others, at = 0;
	uint32_t next[2] = { 0, 0 };
	ssize_t put;

	while (backend->messages < due) {
		put = at < rest->length ? send_some(sender, rest->bytes + at, rest->length - at) :
					  0;
		if (put > 0)
			at += put;
		else if (put < 0 && put != -EAGAIN)
			return fail("send: %s", strerror(-put));
		if (ready(backend->sock, POLLIN, 50) && !backend_read(backend, take_counted, next))
			return false;
		if (deadline_over())
			return fail("time is up: %zu of %zu messages came behind the stall",
				    backend->messages, due);
	}
	return backend_quiet(backend, 50);
}

/* One backend does not read: its sender is stopped, others go on, and when it reads again nothing
 * is missing. */
bool stalled_backend(void)
{
	struct backend stalled = { .sock = -1, .listener = -1 },
		       other = { .sock = -1, .listener = -1 };
	struct frame rest = { 0 };
	ssize_t total = -1;
	int sender, second;
	bool good = pair_open(&stalled, &sender, 80, SMALL);

	good = pair_open(&other, &second, 81, 0) && good;
	if (good) {
		total = flood(sender, 80, &rest);
		good = total >= 0;
	}
	for (int i = 0; good && i < 200; i++)
		good = passes(&other, second, i);
	good = good && drain(&stalled, sender, &rest, total, 0) && passes(&other, second, 1);
	frame_free(&rest);
	pair_close(&other, second);
	pair_close(&stalled, sender);
	return good;
}

/* A stopped sender hangs up; then the backend is read, and others reach it. */
bool stopped_sender_hangs_up(void)
{
	struct backend stalled = { .sock = -1, .listener = -1 };
	uint8_t bytes[65536];
	struct frame rest = { 0 };
	struct frame frame;
	int sender;
	bool good = pair_open(&stalled, &sender, 82, SMALL) && flood(sender, 82, &rest) >= 0;

	if (sender >= 0)
		hang_up(sender);
	pause_ms(100);
	while (good && ready(stalled.sock, POLLIN, 500))
		good = recv_some(stalled.sock, bytes, sizeof(bytes)) > 0 ||
		       fail("the forwarder left a backend that was slow");
	sender = good ? dial(target.port, 0) : -1;
	good = good && sender >= 0;
	if (good) {
		flow_frame(&frame, 1, 82, 5, 60);
		good = send_all(sender, frame.bytes, frame.length) &&
		       recv_all(stalled.sock, bytes, frame.length);
		if (good && memcmp(bytes, frame.bytes, frame.length))
			good = fail("what follows is not whole: part of a message was given away");
		frame_free(&frame);
	}
	frame_free(&rest);
	pair_close(&stalled, sender);
	return good;
}

/*
 * The backend is full already when somebody sends a little, and then no more: all of that lies in
 * the forwarder, and no byte will come that could remind it.
 */
bool last_to_a_stalled_backend(void)
{
	struct backend stalled = { .sock = -1, .listener = -1 };
	struct frame rest = { 0 }, frame;
	ssize_t total = -1;
	int sender, last = -1;
	bool good = pair_open(&stalled, &sender, 84, SMALL) && (last = dial(target.port, 0)) >= 0;

	if (good) {
		total = flood(sender, 84, &rest);
		good = total >= 0;
	}
	for (uint32_t i = 0; good && i < 3; i++) {
		flow_frame(&frame, 2, 84, i, MESSAGE);
		good = send_all(last, frame.bytes, frame.length);
		frame_free(&frame);
	}
	pause_ms(200);
	good = good && drain(&stalled, sender, &rest, total, 3);
	if (last >= 0)
		close(last);
	frame_free(&rest);
	pair_close(&stalled, sender);
	return good;
}

/* Reads to the end of the stream, of which every byte has to belong to a whole message: how many,
 * or -1. */
static ssize_t read_to_the_end(struct backend *backend)
{
	uint32_t next[2] = { 0, 0 };
	uint8_t byte;

	while (ready(backend->sock, POLLIN, -1)) {
		if (recv(backend->sock, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
			return backend->used ? fail("the backend got part of a message at the end"),
			       -1 : (ssize_t)backend->messages;
		if (!backend_read(backend, take_counted, next))
			return -1;
	}
	return fail("a backend that was disconnected did not see the end"), -1;
}

/* A full backend is disconnected: what it gets from then on and what the sender is told of make up
 * all that was sent. */
bool disconnect_when_stalled(void)
{
	struct backend stalled = { .sock = -1, .listener = -1 };
	struct frame rest = { 0 };
	ssize_t total = -1, delivered = -1;
	int sender;
	bool good = pair_open(&stalled, &sender, 85, SMALL);

	if (good) {
		total = flood(sender, 85, &rest);
		good = total >= 0 && control_ok("disconnect", 85, NULL, 0) &&
		       send_all(sender, rest.bytes, rest.length);
	}
	if (good) {
		delivered = read_to_the_end(&stalled);
		good = delivered >= 0;
	}
	for (size_t told = 0; good && told + delivered < (total + rest.length) / FRAME; told++)
		good = recv_failed(sender, 85);
	if (good && ready(sender, POLLIN, 100))
		good = fail("the sender was told of more messages than were missing");
	frame_free(&rest);
	pair_close(&stalled, sender);
	return good;
}
