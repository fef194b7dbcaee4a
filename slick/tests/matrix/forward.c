// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What a forwarder has to do when all is well, and when somebody is slow or goes away. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flow.h"
#include "forward.h"

#define SMALL 16384			/* buffers of a backend that is to be full soon */
#define BOUND (32 * 1024 * 1024)	/* more than this no sender gets rid of towards one who does not read */

static bool whole_messages(void)
{
	struct flow flow = {.senders = 8, .backends = 20, .messages = 400, .payload = 3000, .first_key = 1000};

	return flow_run(&flow);
}

static bool pieces_of_7(void)
{
	struct flow flow = {.senders = 8, .backends = 20, .messages = 100, .payload = 200, .chunk = 7, .first_key = -500};

	return flow_run(&flow);
}

static bool pieces_of_777(void)
{
	struct flow flow = {.senders = 8, .backends = 20, .messages = 200, .payload = 3000, .chunk = 777, .first_key = 0x7fffff00};

	return flow_run(&flow);
}

static bool large_messages(void)
{
	struct flow flow = {.senders = 2, .backends = 2, .messages = 12, .payload = 1000 * 1000, .first_key = 5};

	return flow_run(&flow);
}

/* One key, one backend, one sender: what most tests need. */
bool pair_open(struct backend *backend, int *sender, int32_t key, int buffers)
{
	*sender = -1;
	return backend_open(backend, key, buffers) && (*sender = dial(target.port, buffers)) >= 0;
}

void pair_close(struct backend *backend, int sender)
{
	if (sender >= 0)
		close(sender);
	backend_close(backend);
}

bool passes(struct backend *backend, int sender, uint32_t index)
{
	struct frame frame;
	bool good;

	flow_frame(&frame, 1, backend->key, index, 100 + index % 50);
	good = send_all(sender, frame.bytes, frame.length) && backend_expect(backend, &frame);
	frame_free(&frame);
	return good;
}

/* Two whole messages and half of one, then FIN: the backend gets two, the sender's connection ends. */
static bool half_frame_and_fin(void)
{
	struct backend backend = {.sock = -1, .listener = -1};
	struct answer answer;
	struct frame frame;
	int sender;
	bool good = pair_open(&backend, &sender, 70, 0) && passes(&backend, sender, 1) && passes(&backend, sender, 2);

	if (good) {
		flow_frame(&frame, 1, 70, 3, 2000);
		good = send_all(sender, frame.bytes, frame.length / 2) && !shutdown(sender, SHUT_WR);
		frame_free(&frame);
	}
	/* It may be told first. */
	if (good && ready(sender, POLLIN, -1) && recv(sender, &answer, 1, MSG_PEEK | MSG_DONTWAIT) == 1)
		good = recv_failed(sender, -1);
	good = good && recv_end(sender) && backend_quiet(&backend, 200);
	if (sender >= 0)
		close(sender);
	sender = good ? dial(target.port, 0) : -1;
	good = good && sender >= 0 && passes(&backend, sender, 4);
	pair_close(&backend, sender);
	return good;
}

/* Everything that was sent before FIN arrives, however much that is. */
static bool fin_behind_many(void)
{
	struct backend backend = {.sock = -1, .listener = -1};
	struct frame all = {0}, one;
	int sender;
	bool good = pair_open(&backend, &sender, 71, 0);

	for (int i = 0; i < 300; i++) {
		flow_frame(&one, 1, 71, i, 500);
		frame_bytes(&all, one.bytes, one.length);
		frame_free(&one);
	}
	good = good && send_all(sender, all.bytes, all.length) && !shutdown(sender, SHUT_WR);
	for (int i = 0; good && i < 300; i++) {
		uint8_t bytes[534];

		flow_frame(&one, 1, 71, i, 500);
		good = recv_all(backend.sock, bytes, one.length);
		if (good && memcmp(bytes, one.bytes, one.length))
			good = fail("message %d has other bytes than were sent", i);
		frame_free(&one);
	}
	good = good && recv_end(sender) && backend_quiet(&backend, 100);
	pair_close(&backend, sender);
	frame_free(&all);
	return good;
}

static bool take_counted(struct backend *backend, const uint8_t *bytes, size_t length, void *data)
{
	struct frame frame;
	bool same;

	(void)data;
	flow_frame(&frame, 1, backend->key, backend->messages - 1, 4000);
	same = frame.length == length && !memcmp(frame.bytes, bytes, length);
	frame_free(&frame);
	return same || fail("message %zu behind the stall is wrong, lost, or out of order", backend->messages - 1);
}

