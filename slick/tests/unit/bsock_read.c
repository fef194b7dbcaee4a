// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What comes in: filling, looking, taking, the end, pausing. */
#include "unit.h"

#include <slick/bsock.h>

#include "../fake.h"

static u8 output[FAKE_OUTPUT];

static void begin(struct slick_bs *bs, struct fake *fake, size_t size, size_t limit, size_t chunk)
{
	struct slick_bs_cfg cfg = { .in_size = size, .in_limit = limit, .chunk = chunk };
	struct slick_transport transport = fake_transport(fake, output);

	assert_int_equal(slick_bs_init(bs, &transport, &cfg), 0);
}

static void wants_to_read_at_the_start(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0, 0);
	assert_int_equal(fake.wanted, SLICK_READ);
	assert_int_equal(fake.wants, 1);
	assert_int_equal(bs.in.size, 65536);
	assert_int_equal(bs.in.limit, 65536);
	assert_int_equal(bs.out.size, 65536);
	assert_int_equal(bs.out.limit, 1 << 20);
	slick_bs_free(&bs);
}

static void without_a_transport_nothing_is_told_before_it_comes(void **state)
{
	struct slick_bs_cfg cfg = { 0 };
	struct slick_bs bs;
	struct fake fake;
	struct slick_transport transport = fake_transport(&fake, output);

	(void)state;
	assert_int_equal(slick_bs_init(&bs, NULL, &cfg), 0);
	slick_bs_pause(&bs, true);
	slick_bs_pause(&bs, false);
	slick_bs_attach(&bs, &transport);
	assert_int_equal(fake.wants, 1);
	assert_int_equal(fake.wanted, SLICK_READ);
	slick_bs_free(&bs);
}

static void sizes_and_limits_go_together(void **state)
{
	struct slick_bs_cfg wrong_in = { .in_size = 10, .in_limit = 9 };
	struct slick_bs_cfg wrong_out = { .out_size = 10, .out_limit = 9 };
	struct slick_bs_cfg sizes = { .in_size = 100000, .out_size = 2 << 20 };
	struct slick_bs_cfg limits = { .in_limit = 5, .out_limit = 6 };
	struct slick_bs bs;
	struct fake fake;
	struct slick_transport transport = fake_transport(&fake, output);

	(void)state;
	assert_int_equal(slick_bs_init(&bs, &transport, &wrong_in), -EINVAL);
	assert_int_equal(slick_bs_init(&bs, &transport, &wrong_out), -EINVAL);
	assert_int_equal(fake.wants, 0);
	assert_int_equal(slick_bs_init(&bs, &transport, &sizes), 0);
	assert_int_equal(bs.in.limit, 100000);
	assert_int_equal(bs.out.limit, 2 << 20);
	slick_bs_free(&bs);
	assert_int_equal(slick_bs_init(&bs, &transport, &limits), 0);
	assert_int_equal(bs.in.size, 5);
	assert_int_equal(bs.out.size, 6);
	slick_bs_free(&bs);
	allocations_left = 1;
	assert_int_equal(slick_bs_init(&bs, &transport, &limits), -ENOMEM);
	allocations_left = -1;
}

static void shows_what_came_and_takes_what_was_asked(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	const u8 *bytes;
	size_t length;
	u8 taken[8];

	(void)state;
	begin(&bs, &fake, 0, 0, 0);
	fake_gives(&fake, "abcdefghij", 10);
	fake_then(&fake.recv, 4);
	assert_int_equal(slick_bs_fill(&bs), 4);
	assert_int_equal(slick_bs_fill(&bs), 6);
	assert_int_equal(slick_bs_fill(&bs), -EAGAIN);
	assert_int_equal(fake.recvs, 3);
	assert_int_equal(bs.fills, 3);
	assert_int_equal(bs.received, 10);
	bytes = slick_bs_peek(&bs, &length);
	assert_int_equal(length, 10);
	assert_memory_equal(bytes, "abcdefghij", 10);
	slick_bs_discard(&bs, 3);
	assert_int_equal(slick_bs_read(&bs, taken, 2), 2);
	assert_memory_equal(taken, "de", 2);
	assert_int_equal(slick_bs_read(&bs, taken, 8), 5);
	assert_memory_equal(taken, "fghij", 5);
	assert_int_equal(slick_bs_read(&bs, taken, 8), 0);
	slick_bs_peek(&bs, &length);
	assert_int_equal(length, 0);
	assert_int_equal(fake.wants, 1);
	slick_bs_free(&bs);
}

