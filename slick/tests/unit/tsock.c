// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Messages out of a stream that is cut anywhere. */
#include "unit.h"

#include <slick/tsock.h>

#include "../fake.h"
#include "message.h"

static u8 output[FAKE_OUTPUT];
static const struct slick_thrift_limits usual;
static const struct slick_bs_cfg plain;

static const size_t payloads[] = { 0, 1, 32, 100, 3 };

#define MESSAGES (sizeof(payloads) / sizeof(payloads[0]))

static size_t make_stream(u8 *at, size_t size)
{
	size_t length = 0, i;

	for (i = 0; i < MESSAGES; i++)
		length += make_msg(at + length, size - length, (s32)i, payloads[i]);
	return length;
}

/* Takes what there is; how many messages there were before. */
static size_t take(struct slick_ts *ts, size_t taken)
{
	struct slick_thrift_msg msg;
	int ret;

	while ((ret = slick_ts_next(ts, &msg)) == 1) {
		assert_true(taken < MESSAGES);
		assert_msg(&msg, (s32)taken, payloads[taken]);
		slick_ts_discard(ts, &msg);
		taken++;
	}
	assert_int_equal(ret, 0);
	return taken;
}

static size_t read_all(struct slick_ts *ts, struct fake *fake)
{
	size_t taken = 0;

	while (fake->input_length) {
		assert_true(slick_bs_fill(&ts->bs) > 0);
		taken = take(ts, taken);
	}
	return taken;
}

static void a_cut_at_every_byte_changes_nothing(void **state)
{
	u8 stream[1024];
	size_t length = make_stream(stream, sizeof(stream));
	size_t cut, second;

	(void)state;
	for (cut = 1; cut < length; cut++) {
		for (second = cut; second < length; second += 13) {
			struct fake fake;
			struct slick_transport transport = fake_transport(&fake, output);
			struct slick_ts ts;

			assert_int_equal(slick_ts_init(&ts, &transport, &plain, &usual), 0);
			fake_gives(&fake, stream, length);
			fake_then(&fake.recv, (ssize_t)cut);
			if (second > cut)
				fake_then(&fake.recv, (ssize_t)(second - cut));
			assert_int_equal(read_all(&ts, &fake), MESSAGES);
			assert_int_equal(ts.messages_in, MESSAGES);
			assert_int_equal(slick_buf_used(&ts.bs.in), 0);
			slick_ts_free(&ts);
		}
	}
}

static void pieces_of_any_size_change_nothing(void **state)
{
	u8 stream[1024];
	size_t length = make_stream(stream, sizeof(stream));
	size_t piece;

	(void)state;
	for (piece = 1; piece <= length; piece++) {
		const struct slick_bs_cfg chunked = { .chunk = piece, .in_size = 150 };
		struct fake fake;
		struct slick_transport transport = fake_transport(&fake, output);
		struct slick_ts ts;

		assert_int_equal(slick_ts_init(&ts, &transport, piece % 2 ? &plain : &chunked,
					       &usual), 0);
		fake_gives(&fake, stream, length);
		fake.recv.otherwise = (ssize_t)piece;
		assert_int_equal(read_all(&ts, &fake), MESSAGES);
		slick_ts_free(&ts);
	}
}

static void memory_comes_as_messages_need_it(void **state)
{
	static u8 frame[70100];
	const struct slick_thrift_limits limits = { .max_frame = 70000 + 30 };
	const struct slick_bs_cfg small = { .in_size = 1000, .in_limit = 2000 };
	size_t length = make_msg(frame, sizeof(frame), 9, 70000);
	struct fake fake;
	struct slick_transport transport = fake_transport(&fake, output);
	struct slick_thrift_msg msg;
	struct slick_ts ts;

	(void)state;
	assert_int_equal(slick_ts_init(&ts, &transport, &small, &limits), 0);
	assert_int_equal(ts.bs.in.size, 1000);
	assert_int_equal(ts.bs.in.limit, 70034);
	fake_gives(&fake, frame, length);
	while (slick_ts_next(&ts, &msg) == 0)
		assert_true(slick_bs_fill(&ts.bs) > 0);
	assert_int_equal(slick_ts_next(&ts, &msg), 1);
	assert_msg(&msg, 9, 70000);
	assert_int_equal(slick_bs_fill(&ts.bs), -ENOBUFS);
	slick_ts_free(&ts);
}

