// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What goes out: at once, kept, corked, all or nothing, and the end of it. */
#include "unit.h"

#include <slick/bsock.h>

#include "../fake.h"

static u8 output[FAKE_OUTPUT];

static void begin(struct slick_bs *bs, struct fake *fake, size_t size, size_t limit)
{
	struct slick_bs_cfg cfg = { .out_size = size, .out_limit = limit };
	struct slick_transport transport = fake_transport(fake, output);

	assert_int_equal(slick_bs_init(bs, &transport, &cfg), 0);
}

#define assert_sent(fake, text)								\
	do {										\
		assert_int_equal((fake).output_length, strlen(text));			\
		assert_memory_equal((fake).output, text, strlen(text));			\
	} while (0)

static void sends_from_where_the_bytes_are(void **state)
{
	const char *text = "abcdef";
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0);
	assert_int_equal(slick_bs_write(&bs, text, 6), 6);
	assert_ptr_equal(fake.sent_from, text);
	assert_int_equal(slick_bs_write_all(&bs, text, 6), 0);
	assert_ptr_equal(fake.sent_from, text);
	assert_sent(fake, "abcdefabcdef");
	assert_int_equal(bs.sent, 12);
	assert_int_equal(bs.flushes, 2);
	assert_int_equal(slick_bs_waiting(&bs), 0);
	assert_int_equal(bs.out.tail, 0);
	/* Nothing changed, so nobody was told anything. */
	assert_int_equal(fake.wants, 1);
	slick_bs_free(&bs);
}

static void keeps_what_was_not_taken(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0);
	fake_then(&fake.send, 2);
	assert_int_equal(slick_bs_write(&bs, "abcdef", 6), 6);
	assert_sent(fake, "ab");
	assert_int_equal(slick_bs_waiting(&bs), 4);
	assert_int_equal(fake.wanted, SLICK_READ | SLICK_WRITE);
	/* Behind bytes that wait nothing is tried before the transport says that it can. */
	assert_int_equal(slick_bs_write(&bs, "gh", 2), 2);
	assert_int_equal(slick_bs_write_all(&bs, "ij", 2), 0);
	assert_int_equal(fake.sends, 1);
	assert_int_equal(fake.wants, 2);
	fake_then(&fake.send, 3);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	fake_then(&fake.send, -EAGAIN);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	assert_int_equal(fake.wants, 2);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_sent(fake, "abcdefghij");
	assert_int_equal(fake.wanted, SLICK_READ);
	assert_int_equal(fake.wants, 3);
	assert_int_equal(fake.sends, 4);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_int_equal(fake.sends, 4);
	slick_bs_free(&bs);
}

static void a_full_transport_costs_nothing_but_the_copy(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0);
	fake_then(&fake.send, -EAGAIN);
	assert_int_equal(slick_bs_write_all(&bs, "abc", 3), 0);
	assert_int_equal(slick_bs_waiting(&bs), 3);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_sent(fake, "abc");
	slick_bs_free(&bs);
}

static void writes_what_fits(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 4, 8);
	fake_then(&fake.send, 3);
	assert_int_equal(slick_bs_write(&bs, "abcdefghijklmnop", 16), 11);
	assert_int_equal(slick_bs_waiting(&bs), 8);
	assert_int_equal(slick_bs_write(&bs, "x", 1), -ENOBUFS);
	assert_int_equal(slick_bs_write(&bs, "x", 0), 0);
	fake_then(&fake.send, 2);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	assert_int_equal(slick_bs_write(&bs, "xyz", 3), 2);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_sent(fake, "abcdefghijkxy");
	slick_bs_free(&bs);
}

static void writes_all_or_nothing(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 4, 8);
	/* Whether the transport would take all is not known before: what may not fit is refused. */
	assert_int_equal(slick_bs_write_all(&bs, "abcdefghi", 9), -ENOBUFS);
	assert_int_equal(fake.sends, 0);
	fake_then(&fake.send, 1);
	assert_int_equal(slick_bs_write_all(&bs, "abcdefgh", 8), 0);
	assert_int_equal(slick_bs_waiting(&bs), 7);
	assert_int_equal(slick_bs_write_all(&bs, "ij", 2), -ENOBUFS);
	assert_int_equal(slick_bs_waiting(&bs), 7);
	assert_int_equal(slick_bs_write_all(&bs, "", SIZE_MAX), -ENOBUFS);
	assert_int_equal(slick_bs_write_all(&bs, "i", 1), 0);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_sent(fake, "abcdefghi");
	slick_bs_free(&bs);
}

static void refused_memory_takes_nothing(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 4, 100);
	allocations_left = 0;
	assert_int_equal(slick_bs_write_all(&bs, "abcdef", 6), -ENOMEM);
	assert_int_equal(fake.sends, 0);
	slick_bs_cork(&bs);
	assert_int_equal(slick_bs_write(&bs, "abcdef", 6), -ENOMEM);
	assert_int_equal(slick_bs_flush(&bs), 0);
	/* What was sent was taken, even where the rest cannot be kept. */
	fake_then(&fake.send, 1);
	assert_int_equal(slick_bs_write(&bs, "abcdef", 6), 1);
	allocations_left = -1;
	assert_int_equal(slick_bs_write(&bs, "bcdef", 5), 5);
	assert_sent(fake, "abcdef");
	assert_int_equal(bs.error, 0);
	slick_bs_free(&bs);
}