static void asks_for_a_chunk(void **state)
{
	static const u8 zeros[1000];
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 100, 100, 32);
	fake_gives(&fake, zeros, sizeof(zeros));
	assert_int_equal(slick_bs_fill(&bs), 32);
	assert_int_equal(fake.asked, 32);
	assert_int_equal(slick_bs_fill(&bs), 32);
	assert_int_equal(slick_bs_fill(&bs), 32);
	/* What fits, where the chunk does not. */
	assert_int_equal(slick_bs_fill(&bs), 4);
	assert_int_equal(slick_bs_fill(&bs), -ENOBUFS);
	assert_int_equal(fake.recvs, 4);
	slick_bs_discard(&bs, 50);
	assert_int_equal(slick_bs_fill(&bs), 32);
	slick_bs_free(&bs);
}

/* A few bytes that are left over stay where they are, as long as there is room behind them. */
static void does_not_move_leftovers_for_nothing(void **state)
{
	static u8 bytes[70000];
	struct slick_bs bs;
	struct fake fake;
	size_t head;

	(void)state;
	begin(&bs, &fake, 65536, 65536, 0);
	fill_pattern(bytes, sizeof(bytes), 0);
	fake_gives(&fake, bytes, sizeof(bytes));
	fake_then(&fake.recv, 1000);
	assert_int_equal(slick_bs_fill(&bs), 1000);
	slick_bs_discard(&bs, 990);
	head = bs.in.head;
	fake_then(&fake.recv, 60000);
	assert_int_equal(slick_bs_fill(&bs), 60000);
	assert_int_equal(bs.in.head, head);
	slick_bs_discard(&bs, 60000);
	/* Now what is behind is not worth a call. */
	assert_int_equal(slick_bs_fill(&bs), 9000);
	assert_int_equal(bs.in.head, 0);
	assert_int_equal(fake.asked, 65536 - 10);
	assert_pattern(slick_buf_peek(&bs.in), 9010, 60990);
	slick_bs_free(&bs);
}

static void grows_for_who_waits_for_more(void **state)
{
	static u8 bytes[200000];
	struct slick_bs bs;
	struct fake fake;
	size_t length;

	(void)state;
	begin(&bs, &fake, 1024, 100000, 0);
	fill_pattern(bytes, sizeof(bytes), 0);
	fake_gives(&fake, bytes, sizeof(bytes));
	/* The few bytes that are left would not be worth a call. */
	fake_then(&fake.recv, 1000);
	assert_int_equal(slick_bs_fill(&bs), 1000);
	assert_int_equal(slick_bs_fill(&bs), 1024);
	assert_int_equal(fake.asked, 1024);
	while (slick_bs_fill(&bs) > 0)
		;
	assert_pattern(slick_bs_peek(&bs, &length), length, 0);
	assert_int_equal(length, 100000);
	assert_int_equal(bs.in.size, 100000);
	assert_int_equal(slick_bs_fill(&bs), -ENOBUFS);
	assert_true(fake.recvs < 20);
	slick_bs_free(&bs);
}

static void says_when_there_is_no_memory(void **state)
{
	static const u8 zeros[1000];
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 16, 1000, 0);
	fake_gives(&fake, zeros, sizeof(zeros));
	assert_int_equal(slick_bs_fill(&bs), 16);
	allocations_left = 0;
	assert_int_equal(slick_bs_fill(&bs), -ENOMEM);
	allocations_left = -1;
	assert_int_equal(bs.error, 0);
	assert_int_equal(slick_bs_fill(&bs), 16);
	slick_bs_free(&bs);
}

