// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* An echo of whole Thrift messages, whose longest frame is as usual: what comes back, what ends. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stream.h"

#define LONGEST (1 << 20) /* bytes of a frame behind its length */
#define EXTRA 34 /* bytes of a message besides its payload */

static uint8_t payload[LONGEST];

static void make(struct frame *frame, uint32_t seed, size_t length)
{
	fill(payload, seed, 0, length);
	frame_message(frame, (int32_t)seed, payload, length);
}

/* It comes back, byte for byte; the next thing that comes is not part of it. */
static bool comes_back(int sock, const struct frame *frame)
{
	uint8_t *back = malloc(frame->length);
	bool good = back && recv_all(sock, back, frame->length);

	if (good && memcmp(back, frame->bytes, frame->length))
		good = fail("a message of %zu bytes came back changed", frame->length);
	free(back);
	return good;
}

static bool exchange(int sock, uint32_t seed, size_t length)
{
	struct frame frame = { 0 };
	bool good;

	make(&frame, seed, length);
	good = send_all(sock, frame.bytes, frame.length) && comes_back(sock, &frame);
	frame_free(&frame);
	return good;
}

static bool fresh_exchange(uint32_t seed, size_t length)
{
	return exchange_alone(exchange, seed, length);
}

/* Nothing comes but the end, of whichever kind: what was not read makes it a reset. */
static bool ended(int sock, const char *what)
{
	uint8_t byte;
	ssize_t got;

	if (!ready(sock, POLLIN, -1))
		return fail("%s: the connection was not ended", what);
	got = recv_some(sock, &byte, 1);
	return got == 0 || got == -ECONNRESET || fail("%s: a byte came, not the end", what);
}

/* A message, and then this on the same connection: the message comes back, and then the end. */
static bool ends(const struct frame *frame, const char *what)
{
	int sock = dial(target.port, 0);
	bool good = sock >= 0 && exchange(sock, 7, 100) &&
		    send_all(sock, frame->bytes, frame->length) && ended(sock, what);

	if (sock >= 0)
		close(sock);
	return good || reword("%s: %s", what, failure());
}

static bool all_sizes(void)
{
	static const size_t sizes[] = { 0, 1, 2, 31, 100, 1413, 1414, 1415, 4096, 16384, 65535,
					65536, 131072, 200000, 524288, LONGEST - EXTRA + 4, 5 };

	return exchange_sizes(exchange, sizes, sizeof(sizes) / sizeof(sizes[0]));
}

static void add_levels(struct frame *frame, int levels)
{
	for (int i = 0; i < levels; i++)
		frame_field(frame, T_STRUCT, i);
	for (int i = 0; i < levels; i++)
		frame_byte(frame, T_STOP);
}

/* All that a message may have in it comes back, cut at every byte: also within its length. */
static bool cut_anywhere(void)
{
	struct frame frame;
	int sock = dial(target.port, 0);
	bool good = sock >= 0;

	frame_begin(&frame, CALL, "cut", -5);
	frame_string(&frame, 1, "a string", 8);
	frame_field(&frame, T_LIST, 2);
	frame_bytes(&frame, "\x0b\0\0\0\2\0\0\0\1x\0\0\0\0", 14);
	frame_i32(&frame, -3, 1234567);
	add_levels(&frame, 3);
	frame_end(&frame);
	for (size_t cut = 1; good && cut < frame.length; cut++) {
		good = send_all(sock, frame.bytes, cut);
		pause_ms(1);
		good = good && send_all(sock, frame.bytes + cut, frame.length - cut) &&
		       comes_back(sock, &frame);
	}
	if (sock >= 0)
		close(sock);
	frame_free(&frame);
	return good;
}

/* Much of what the service is given is not the message then, but what each packet takes besides. */
static bool long_one_in_small_pieces(void)
{
	static const size_t pieces[] = { 700, 61, 1, 89, 2000, 150 };
	int sock = dial(target.port, 0);
	struct frame frame = { 0 };
	bool good = sock >= 0;
	size_t at = 0;

	make(&frame, 21, LONGEST - EXTRA + 4);
	for (size_t i = 0; good && at < frame.length; i++) {
		size_t length = pieces[i % (sizeof(pieces) / sizeof(pieces[0]))];

		if (length > frame.length - at)
			length = frame.length - at;
		good = send_all(sock, frame.bytes + at, length);
		at += length;
	}
	good = good && comes_back(sock, &frame) && exchange(sock, 22, 50);
	if (sock >= 0)
		close(sock);
	frame_free(&frame);
	return good;
}

