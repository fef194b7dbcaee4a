// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The marks: told once on the way up, once on the way down, and never forgotten. */
#include "unit.h"

#include <slick/bsock.h>

#include "../fake.h"

static u8 output[FAKE_OUTPUT];

struct seen {
	unsigned int calls;
	bool full;
	const char *writes;	/* what mark(false) writes */
};

static void mark(struct slick_bs *bs, bool full, void *data)
{
	struct seen *seen = data;

	assert_true(seen->calls == 0 || seen->full != full);
	assert_int_equal(bs->full, full);
	seen->calls++;
	seen->full = full;
	if (!full && seen->writes)
		slick_bs_write_all(bs, seen->writes, strlen(seen->writes));
}

static void begin(struct slick_bs *bs, struct fake *fake, struct seen *seen, size_t limit,
		  size_t high, size_t low)
{
	struct slick_bs_cfg cfg = { .out_size = limit, .out_limit = limit };
	struct slick_transport transport = fake_transport(fake, output);

	memset(seen, 0, sizeof(*seen));
	assert_int_equal(slick_bs_init(bs, &transport, &cfg), 0);
	assert_int_equal(slick_bs_watermarks(bs, high, low, mark, seen), 0);
	assert_int_equal(seen->calls, 0);
	fake->send.otherwise = -EAGAIN;
}

static void the_marks_have_hysteresis(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	struct seen seen;

	(void)state;
	begin(&bs, &fake, &seen, 100, 10, 4);
	assert_int_equal(slick_bs_write_all(&bs, "0123456789", 10), 0);
	assert_int_equal(seen.calls, 0);
	assert_int_equal(slick_bs_write(&bs, "a", 1), 1);
	assert_int_equal(seen.calls, 1);
	assert_true(seen.full);
	assert_int_equal(slick_bs_write(&bs, "b", 1), 1);
	assert_int_equal(seen.calls, 1);
	fake_then(&fake.send, 7);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	assert_int_equal(slick_bs_waiting(&bs), 5);
	assert_int_equal(seen.calls, 1);
	fake_then(&fake.send, 1);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	assert_int_equal(seen.calls, 2);
	assert_false(seen.full);
	/* Up to the high mark again without a word. */
	assert_int_equal(slick_bs_write(&bs, "cdefgh", 6), 6);
	assert_int_equal(seen.calls, 2);
	assert_int_equal(slick_bs_write(&bs, "i", 1), 1);
	assert_int_equal(seen.calls, 3);
	slick_bs_free(&bs);
}

static void what_is_sent_at_once_never_marks(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	struct seen seen;

	(void)state;
	begin(&bs, &fake, &seen, 100, 1, 0);
	fake.send.otherwise = FAKE_ALL;
	assert_int_equal(slick_bs_write_all(&bs, "0123456789", 10), 0);
	assert_int_equal(slick_bs_write(&bs, "0123456789", 10), 10);
	assert_int_equal(seen.calls, 0);
	slick_bs_free(&bs);
}

static void corked_bytes_count(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	struct seen seen;

	(void)state;
	begin(&bs, &fake, &seen, 100, 5, 0);
	slick_bs_cork(&bs);
	assert_int_equal(slick_bs_write(&bs, "abcdef", 6), 6);
	assert_int_equal(seen.calls, 1);
	fake.send.otherwise = FAKE_ALL;
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_int_equal(seen.calls, 2);
	slick_bs_free(&bs);
}