static void the_end_comes_behind_the_bytes_and_stays(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	size_t length;

	(void)state;
	begin(&bs, &fake, 0, 0, 0);
	fake_gives(&fake, "ab", 2);
	fake_then(&fake.recv, 2);
	fake_then(&fake.recv, 0);
	assert_int_equal(slick_bs_fill(&bs), 2);
	assert_int_equal(slick_bs_fill(&bs), 0);
	assert_true(bs.eof);
	/* The end holds for ever: to want it would be told of without pause. */
	assert_int_equal(fake.wanted, 0);
	assert_int_equal(slick_bs_fill(&bs), 0);
	assert_int_equal(fake.recvs, 2);
	slick_bs_peek(&bs, &length);
	assert_int_equal(length, 2);
	assert_int_equal(slick_bs_write(&bs, "x", 1), 1);
	slick_bs_pause(&bs, false);
	assert_int_equal(fake.wanted, 0);
	slick_bs_free(&bs);
}

static void an_error_stays(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	size_t length;

	(void)state;
	begin(&bs, &fake, 0, 0, 0);
	fake_gives(&fake, "ab", 2);
	fake_then(&fake.recv, 2);
	fake_then(&fake.recv, -ECONNRESET);
	assert_int_equal(slick_bs_fill(&bs), 2);
	assert_int_equal(slick_bs_fill(&bs), -ECONNRESET);
	assert_int_equal(slick_bs_fill(&bs), -ECONNRESET);
	assert_int_equal(slick_bs_write(&bs, "x", 1), -ECONNRESET);
	assert_int_equal(slick_bs_write_all(&bs, "x", 1), -ECONNRESET);
	assert_int_equal(slick_bs_flush(&bs), -ECONNRESET);
	assert_int_equal(fake.recvs, 2);
	assert_int_equal(fake.sends, 0);
	assert_int_equal(fake.wanted, 0);
	slick_bs_shut(&bs);
	assert_int_equal(fake.shuts, 0);
	slick_bs_peek(&bs, &length);
	assert_int_equal(length, 2);
	slick_bs_free(&bs);
}

static void a_pause_stops_the_wish_to_read(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0, 0);
	slick_bs_pause(&bs, true);
	assert_int_equal(fake.wanted, 0);
	slick_bs_pause(&bs, true);
	assert_int_equal(fake.wants, 2);
	/* Writing goes on meanwhile. */
	fake_then(&fake.send, -EAGAIN);
	assert_int_equal(slick_bs_write(&bs, "x", 1), 1);
	assert_int_equal(fake.wanted, SLICK_WRITE);
	slick_bs_pause(&bs, false);
	assert_int_equal(fake.wanted, SLICK_READ | SLICK_WRITE);
	assert_int_equal(fake.wants, 4);
	slick_bs_free(&bs);
}

void bsock_read_tests(void)
{
	const struct CMUnitTest reading[] = {
		cmocka_unit_test(wants_to_read_at_the_start),
		cmocka_unit_test(without_a_transport_nothing_is_told_before_it_comes),
		cmocka_unit_test(sizes_and_limits_go_together),
		cmocka_unit_test(shows_what_came_and_takes_what_was_asked),
		cmocka_unit_test(asks_for_a_chunk),
		cmocka_unit_test(does_not_move_leftovers_for_nothing),
		cmocka_unit_test(grows_for_who_waits_for_more),
		cmocka_unit_test(says_when_there_is_no_memory),
		cmocka_unit_test(the_end_comes_behind_the_bytes_and_stays),
		cmocka_unit_test(an_error_stays),
		cmocka_unit_test(a_pause_stops_the_wish_to_read),
	};

	RUN_GROUP(reading);
}