static void buffers_hold_a_frame_of_the_limit(void **state)
{
	const struct slick_bs_cfg at_once = {
		.in_size = 500, .in_limit = 500, .out_size = 500, .out_limit = 500,
	};
	const struct slick_bs_cfg wrong = { .in_size = 501, .in_limit = 500 };
	struct fake fake;
	struct slick_transport transport = fake_transport(&fake, output);
	struct slick_ts ts;

	(void)state;
	assert_int_equal(slick_ts_init(&ts, &transport, &plain, &usual), 0);
	assert_int_equal(ts.limits.max_frame, SLICK_THRIFT_MAX_FRAME);
	assert_int_equal(ts.bs.in.size, 65536);
	assert_int_equal(ts.bs.in.limit, SLICK_THRIFT_MAX_FRAME + 4);
	assert_int_equal(ts.bs.out.size, 65536);
	assert_int_equal(ts.bs.out.limit, SLICK_THRIFT_MAX_FRAME + 4);
	slick_ts_free(&ts);
	/* Who must not allocate later gets all of it now. */
	assert_int_equal(slick_ts_init(&ts, &transport, &at_once, &usual), 0);
	assert_int_equal(ts.bs.in.size, SLICK_THRIFT_MAX_FRAME + 4);
	assert_int_equal(ts.bs.in.limit, SLICK_THRIFT_MAX_FRAME + 4);
	assert_int_equal(ts.bs.out.size, SLICK_THRIFT_MAX_FRAME + 4);
	slick_ts_free(&ts);
	assert_int_equal(slick_ts_init(&ts, &transport, &wrong, &usual), -EINVAL);
}

static void a_broken_stream_stays_broken(void **state)
{
	const struct slick_thrift_limits limits = { .max_frame = 100 };
	struct fake fake;
	struct slick_transport transport = fake_transport(&fake, output);
	struct slick_thrift_msg msg;
	struct slick_ts ts;
	u8 stream[512];
	size_t length;

	(void)state;
	/* A good one, and then none. */
	length = make_msg(stream, sizeof(stream), 0, payloads[0]);
	memcpy(stream + length, "\0\0\0\x0dnot a message", 18);
	assert_int_equal(slick_ts_init(&ts, &transport, &plain, &limits), 0);
	fake_gives(&fake, stream, length + 18);
	assert_true(slick_bs_fill(&ts.bs) > 0);
	assert_int_equal(slick_ts_next(&ts, &msg), 1);
	slick_ts_discard(&ts, &msg);
	assert_int_equal(slick_ts_next(&ts, &msg), -EPROTO);
	make_msg(stream, sizeof(stream), 0, 0);
	fake_gives(&fake, stream, length);
	assert_true(slick_bs_fill(&ts.bs) > 0);
	assert_int_equal(slick_ts_next(&ts, &msg), -EPROTO);
	slick_ts_free(&ts);

	assert_int_equal(slick_ts_init(&ts, &transport, &plain, &limits), 0);
	make_msg(stream, sizeof(stream), 0, 71);
	fake_gives(&fake, stream, 4);
	assert_int_equal(slick_bs_fill(&ts.bs), 4);
	assert_int_equal(slick_ts_next(&ts, &msg), -EMSGSIZE);
	slick_ts_free(&ts);
}

static void writes_whole_frames(void **state)
{
	const struct slick_thrift_limits limits = { .max_frame = 100 };
	const struct slick_bs_cfg small = { .out_size = 104, .out_limit = 104 };
	struct fake fake;
	struct slick_transport transport = fake_transport(&fake, output);
	struct slick_ts ts;
	u8 frame[128];
	size_t length = make_msg(frame, sizeof(frame), 3, 40);

	(void)state;
	assert_int_equal(slick_ts_init(&ts, &transport, &small, &limits), 0);
	fake.send.otherwise = -EAGAIN;
	assert_int_equal(slick_ts_write(&ts, frame, length), 0);
	assert_int_equal(slick_ts_write(&ts, frame, length), -ENOBUFS);
	assert_int_equal(ts.messages_out, 1);
	assert_int_equal(slick_bs_waiting(&ts.bs), length);
	fake.send.otherwise = FAKE_ALL;
	assert_int_equal(slick_bs_flush(&ts.bs), 0);
	assert_memory_equal(output, frame, length);
	slick_ts_free(&ts);
}

void tsock_tests(void)
{
	const struct CMUnitTest messages[] = {
		cmocka_unit_test(a_cut_at_every_byte_changes_nothing),
		cmocka_unit_test(pieces_of_any_size_change_nothing),
		cmocka_unit_test(memory_comes_as_messages_need_it),
		cmocka_unit_test(buffers_hold_a_frame_of_the_limit),
		cmocka_unit_test(a_broken_stream_stays_broken),
		cmocka_unit_test(writes_whole_frames),
	};

	RUN_GROUP(messages);
}
