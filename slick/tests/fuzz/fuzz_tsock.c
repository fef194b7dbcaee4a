// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * A stream that is cut at any places has the same messages, and the same end, as the whole stream.
 */
#include "fuzz.h"

#include <slick/tsock.h>

#include "../fake.h"

const char *fuzz_name = "fuzz_tsock";

#define STREAM_MOST 8192

static u8 stream[STREAM_MOST], output[FAKE_OUTPUT];

static size_t copy_in(u8 *at, struct input *input, size_t length)
{
	if (length > input->left)
		length = input->left;
	memcpy(at, input->at, length);
	input->at += length;
	input->left -= length;
	return length;
}

/* Good messages, raw bytes between them, and now and then a length that is wrong by a little. */
static size_t make_stream(struct input *input)
{
	static u8 payload[600];
	size_t length = 0;

	while (input->left && length < STREAM_MOST - 800) {
		u8 what = take_u8(input);
		struct slick_thrift_writer writer;
		size_t long_payload;

		if (what < 16) {
			length += copy_in(stream + length, input, what);
			continue;
		}
		long_payload = what < 64 ? take_u16(input) % sizeof(payload) : what % 64;
		memset(payload, what, long_payload);
		copy_in(payload, input, long_payload < 8 ? long_payload : 8);
		slick_thrift_begin(&writer, stream + length, STREAM_MOST - length, "msg",
				   SLICK_THRIFT_ONEWAY, what);
		slick_thrift_put_i32(&writer, 1, what);
		slick_thrift_put_string(&writer, 2, payload, (u32)long_payload);
		must(slick_thrift_end(&writer) == (s64)(34 + long_payload));
		if (what >= 250)
			stream[length + 3] += (u8)(what - 252);
		length += 34 + long_payload;
	}
	return length;
}

static void check_sums(const struct slick_bs *bs, const struct fake *fake, size_t length,
		       size_t taken)
{
	must(bs->in.head <= bs->in.tail && bs->in.tail <= bs->in.size);
	must(bs->in.size <= bs->in.limit);
	must(bs->in.tail || !bs->in.head);
	must(bs->received == length - fake->input_length);
	must(taken + slick_buf_used(&bs->in) == bs->received);
}

/* The next message of the cut stream must be the one at `at` of the whole one. */
static int compare(struct slick_ts *ts, size_t *at, size_t received)
{
	struct slick_thrift_msg cut, whole;
	int ret = slick_ts_next(ts, &cut);

	must(slick_thrift_parse(stream + *at, received - *at, &ts->limits, &whole) == ret);
	if (ret != 1)
		return ret;
	must(cut.frame_length == whole.frame_length);
	must(!memcmp(cut.frame, whole.frame, cut.frame_length));
	must(cut.name_length == whole.name_length && cut.body_length == whole.body_length);
	must(cut.kind == whole.kind && cut.sequence == whole.sequence);
	slick_ts_discard(ts, &cut);
	*at += cut.frame_length;
	return 1;
}

static void read_cut(struct slick_ts *ts, struct fake *fake, struct input cuts, size_t length)
{
	size_t at = 0;
	int ret = 0;

	for (;;) {
		u8 cut = cuts.left ? take_u8(&cuts) : 0;
		ssize_t got;

		fake->recv.otherwise = cut ? cut : FAKE_ALL;
		got = slick_bs_fill(&ts->bs);
		if (got == -EAGAIN)
			break;
		/* A buffer is full only with a frame in it, which the loop below takes. */
		must(got > 0);
		while ((ret = compare(ts, &at, ts->bs.received)) == 1)
			fuzz_good++;
		fuzz_frames += ret < 0;
		check_sums(&ts->bs, fake, length, at);
		if (ret < 0)
			break;
	}
	fuzz_frames += ts->messages_in;
	if (ret == 0)
		must(ts->bs.received == length);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input input = { data, size }, cuts;
	struct slick_thrift_limits limits = { 0 };
	struct slick_bs_cfg cfg = { 0 };
	struct slick_transport transport;
	struct slick_ts ts;
	struct fake fake;
	size_t length;
	u8 how;

	how = take_u8(&input);
	limits.max_frame = how & 1 ? 30 + take_u16(&input) % 1000 : 0;
	cfg.chunk = how & 2 ? take_u8(&input) : 0;
	cfg.in_size = how & 4 ? 1 + take_u16(&input) % 2000 : 0;
	cuts.left = take_u8(&input) % 64;
	if (cuts.left > input.left)
		cuts.left = input.left;
	cuts.at = input.at;
	input.at += cuts.left;
	input.left -= cuts.left;
	length = make_stream(&input);
	transport = fake_transport(&fake, output);
	must(slick_ts_init(&ts, &transport, &cfg, &limits) == 0);
	fake_gives(&fake, stream, length);
	read_cut(&ts, &fake, cuts, length);
	slick_ts_free(&ts);
	return 0;
}
