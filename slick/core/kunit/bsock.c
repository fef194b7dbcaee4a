// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* BufferedSocket and ThriftSocket over a transport that does what a script says. */
#include <slick/tsock.h>

#include <fake.h>

#include "kunit.h"

static u8 output[FAKE_OUTPUT];

static void begin(struct kunit *test, struct slick_bs *bs, struct fake *fake)
{
	const struct slick_bs_cfg cfg = { .out_size = 64, .out_limit = 64 };
	struct slick_transport transport = fake_transport(fake, output);

	KUNIT_ASSERT_EQ(test, slick_bs_init(bs, &transport, &cfg), 0);
	KUNIT_EXPECT_EQ(test, fake->wanted, SLICK_READ);
}

static void reads_until_the_end(struct kunit *test)
{
	struct slick_bs bs;
	struct fake fake;
	size_t length;

	begin(test, &bs, &fake);
	fake_gives(&fake, "abc", 3);
	KUNIT_EXPECT_EQ(test, slick_bs_fill(&bs), 3);
	KUNIT_EXPECT_EQ(test, slick_bs_fill(&bs), -EAGAIN);
	fake_then(&fake.recv, 0);
	fake.recv.at = 0;
	KUNIT_EXPECT_EQ(test, slick_bs_fill(&bs), 0);
	KUNIT_EXPECT_TRUE(test, bs.eof);
	KUNIT_EXPECT_EQ(test, fake.wanted, 0u);
	KUNIT_EXPECT_EQ(test, memcmp(slick_bs_peek(&bs, &length), "abc", 3), 0);
	slick_bs_free(&bs);
}

static void sends_at_once_or_keeps(struct kunit *test)
{
	struct slick_bs bs;
	struct fake fake;

	begin(test, &bs, &fake);
	KUNIT_EXPECT_EQ(test, slick_bs_write_all(&bs, "abc", 3), 0);
	KUNIT_EXPECT_EQ(test, fake.sends, 1u);
	fake_then(&fake.send, 1);
	fake.send.at = 0;
	KUNIT_EXPECT_EQ(test, slick_bs_write_all(&bs, "def", 3), 0);
	KUNIT_EXPECT_EQ(test, fake.wanted, SLICK_READ | SLICK_WRITE);
	KUNIT_EXPECT_EQ(test, slick_bs_waiting(&bs), (size_t)2);
	KUNIT_EXPECT_EQ(test, slick_bs_flush(&bs), 0);
	KUNIT_EXPECT_EQ(test, fake.wanted, SLICK_READ);
	KUNIT_EXPECT_EQ(test, memcmp(output, "abcdef", 6), 0);
	slick_bs_free(&bs);
}

static unsigned int told[2];

static void mark(struct slick_bs *bs, bool full, void *data)
{
	told[full]++;
}

static void tells_of_the_marks(struct kunit *test)
{
	struct slick_bs bs;
	struct fake fake;

	told[0] = 0;
	told[1] = 0;
	begin(test, &bs, &fake);
	KUNIT_EXPECT_EQ(test, slick_bs_watermarks(&bs, 5, 2, mark, NULL), 0);
	slick_bs_cork(&bs);
	KUNIT_EXPECT_EQ(test, slick_bs_write(&bs, "abcde", 5), 5);
	KUNIT_EXPECT_EQ(test, told[1], 0u);
	KUNIT_EXPECT_EQ(test, slick_bs_write(&bs, "f", 1), 1);
	KUNIT_EXPECT_EQ(test, told[1], 1u);
	fake_then(&fake.send, 3);
	KUNIT_EXPECT_EQ(test, slick_bs_flush(&bs), -EAGAIN);
	KUNIT_EXPECT_EQ(test, told[0], 0u);
	fake_then(&fake.send, 1);
	KUNIT_EXPECT_EQ(test, slick_bs_flush(&bs), -EAGAIN);
	KUNIT_EXPECT_EQ(test, told[0], 1u);
	slick_bs_free(&bs);
}

static void dies_with_its_transport(struct kunit *test)
{
	struct slick_bs bs;
	struct fake fake;

	begin(test, &bs, &fake);
	fake_then(&fake.send, -EPIPE);
	KUNIT_EXPECT_EQ(test, slick_bs_write_all(&bs, "abc", 3), -EPIPE);
	KUNIT_EXPECT_EQ(test, slick_bs_fill(&bs), -EPIPE);
	KUNIT_EXPECT_EQ(test, fake.wanted, 0u);
	slick_bs_shut(&bs);
	KUNIT_EXPECT_EQ(test, fake.shuts, 0u);
	slick_bs_free(&bs);
}

static void forwards_whole_messages(struct kunit *test)
{
	const struct slick_thrift_limits limits = { .max_frame = 100 };
	const struct slick_bs_cfg cfg = { .out_size = 104, .out_limit = 104 };
	struct slick_thrift_writer writer;
	struct slick_thrift_msg msg;
	struct slick_transport transport;
	/* Too much for the stack. */
	static struct slick_ts from, to;
	static struct fake source, sink;
	u8 stream[120];
	s64 length;

	slick_thrift_begin(&writer, stream, 60, "msg", SLICK_THRIFT_ONEWAY, 0);
	slick_thrift_put_string(&writer, 2, "0123456789012345678901234567", 28);
	length = slick_thrift_end(&writer);
	KUNIT_ASSERT_EQ(test, length, 55ll);
	memcpy(stream + length, stream, length);
	transport = fake_transport(&source, output);
	KUNIT_ASSERT_EQ(test, slick_ts_init(&from, &transport, &cfg, &limits), 0);
	transport = fake_transport(&sink, output);
	KUNIT_ASSERT_EQ(test, slick_ts_init(&to, &transport, &cfg, &limits), 0);
	sink.send.otherwise = -EAGAIN;
	fake_gives(&source, stream, 110);
	KUNIT_EXPECT_EQ(test, slick_bs_fill(&from.bs), 110);
	KUNIT_EXPECT_EQ(test, slick_ts_next(&from, &msg), 1);
	KUNIT_EXPECT_EQ(test, slick_ts_forward(&from, &to, &msg), 0);
	KUNIT_EXPECT_EQ(test, slick_ts_next(&from, &msg), 1);
	KUNIT_EXPECT_EQ(test, slick_ts_forward(&from, &to, &msg), -EAGAIN);
	sink.send.otherwise = FAKE_ALL;
	KUNIT_EXPECT_EQ(test, slick_bs_flush(&to.bs), 0);
	KUNIT_EXPECT_EQ(test, slick_ts_forward(&from, &to, &msg), 0);
	KUNIT_EXPECT_EQ(test, sink.output_length, (size_t)110);
	KUNIT_EXPECT_EQ(test, memcmp(output, stream, 110), 0);
	slick_ts_free(&from);
	slick_ts_free(&to);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(reads_until_the_end),
	KUNIT_CASE(sends_at_once_or_keeps),
	KUNIT_CASE(tells_of_the_marks),
	KUNIT_CASE(dies_with_its_transport),
	KUNIT_CASE(forwards_whole_messages),
	{ }
};

struct kunit_suite slick_bsock_suite = {
	.name = "slick_bsock",
	.test_cases = cases,
};