static void a_cork_makes_one_send_of_many_writes(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	int i;

	(void)state;
	begin(&bs, &fake, 0, 0);
	slick_bs_cork(&bs);
	for (i = 0; i < 100; i++)
		assert_int_equal(slick_bs_write_all(&bs, "x", 1), 0);
	assert_int_equal(slick_bs_write(&bs, "y", 1), 1);
	assert_int_equal(fake.sends, 0);
	assert_int_equal(fake.wants, 1);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_int_equal(fake.sends, 1);
	assert_int_equal(fake.output_length, 101);
	assert_int_equal(fake.wants, 1);
	/* The cork is out. */
	assert_int_equal(slick_bs_write(&bs, "z", 1), 1);
	assert_int_equal(fake.sends, 2);
	slick_bs_free(&bs);
}

static void a_cork_does_not_take_back_a_wish_to_write(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0);
	fake_then(&fake.send, 1);
	assert_int_equal(slick_bs_write(&bs, "abc", 3), 3);
	slick_bs_cork(&bs);
	slick_bs_pause(&bs, true);
	assert_int_equal(fake.wanted, SLICK_WRITE);
	assert_int_equal(slick_bs_write(&bs, "def", 3), 3);
	fake_then(&fake.send, 3);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	assert_int_equal(fake.wanted, SLICK_WRITE);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_sent(fake, "abcdef");
	slick_bs_free(&bs);
}

static void an_error_drops_what_waits(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0);
	fake_then(&fake.send, 1);
	fake_then(&fake.send, -EPIPE);
	assert_int_equal(slick_bs_write(&bs, "abc", 3), 3);
	assert_int_equal(slick_bs_flush(&bs), -EPIPE);
	assert_int_equal(bs.error, -EPIPE);
	assert_int_equal(slick_bs_waiting(&bs), 0);
	assert_int_equal(fake.wanted, 0);
	assert_int_equal(slick_bs_flush(&bs), -EPIPE);
	assert_int_equal(fake.sends, 2);
	slick_bs_free(&bs);

	begin(&bs, &fake, 0, 0);
	fake_then(&fake.send, -ECONNRESET);
	assert_int_equal(slick_bs_write(&bs, "abc", 3), -ECONNRESET);
	assert_int_equal(slick_bs_write(&bs, "abc", 3), -ECONNRESET);
	slick_bs_free(&bs);

	begin(&bs, &fake, 0, 0);
	fake_then(&fake.send, -ETIMEDOUT);
	assert_int_equal(slick_bs_write_all(&bs, "abc", 3), -ETIMEDOUT);
	assert_int_equal(fake.sends, 1);
	slick_bs_free(&bs);
}

static void shuts_behind_what_waits(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0);
	fake_then(&fake.send, 1);
	fake_then(&fake.send, 1);
	assert_int_equal(slick_bs_write(&bs, "abc", 3), 3);
	slick_bs_shut(&bs);
	slick_bs_shut(&bs);
	assert_int_equal(fake.shuts, 0);
	assert_int_equal(slick_bs_write(&bs, "x", 1), -EPIPE);
	assert_int_equal(slick_bs_write_all(&bs, "x", 1), -EPIPE);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	assert_int_equal(fake.shuts, 0);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_int_equal(fake.shuts, 1);
	assert_sent(fake, "abc");
	assert_int_equal(slick_bs_write(&bs, "x", 1), -EPIPE);
	/* The other direction lives. */
	assert_int_equal(fake.wanted, SLICK_READ);
	fake_gives(&fake, "q", 1);
	assert_int_equal(slick_bs_fill(&bs), 1);
	slick_bs_shut(&bs);
	assert_int_equal(fake.shuts, 1);
	slick_bs_free(&bs);
}

static void shuts_at_once_where_nothing_waits(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 0, 0);
	slick_bs_shut(&bs);
	assert_int_equal(fake.shuts, 1);
	assert_int_equal(slick_bs_write(&bs, "x", 1), -EPIPE);
	slick_bs_free(&bs);

	begin(&bs, &fake, 0, 0);
	slick_bs_cork(&bs);
	assert_int_equal(slick_bs_write(&bs, "abc", 3), 3);
	slick_bs_shut(&bs);
	assert_sent(fake, "abc");
	assert_int_equal(fake.shuts, 1);
	slick_bs_free(&bs);
}

void bsock_write_tests(void)
{
	const struct CMUnitTest writing[] = {
		cmocka_unit_test(sends_from_where_the_bytes_are),
		cmocka_unit_test(keeps_what_was_not_taken),
		cmocka_unit_test(a_full_transport_costs_nothing_but_the_copy),
		cmocka_unit_test(writes_what_fits),
		cmocka_unit_test(writes_all_or_nothing),
		cmocka_unit_test(refused_memory_takes_nothing),
		cmocka_unit_test(a_cork_makes_one_send_of_many_writes),
		cmocka_unit_test(a_cork_does_not_take_back_a_wish_to_write),
		cmocka_unit_test(an_error_drops_what_waits),
		cmocka_unit_test(shuts_behind_what_waits),
		cmocka_unit_test(shuts_at_once_where_nothing_waits),
	};

	RUN_GROUP(writing);
}
