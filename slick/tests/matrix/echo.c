// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What an echo service has to give back, and what it has to bear. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stream.h"

static uint8_t bytes[STEP];

/* `length` bytes go and come back on a connection that is there. */
static bool exchange(int sock, uint32_t seed, size_t length)
{
	struct stream stream = { .sock = sock, .seed = seed, .length = length };

	return run_streams(&stream, 1);
}

static bool fresh_exchange(uint32_t seed, size_t length)
{
	return exchange_alone(exchange, seed, length);
}

static bool all_sizes(void)
{
	static const size_t sizes[] = { 1,     2,     3,     4,	    5,	   7,	  31,	 32,   33,
					64,    127,   128,   255,   256,   257,	  511,	 512,  1024,
					1447,  1448,  1449,  1460,  2048,  4095,  4096,	 4097, 8192,
					16383, 16384, 16385, 32767, 32768, 32769, 65535, 65536 };

	return exchange_sizes(exchange, sizes, sizeof(sizes) / sizeof(sizes[0]));
}

/* Odd pieces, each on its way before the next is sent, so that none of the service's reads is where
 * a message ends. */
static bool odd_pieces(void)
{
	static const size_t pieces[] = { 1,    1,  2,  3, 5,   8,    13, 1447,	21,  34, 1,
					 4095, 55, 89, 7, 777, 8191, 2,	 12289, 144, 1 };
	int sock = dial(target.port, 0);
	bool good = sock >= 0;
	size_t at = 0, same;

	for (size_t i = 0; good && i < sizeof(pieces) / sizeof(pieces[0]); at += pieces[i++]) {
		fill(bytes, 77, at, pieces[i]);
		good = send_all(sock, bytes, pieces[i]);
		if (i % 3 == 0)
			pause_ms(1);
	}
	for (size_t from = 0; good && from < at; from += 211) {
		size_t length = at - from < 211 ? at - from : 211;

		good = recv_all(sock, bytes, length);
		same = good ? differs(bytes, 77, from, length) : 0;
		if (good && same < length)
			good = fail("byte %zu is wrong", from + same);
	}
	if (sock >= 0)
		close(sock);
	return good;
}

static bool many_at_once(int count, size_t length, size_t ahead)
{
	struct stream *streams = calloc(count, sizeof(*streams));
	bool good = streams || fail("no memory");
	int open;

	for (open = 0; good && open < count; open++) {
		streams[open] = (struct stream){
			.seed = open + 100, .length = length, .ahead = ahead, .shut = open & 1
		};
		streams[open].sock = dial(target.port, 0);
		if (streams[open].sock < 0)
			break;
	}
	good = good && open == count && run_streams(streams, count);
	while (open-- > 0)
		close(streams[open].sock);
	free(streams);
	return good;
}

static bool eight_connections_deep(void)
{
	return many_at_once(8, 512 * 1024, 32 * 1024);
}

static bool hundred_connections(void)
{
	return many_at_once(100, 5000, 0);
}

/* All bytes come back before the end: of what was sent at once, of a long stream, of nothing. */
static bool half_close(void)
{
	static const size_t lengths[] = { 60000, 2 * 1024 * 1024, 1, 0 };
	bool good = true;

	for (int i = 0; good && i < 4; i++) {
		struct stream stream = {
			.sock = dial(target.port, 0), .seed = 9, .length = lengths[i], .shut = true
		};

		good = stream.sock >= 0;
		if (good && !lengths[i])
			shutdown(stream.sock, SHUT_WR);
		good = good && run_streams(&stream, 1);
		if (stream.sock >= 0)
			close(stream.sock);
	}
	return good;
}

/* They hang up with bytes on their way both ways, unread; the service has to be as it was. */
static bool reset_in_the_middle(void)
{
	bool good = true;

	memset(bytes, 'r', STEP);
	for (int i = 0; good && i < 50; i++) {
		int sock = dial(target.port, 0);

		good = sock >= 0;
		if (!good)
			break;
		if (i % 5)
			send_some(sock, bytes, (size_t)i * 1311);
		if (i % 2)
			ready(sock, POLLIN, 20);
		hang_up(sock);
	}
	return good && fresh_exchange(3, 40000);
}

static bool short_connections(void)
{
	bool good = true;

	for (int i = 0; good && i < 1000; i++)
		good = fresh_exchange(i, 1 + i % 50);
	return good;
}

/*
 * A client that sends and never reads: at some point the service has to take nothing more of it,
 * and to serve others meanwhile. When it reads at last, all is there.
 */
static bool one_that_never_reads(void)
{
	const size_t limit = 32 * 1024 * 1024;
	uint8_t *block = malloc(STEP), *back = malloc(STEP);
	int sock = block && back ? dial(target.port, 65536) : -1;
	ssize_t total = -1;
	bool good = sock >= 0;

	if (good) {
		fill(block, 5, 0, STEP);
		total = send_until_stopped(sock, block, STEP, limit, 500);
		good = total >= 0;
	}
	good = good && fresh_exchange(6, 65536) && fresh_exchange(7, 300000);
	for (size_t at = 0; good && at < (size_t)total;) {
		size_t length = (size_t)total - at < STEP ? (size_t)total - at : STEP;

		good = recv_all(sock, back, length);
		if (good && memcmp(back, block, length))
			good = fail("what waited is wrong somewhere behind byte %zu", at);
		at += length;
	}
	good = good && exchange(sock, 8, 1000);
	if (sock >= 0)
		close(sock);
	free(block);
	free(back);
	return good;
}

static bool idle_connections(void)
{
	int socks[20], open;
	bool good = true;

	for (open = 0; open < 20; open++) {
		socks[open] = dial(target.port, 0);
		if (socks[open] < 0)
			break;
	}
	good = open == 20;
	for (int i = 0; good && i < open; i += 2)
		good = exchange(socks[i], i, 100);
	good = good && fresh_exchange(4, 20000);
	if (good)
		pause_ms(700);
	for (int i = 0; good && i < open; i++)
		good = exchange(socks[i], i + 50, 3000);
	while (open-- > 0)
		close(socks[open]);
	return good;
}

const struct test echo_tests[] = {
	{ "all_sizes_come_back", all_sizes },
	{ "odd_pieces_come_back", odd_pieces },
	{ "eight_connections_with_much_on_its_way", eight_connections_deep },
	{ "hundred_connections_at_once", hundred_connections },
	{ "half_close_gets_every_byte_before_the_end", half_close },
	{ "reset_in_the_middle_harms_nobody", reset_in_the_middle },
	{ "thousand_short_connections", short_connections },
	{ "one_that_never_reads_is_stopped_and_loses_nothing", one_that_never_reads },
	{ "idle_connections_answer_when_spoken_to", idle_connections },
	{ NULL, NULL },
};
