// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Messages from one socket to another: untouched, in order, and held back where there is no room.
 */
#include "unit.h"

#include <slick/tsock.h>

#include "../fake.h"
#include "message.h"

static u8 output[2][FAKE_OUTPUT];
static u8 stream[64 * 1024];
static size_t stream_length;

struct pair {
	struct fake source, sink;
	struct slick_ts from, to;
};

#define MESSAGES 50

static void make_stream(void)
{
	size_t i;

	stream_length = 0;
	for (i = 0; i < MESSAGES; i++)
		stream_length += make_msg(stream + stream_length, sizeof(stream) - stream_length,
					  (s32)i, i * 7 % 100);
}

static void begin(struct pair *pair, u32 max_from, u32 max_to, size_t out_limit)
{
	const struct slick_thrift_limits from = { .max_frame = max_from };
	const struct slick_thrift_limits to = { .max_frame = max_to };
	const struct slick_bs_cfg plain = { 0 };
	const struct slick_bs_cfg cfg = { .out_size = out_limit, .out_limit = out_limit };
	struct slick_transport a = fake_transport(&pair->source, output[0]);
	struct slick_transport b = fake_transport(&pair->sink, output[1]);

	make_stream();
	assert_int_equal(slick_ts_init(&pair->from, &a, &plain, &from), 0);
	assert_int_equal(slick_ts_init(&pair->to, &b, &cfg, &to), 0);
	fake_gives(&pair->source, stream, stream_length);
}

static void end(struct pair *pair)
{
	slick_ts_free(&pair->from);
	slick_ts_free(&pair->to);
}

/* Forwards what can be: 0 when all was, else what stopped it. */
static int forward(struct pair *pair)
{
	struct slick_thrift_msg msg;
	int ret;

	for (;;) {
		while (slick_ts_next(&pair->from, &msg) == 1) {
			ret = slick_ts_forward(&pair->from, &pair->to, &msg);
			if (ret)
				return ret;
		}
		if (slick_bs_fill(&pair->from.bs) <= 0)
			return 0;
	}
}

static void every_byte_arrives(void **state)
{
	static struct pair pair;
	ssize_t piece;

	(void)state;
	for (piece = 1; piece < 300; piece += 7) {
		begin(&pair, 0, 0, 0);
		pair.source.recv.otherwise = piece;
		assert_int_equal(forward(&pair), 0);
		assert_int_equal(pair.sink.output_length, stream_length);
		assert_memory_equal(output[1], stream, stream_length);
		assert_int_equal(pair.from.messages_in, MESSAGES);
		assert_int_equal(pair.to.messages_out, MESSAGES);
		assert_int_equal(pair.sink.sends, MESSAGES);
		end(&pair);
	}
}

static void a_corked_sink_gets_one_piece(void **state)
{
	static struct pair pair;

	(void)state;
	begin(&pair, 0, 0, 0);
	slick_bs_cork(&pair.to.bs);
	assert_int_equal(forward(&pair), 0);
	assert_int_equal(slick_bs_flush(&pair.to.bs), 0);
	assert_int_equal(pair.sink.sends, 1);
	assert_memory_equal(output[1], stream, stream_length);
	end(&pair);
}

static unsigned int told[2];

static void mark(struct slick_bs *bs, bool full, void *data)
{
	(void)bs;
	told[full]++;
	slick_bs_pause(&((struct slick_ts *)data)->bs, full);
}

/* A sink that takes a little now and then: its source is paused meanwhile, and nothing is lost. */
static void a_slow_sink_pauses_its_source(void **state)
{
	static struct pair pair;
	unsigned int rounds = 0;

	(void)state;
	told[0] = 0;
	told[1] = 0;
	begin(&pair, 200, 200, 2000);
	assert_int_equal(slick_bs_watermarks(&pair.to.bs, 300, 100, mark, &pair.from), 0);
	pair.sink.send.otherwise = -EAGAIN;
	while (forward(&pair) == -EAGAIN) {
		assert_int_equal(pair.source.wanted, 0);
		/* The one that crossed the mark was the last. */
		assert_true(slick_bs_waiting(&pair.to.bs) <= 300 + 34 + 99);
		while (pair.to.bs.full) {
			assert_int_equal(pair.sink.wanted, SLICK_READ | SLICK_WRITE);
			pair.sink.send.count = 0;
			pair.sink.send.at = 0;
			fake_then(&pair.sink.send, 29);
			slick_bs_flush(&pair.to.bs);
		}
		assert_int_equal(pair.source.wanted, SLICK_READ);
		assert_true(++rounds < 1000);
	}
	pair.sink.send.otherwise = FAKE_ALL;
	assert_int_equal(slick_bs_flush(&pair.to.bs), 0);
	assert_int_equal(pair.sink.output_length, stream_length);
	assert_memory_equal(output[1], stream, stream_length);
	assert_true(told[1] > 5);
	assert_int_equal(told[0], told[1]);
	end(&pair);
}

static void what_was_refused_stays_at_the_front(void **state)
{
	static struct pair pair;
	struct slick_thrift_msg msg;

	(void)state;
	begin(&pair, 200, 200, 204);
	pair.sink.send.otherwise = -EAGAIN;
	assert_int_equal(forward(&pair), -EAGAIN);
	assert_int_equal(slick_ts_next(&pair.from, &msg), 1);
	assert_msg(&msg, (s32)pair.from.messages_in, pair.from.messages_in * 7 % 100);
	assert_int_equal(forward(&pair), -EAGAIN);
	pair.sink.send.otherwise = FAKE_ALL;
	assert_int_equal(slick_bs_flush(&pair.to.bs), 0);
	assert_int_equal(forward(&pair), 0);
	assert_memory_equal(output[1], stream, stream_length);
	end(&pair);
}

static void a_sink_that_could_never_hold_it_says_so(void **state)
{
	static struct pair pair;
	struct slick_thrift_msg msg;

	(void)state;
	begin(&pair, 200, 60, 64);
	assert_int_equal(forward(&pair), -EMSGSIZE);
	assert_int_equal(slick_ts_next(&pair.from, &msg), 1);
	assert_true(msg.frame_length > 64);
	end(&pair);
}

static void a_dead_sink_says_so(void **state)
{
	static struct pair pair;
	struct slick_thrift_msg msg;

	(void)state;
	begin(&pair, 0, 0, 0);
	fake_then(&pair.sink.send, FAKE_ALL);
	fake_then(&pair.sink.send, -ECONNRESET);
	assert_int_equal(forward(&pair), -ECONNRESET);
	assert_int_equal(pair.from.messages_in, 1);
	assert_int_equal(slick_ts_next(&pair.from, &msg), 1);
	assert_msg(&msg, 1, 7);
	assert_int_equal(slick_ts_forward(&pair.from, &pair.to, &msg), -ECONNRESET);
	end(&pair);

	begin(&pair, 0, 0, 0);
	slick_bs_shut(&pair.to.bs);
	assert_int_equal(forward(&pair), -EPIPE);
	assert_int_equal(pair.from.messages_in, 0);
	end(&pair);
}

void forward_tests(void)
{
	const struct CMUnitTest forwarding[] = {
		cmocka_unit_test(every_byte_arrives),
		cmocka_unit_test(a_corked_sink_gets_one_piece),
		cmocka_unit_test(a_slow_sink_pauses_its_source),
		cmocka_unit_test(what_was_refused_stays_at_the_front),
		cmocka_unit_test(a_sink_that_could_never_hold_it_says_so),
		cmocka_unit_test(a_dead_sink_says_so),
	};

	RUN_GROUP(forwarding);
}