/* Else the source would wait for a mark that was never passed. */
static void no_room_is_told_as_full(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	struct seen seen;

	(void)state;
	begin(&bs, &fake, &seen, 16, 15, 4);
	assert_int_equal(slick_bs_write_all(&bs, "abcdefghij", 10), 0);
	assert_int_equal(seen.calls, 0);
	assert_int_equal(slick_bs_write_all(&bs, "klmnopq", 7), -ENOBUFS);
	assert_int_equal(seen.calls, 1);
	assert_true(seen.full);
	fake_then(&fake.send, FAKE_ALL);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_int_equal(seen.calls, 2);
	assert_int_equal(slick_bs_write_all(&bs, "klmnopq", 7), 0);
	slick_bs_free(&bs);

	/* A part that fits, and a mark as high as the limit. */
	begin(&bs, &fake, &seen, 16, 16, 4);
	assert_int_equal(slick_bs_write(&bs, "abcdefghijklmnopqrst", 20), 16);
	assert_int_equal(seen.calls, 1);
	slick_bs_free(&bs);

	/* Where nothing waits no call would follow: then it is just too long. */
	begin(&bs, &fake, &seen, 16, 8, 4);
	assert_int_equal(slick_bs_write_all(&bs, "abcdefghijklmnopqrst", 20), -ENOBUFS);
	assert_int_equal(seen.calls, 0);
	slick_bs_free(&bs);
}

static void death_lets_the_sources_go(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	struct seen seen;

	(void)state;
	begin(&bs, &fake, &seen, 100, 5, 2);
	assert_int_equal(slick_bs_write(&bs, "abcdefgh", 8), 8);
	assert_true(seen.full);
	seen.writes = "x";
	fake_then(&fake.recv, -ECONNRESET);
	assert_int_equal(slick_bs_fill(&bs), -ECONNRESET);
	assert_int_equal(seen.calls, 2);
	assert_false(seen.full);
	assert_int_equal(slick_bs_waiting(&bs), 0);
	slick_bs_free(&bs);
}

static void a_mark_may_write_again(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	struct seen seen;

	(void)state;
	begin(&bs, &fake, &seen, 100, 5, 2);
	assert_int_equal(slick_bs_write(&bs, "abcdefgh", 8), 8);
	seen.writes = "ijklmnopq";
	fake_then(&fake.send, 6);
	assert_int_equal(slick_bs_flush(&bs), -EAGAIN);
	/* Down and up again, within the one flush. */
	assert_int_equal(seen.calls, 3);
	assert_true(seen.full);
	assert_int_equal(slick_bs_waiting(&bs), 11);
	assert_int_equal(fake.wanted, SLICK_READ | SLICK_WRITE);
	slick_bs_free(&bs);
}

static void marks_can_be_moved(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	struct seen seen;

	(void)state;
	begin(&bs, &fake, &seen, 100, 0, 0);
	assert_int_equal(slick_bs_write(&bs, "abcdefghij", 10), 10);
	assert_int_equal(seen.calls, 0);
	assert_int_equal(slick_bs_watermarks(&bs, 5, 3, mark, &seen), 0);
	assert_int_equal(seen.calls, 1);
	assert_int_equal(slick_bs_watermarks(&bs, 20, 12, mark, &seen), 0);
	assert_int_equal(seen.calls, 2);
	assert_int_equal(slick_bs_watermarks(&bs, 5, 3, mark, &seen), 0);
	assert_int_equal(slick_bs_watermarks(&bs, 0, 0, mark, &seen), 0);
	assert_int_equal(seen.calls, 4);
	assert_false(seen.full);
	assert_int_equal(slick_bs_watermarks(&bs, 3, 4, mark, &seen), -EINVAL);
	assert_int_equal(slick_bs_watermarks(&bs, 200, 100, mark, &seen), -EINVAL);
	assert_int_equal(bs.high, 0);
	/* Without a function the state is kept all the same. */
	assert_int_equal(slick_bs_watermarks(&bs, 5, 3, NULL, NULL), 0);
	assert_true(bs.full);
	slick_bs_free(&bs);
}

void bsock_mark_tests(void)
{
	const struct CMUnitTest marks[] = {
		cmocka_unit_test(the_marks_have_hysteresis),
		cmocka_unit_test(what_is_sent_at_once_never_marks),
		cmocka_unit_test(corked_bytes_count),
		cmocka_unit_test(no_room_is_told_as_full),
		cmocka_unit_test(death_lets_the_sources_go),
		cmocka_unit_test(a_mark_may_write_again),
		cmocka_unit_test(marks_can_be_moved),
	};

	RUN_GROUP(marks);
}