/* What is whole comes back, what is begun does not, and then comes the end. */
static bool half_frame_and_end(void)
{
	static const size_t halves[] = { 0, 1, 3, 4, 5, 20, 60000, 500000 };
	struct frame frame = { 0 };
	bool good = true;

	make(&frame, 3, 600000);
	for (size_t i = 0; good && i < sizeof(halves) / sizeof(halves[0]); i++) {
		int sock = dial(target.port, 0);

		good = sock >= 0 && exchange(sock, 4, 1000) &&
		       send_all(sock, frame.bytes, halves[i]);
		if (good && shutdown(sock, SHUT_WR))
			good = fail("shutdown: %s", strerror(errno));
		good = good && ended(sock, "half a frame");
		if (sock >= 0)
			close(sock);
	}
	frame_free(&frame);
	return good && fresh_exchange(5, 1000);
}

static bool oversized(void)
{
	static const uint32_t lengths[] = { LONGEST + 1, LONGEST * 2, 0x7fffffff };
	bool good = true;

	for (int i = 0; good && i < 3; i++) {
		struct frame frame = { 0 };

		frame_u32(&frame, lengths[i]);
		good = ends(&frame, "a frame that is too long");
		frame_free(&frame);
	}
	return good && fresh_exchange(8, LONGEST - EXTRA + 4);
}

static void negative_length(struct frame *frame)
{
	frame_u32(frame, 0x80010004);
	frame_bytes(frame, "not framed at all", 17);
}

static bool malformed(void)
{
	struct frame frame = { 0 };
	bool good;

	negative_length(&frame);
	good = ends(&frame, "a negative length");
	frame_free(&frame);
	for (const struct bad_frame *bad = bad_frames; good && bad->make; bad++) {
		if (bad->of_msg)
			continue;
		bad->make(&frame);
		good = ends(&frame, bad->what);
		frame_free(&frame);
	}
	return good && fresh_exchange(9, 1000);
}

static bool only_so_deep(void)
{
	int sock = dial(target.port, 0);
	struct frame frame;
	bool good = sock >= 0;

	frame_begin(&frame, ONEWAY, "deep", 0);
	add_levels(&frame, 16);
	frame_end(&frame);
	good = good && send_all(sock, frame.bytes, frame.length) && comes_back(sock, &frame);
	frame_free(&frame);
	frame_begin(&frame, ONEWAY, "deep", 0);
	add_levels(&frame, 17);
	frame_end(&frame);
	good = good && ends(&frame, "one level too deep");
	frame_free(&frame);
	if (sock >= 0)
		close(sock);
	return good;
}

/* At some point nothing more is taken of it, others are served, and nothing is lost. */
static bool one_that_never_reads(void)
{
	const size_t limit = 32 * 1024 * 1024;
	int sock = dial(target.port, 65536);
	struct frame frame = { 0 };
	ssize_t total = -1;
	bool good = sock >= 0;

	make(&frame, 6, 100000);
	if (good) {
		total = send_until_stopped(sock, frame.bytes, frame.length, limit, 500);
		good = total >= 0;
	}
	good = good && fresh_exchange(7, 300000);
	for (size_t at = 0, whole = good ? (size_t)total / frame.length : 0; good && at < whole;
	     at++)
		good = comes_back(sock, &frame);
	/* What was begun is sent to its end. */
	if (good && (size_t)total % frame.length) {
		size_t begun = (size_t)total % frame.length;

		good = send_all(sock, frame.bytes + begun, frame.length - begun) &&
		       comes_back(sock, &frame);
	}
	good = good && exchange(sock, 8, 1000);
	if (sock >= 0)
		close(sock);
	frame_free(&frame);
	return good;
}

const struct test thrift_tests[] = {
	{ "all_sizes_come_back", all_sizes },
	{ "a_cut_at_any_byte_changes_nothing", cut_anywhere },
	{ "a_long_one_in_small_pieces_comes_back", long_one_in_small_pieces },
	{ "half_a_frame_ends_with_the_connection", half_frame_and_end },
	{ "a_frame_that_is_too_long_ends_the_connection", oversized },
	{ "what_is_no_message_ends_the_connection", malformed },
	{ "one_level_too_deep_ends_the_connection", only_so_deep },
	{ "one_that_never_reads_is_stopped_and_loses_nothing", one_that_never_reads },
	{ NULL, NULL },
};