/* Sends numbered messages of 4000 bytes until the forwarder takes no more: the bytes that it took, or -1. */
static ssize_t flood(int sender, int32_t key, struct frame *rest)
{
	struct frame frame;
	size_t total = 0;
	ssize_t put;

	for (uint32_t index = 0; total < BOUND; index++) {
		flow_frame(&frame, 1, key, index, 4000);
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

static bool drain(struct backend *backend, int sender, struct frame *rest, size_t total)
{
	size_t due = (total + rest->length) / 4034, at = 0;
	ssize_t put;

	while (backend->messages < due) {
		put = at < rest->length ? send_some(sender, rest->bytes + at, rest->length - at) : 0;
		if (put > 0)
			at += put;
		else if (put < 0 && put != -EAGAIN)
			return fail("send: %s", strerror(-put));
		if (ready(backend->sock, POLLIN, 50) && !backend_read(backend, take_counted, NULL))
			return false;
		if (deadline_over())
			return fail("time is up: %zu of %zu messages came behind the stall", backend->messages, due);
	}
	return backend_quiet(backend, 50);
}

/* One backend does not read: its sender is stopped, others go on, and when it reads again nothing is missing. */
static bool stalled_backend(void)
{
	struct backend stalled = {.sock = -1, .listener = -1}, other = {.sock = -1, .listener = -1};
	struct frame rest = {0};
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
	good = good && drain(&stalled, sender, &rest, total) && passes(&other, second, 1);
	frame_free(&rest);
	pair_close(&other, second);
	pair_close(&stalled, sender);
	return good;
}

/* A stopped sender hangs up; then the backend is read, and others reach it. */
static bool stopped_sender_hangs_up(void)
{
	struct backend stalled = {.sock = -1, .listener = -1};
	uint8_t bytes[65536];
	struct frame rest = {0};
	struct frame frame;
	int sender;
	bool good = pair_open(&stalled, &sender, 82, SMALL) && flood(sender, 82, &rest) >= 0;

	if (sender >= 0)
		hang_up(sender);
	pause_ms(100);
	while (good && ready(stalled.sock, POLLIN, 500))
		good = recv_some(stalled.sock, bytes, sizeof(bytes)) > 0 || fail("the forwarder left a backend that was slow");
	sender = good ? dial(target.port, 0) : -1;
	good = good && sender >= 0;
	if (good) {
		flow_frame(&frame, 1, 82, 5, 60);
		good = send_all(sender, frame.bytes, frame.length) && recv_all(stalled.sock, bytes, frame.length);
		if (good && memcmp(bytes, frame.bytes, frame.length))
			good = fail("what follows is not whole: part of a message was given away");
		frame_free(&frame);
	}
	frame_free(&rest);
	pair_close(&stalled, sender);
	return good;
}

/* A sender vanishes in the middle of a frame: nobody sees any of that frame. */
static bool sender_vanishes(void)
{
	struct backend backend = {.sock = -1, .listener = -1};
	struct frame frame;
	int sender;
	bool good = pair_open(&backend, &sender, 83, 0);

	for (int i = 0; good && i < 20; i++) {
		good = passes(&backend, sender, i);
		flow_frame(&frame, 1, 83, 0, 5000);
		good = good && send_all(sender, frame.bytes, 5 + i * 250);
		frame_free(&frame);
		pause_ms(i % 3);
		hang_up(sender);
		sender = dial(target.port, 0);
		good = good && sender >= 0;
	}
	good = good && passes(&backend, sender, 99) && backend_quiet(&backend, 50);
	pair_close(&backend, sender);
	return good;
}

const struct test forward_tests[] = {
	{"every_message_reaches_its_key_in_order", whole_messages},
	{"pieces_of_7_bytes_reach_their_key_in_order", pieces_of_7},
	{"pieces_of_777_bytes_reach_their_key_in_order", pieces_of_777},
	{"messages_of_up_to_a_million_bytes", large_messages},
	{"half_a_frame_and_fin_forwards_what_was_whole", half_frame_and_fin},
	{"fin_behind_many_messages_loses_none", fin_behind_many},
	{"stalled_backend_stops_its_senders_only_and_loses_nothing", stalled_backend},
	{"a_stopped_sender_may_hang_up", stopped_sender_hangs_up},
	{"a_sender_that_vanishes_leaves_no_part_of_a_frame", sender_vanishes},
	{"unknown_key_is_told_and_the_rest_goes_on", unknown_key},
	{"who_does_not_read_what_he_is_told_is_stopped", unread_failures},
	{"dead_backend_is_told", dead_backend},
	{"oversized_frames_are_told_and_end_the_connection", oversized},
	{"malformed_frames_are_told_and_end_the_connection", malformed},
	{"odd_but_good_frames_pass_byte_for_byte", odd_but_good},
	{"a_backend_that_talks_is_not_listened_to", talking_backend},
	{"disconnect_and_connect_again", reconnect},
	{"disconnect_gives_what_waits", disconnect_drains},
	{"connect_is_refused_with_a_reason", connect_refused},
	{"commands_in_one_write_are_all_answered", pipelined_commands},
	{"commands_are_refused_at_the_port_of_messages", commands_at_the_wrong_port},
	{"broken_commands_harm_nobody", broken_commands},
	{NULL, NULL},
};
