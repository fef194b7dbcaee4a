// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Messages that cannot be delivered, and backends that go away. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flow.h"
#include "forward.h"

static bool send_message(int sender, int32_t key, uint32_t index)
{
	struct frame frame;
	bool good;

	flow_frame(&frame, 1, key, index, 64);
	good = send_all(sender, frame.bytes, frame.length);
	frame_free(&frame);
	return good;
}

bool unknown_key(void)
{
	struct backend backend = { .sock = -1, .listener = -1 };
	int sender;
	bool good = pair_open(&backend, &sender, 100, 0);

	for (int i = 0; good && i < 20; i++) {
		good = send_message(sender, 101 + i, i) && recv_failed(sender, 101 + i) &&
		       passes(&backend, sender, i);
	}
	good = good && backend_quiet(&backend, 50);
	pair_close(&backend, sender);
	return good;
}

/* The answers of one who never reads must not pile up: he is stopped. When he reads, each message
 * has its failure. */
bool unread_failures(void)
{
	struct backend other = { .sock = -1, .listener = -1 };
	struct frame block = { 0 }, one;
	ssize_t total = -1;
	int sender, deaf = dial(target.port, 16384);
	bool good = pair_open(&other, &sender, 110, 0) && deaf >= 0;

	frame_message(&one, 111, "nobody wants this", 17);
	for (int i = 0; i < 500; i++)
		frame_bytes(&block, one.bytes, one.length);
	if (good) {
		total = send_until_stopped(deaf, block.bytes, block.length, 32 * 1024 * 1024, 500);
		good = total >= 0;
	}
	for (int i = 0; good && i < 20; i++)
		good = passes(&other, sender, i);
	for (size_t i = 0; good && i < total / one.length; i++)
		good = recv_failed(deaf, 111);
	if (deaf >= 0)
		close(deaf);
	pair_close(&other, sender);
	frame_free(&block);
	frame_free(&one);
	return good;
}

static bool dies(int32_t key, void (*kill)(int sock))
{
	struct backend backend = { .sock = -1, .listener = -1 },
		       again = { .sock = -1, .listener = -1 };
	int sender;
	bool good = pair_open(&backend, &sender, key, 0) && passes(&backend, sender, 1);

	if (good) {
		kill(backend.sock);
		backend.sock = -1;
		/* He has sent to it, so he is told without asking; then each message is told. */
		good = recv_failed(sender, key) && send_message(sender, key, 2) &&
		       recv_failed(sender, key);
	}
	good = good && backend_open(&again, key, 0) && passes(&again, sender, 3);
	backend_close(&again);
	pair_close(&backend, sender);
	return good;
}

static void close_it(int sock)
{
	close(sock);
}

/* It dies while a sender waits for it: the sender goes on, and is told. */
static bool dies_full(void)
{
	struct backend full = { .sock = -1, .listener = -1 },
		       other = { .sock = -1, .listener = -1 };
	struct frame block = { 0 }, one;
	ssize_t total;
	int sender = -1;
	bool good = pair_open(&full, &sender, 122, 16384) && backend_open(&other, 123, 0);

	flow_frame(&one, 1, 122, 1, 4000);
	for (int i = 0; i < 16; i++)
		frame_bytes(&block, one.bytes, one.length);
	total = good ? send_until_stopped(sender, block.bytes, block.length, 32 * 1024 * 1024,
					  500) :
		       -1;
	good = good && total >= 0;
	if (good) {
		size_t rest = one.length - total % one.length;

		hang_up(full.sock);
		full.sock = -1;
		good = recv_failed(sender, 122) &&
		       send_all(sender, one.bytes + one.length - rest, rest) &&
		       passes(&other, sender, 4);
	}
	backend_close(&other);
	pair_close(&full, sender);
	frame_free(&block);
	frame_free(&one);
	return good;
}

bool dead_backend(void)
{
	return dies(120, close_it) && dies(121, hang_up) && dies_full();
}

bool told_and_ended(struct backend *backend, const struct frame *frame, const char *what)
{
	int sock = dial(target.port, 0);
	bool good = sock >= 0 && passes(backend, sock, 1) &&
		    send_all(sock, frame->bytes, frame->length) && recv_failed(sock, -1) &&
		    recv_end(sock) && backend_quiet(backend, 0);
	char why[200];

	if (sock >= 0)
		close(sock);
	if (good)
		return true;
	strncpy(why, failure(), sizeof(why) - 1);
	why[sizeof(why) - 1] = 0;
	return reword("%s: %s", what, why);
}

bool oversized(void)
{
	static const uint8_t lots[16384];
	static const uint32_t lengths[] = { 1024 * 1024 + 1, 0x7fffffff, 0x80000000, 0xffffffff };
	struct backend backend = { .sock = -1, .listener = -1 };
	bool good = backend_open(&backend, 130, 0);

	for (int i = 0; good && i < 4; i++) {
		struct frame frame;

		frame_message(&frame, 130, "0123456789", 10);
		frame.bytes[0] = lengths[i] >> 24;
		frame.bytes[1] = lengths[i] >> 16;
		frame.bytes[2] = lengths[i] >> 8;
		frame.bytes[3] = lengths[i];
		good = told_and_ended(&backend, &frame, "a frame that says it is too long");
		/* Much follows it, as much would of a long frame: that must not cost the answer. */
		for (int more = 0; good && more < 20; more++)
			frame_bytes(&frame, lots, sizeof(lots));
		good = good && told_and_ended(&backend, &frame, "a frame that is too long");
		frame_free(&frame);
	}
	backend_close(&backend);
	return good;
}

static bool passes_frame(struct backend *backend, int sender, struct frame *frame)
{
	bool good = send_all(sender, frame->bytes, frame->length) && backend_expect(backend, frame);

	frame_free(frame);
	return good;
}

/* Fields in another order, fields of a later version, an empty payload, one that is a number, none
 * at all; keys at the ends of their range. */
bool odd_but_good(void)
{
	static const int32_t keys[] = { 0, -1, 0x7fffffff, (int32_t)0x80000000 };
	struct backend backend;
	struct frame frame;
	int sender;
	bool good = true;

	for (int i = 0; good && i < 4; i++) {
		good = pair_open(&backend, &sender, keys[i], 0);
		frame_begin(&frame, ONEWAY, "msg", 0x80000001);
		frame_string(&frame, 2, "first", 5);
		frame_i32(&frame, 1, keys[i]);
		frame_end(&frame);
		good = good && passes_frame(&backend, sender, &frame);
		frame_begin(&frame, ONEWAY, "msg", 7);
		frame_field(&frame, T_STRUCT, -3);
		frame_i32(&frame, 1, 999); /* a key, but not ours */
		frame_byte(&frame, T_STOP);
		frame_field(&frame, T_LIST, 9);
		frame_byte(&frame, T_I32);
		frame_u32(&frame, 2);
		frame_u32(&frame, 1);
		frame_u32(&frame, 2);
		frame_i32(&frame, 1, keys[i]);
		frame_string(&frame, 2, "", 0);
		frame_end(&frame);
		good = good && passes_frame(&backend, sender, &frame);
		frame_begin(&frame, ONEWAY, "msg", 8);
		frame_i32(&frame, 1, keys[i]);
		frame_i32(&frame, 2, 999);
		frame_end(&frame);
		good = good && passes_frame(&backend, sender, &frame);
		frame_begin(&frame, ONEWAY, "msg", 9);
		frame_i32(&frame, 1, keys[i]);
		frame_end(&frame);
		good = good && passes_frame(&backend, sender, &frame);
		pair_close(&backend, sender);
	}
	return good;
}

/* Messages are oneway: what a backend says goes nowhere, and does no harm. */
bool talking_backend(void)
{
	struct backend backend;
	uint8_t noise[8192];
	int sender;
	bool good = pair_open(&backend, &sender, 150, 0);

	memset(noise, 0xaa, sizeof(noise));
	for (int i = 0; good && i < 100; i++)
		good = send_all(backend.sock, noise, sizeof(noise)) &&
		       (i % 10 || passes(&backend, sender, i));
	if (good && ready(sender, POLLIN, 100))
		good = fail("the sender got something of what a backend said");
	pair_close(&backend, sender);
	return good;
}
