// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Bytes that are not copied: looked at in parts, lent, settled; and copied where the peer is slow. */
#include "unit.h"

#include <slick/bsock.h>

#include "../fake.h"

static u8 output[FAKE_OUTPUT];

static void begin(struct slick_bs *bs, struct fake *fake, size_t limit)
{
	struct slick_bs_cfg cfg = { .out_size = 16, .out_limit = limit };
	struct slick_transport transport = fake_transport(fake, output);

	assert_int_equal(slick_bs_init(bs, &transport, &cfg), 0);
}

static void assert_output(const struct fake *fake, const char *text)
{
	assert_int_equal(fake->output_length, strlen(text));
	assert_memory_equal(fake->output, text, strlen(text));
}

static void one_send_takes_all_pieces(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 100);
	assert_int_equal(slick_bs_lend(&bs, "ab", 2, true), 0);
	assert_int_equal(slick_bs_lend(&bs, "cde", 3, true), 0);
	assert_int_equal(fake.sends, 0);
	assert_int_equal(bs.lent, 5);
	assert_int_equal(slick_bs_settle(&bs, false), 0);
	assert_output(&fake, "abcde");
	assert_int_equal(fake.sends, 1);
	assert_int_equal(fake.pieces, 2);
	assert_int_equal(bs.lent, 0);
	assert_int_equal(bs.pieces_used, 0);
	assert_int_equal(bs.sent, 5);
	slick_bs_free(&bs);
}

static void each_is_a_send_for_every_piece(void **state)
{
	const char *text = "abcdef";
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 100);
	assert_int_equal(slick_bs_lend(&bs, text, 2, false), 0);
	assert_int_equal(slick_bs_lend(&bs, text + 2, 2, false), 0);
	assert_int_equal(slick_bs_lend(&bs, text + 4, 2, false), 0);
	assert_int_equal(slick_bs_settle(&bs, true), 0);
	assert_output(&fake, text);
	assert_int_equal(fake.sends, 3);
	assert_int_equal(fake.pieces, 1);
	slick_bs_free(&bs);
}

static void neighbours_become_one_piece(void **state)
{
	const char *text = "abcdef";
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 100);
	assert_int_equal(slick_bs_lend(&bs, text, 2, true), 0);
	assert_int_equal(slick_bs_lend(&bs, text + 2, 3, true), 0);
	assert_int_equal(bs.pieces_used, 1);
	assert_int_equal(slick_bs_lend(&bs, text + 5, 1, false), 0);
	assert_int_equal(bs.pieces_used, 2);
	assert_int_equal(slick_bs_settle(&bs, false), 0);
	assert_output(&fake, text);
	slick_bs_free(&bs);
}

/* At every byte: what one send leaves over is copied, and nothing is lost, doubled or reordered. */
static void short_sends_keep_the_rest(void **state)
{
	u8 text[6];
	struct slick_bs bs;
	struct fake fake;
	int each, cut;

	(void)state;
	for (each = 0; each < 2; each++) {
		for (cut = 1; cut <= 6; cut++) {
			memcpy(text, "abcdef", 6);
			begin(&bs, &fake, 100);
			fake_then(&fake.send, cut);
			fake_then(&fake.send, -EAGAIN);
			fake_then(&fake.send, -EAGAIN);
			assert_int_equal(slick_bs_lend(&bs, text, 3, false), 0);
			assert_int_equal(slick_bs_lend(&bs, text + 3, 1, false), 0);
			assert_int_equal(slick_bs_lend(&bs, text + 4, 2, false), 0);
			assert_int_equal(slick_bs_settle(&bs, each),
					 cut == 6 && !each ? 0 : -EAGAIN);
			/* The lender may do with them what it likes. */
			memset(text, 'x', 6);
			fake.send.count = 0;
			fake.send.at = 0;
			assert_int_equal(slick_bs_flush(&bs), 0);
			assert_output(&fake, "abcdef");
			slick_bs_free(&bs);
		}
	}
}

static void what_waits_goes_first(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 100);
	fake_then(&fake.send, 1);
	assert_int_equal(slick_bs_write_all(&bs, "ab", 2), 0);
	assert_int_equal(slick_bs_lend(&bs, "cd", 2, true), 0);
	fake_then(&fake.send, -EAGAIN);
	fake_then(&fake.send, -EAGAIN);
	assert_int_equal(slick_bs_settle(&bs, false), -EAGAIN);
	assert_int_equal(slick_bs_waiting(&bs), 3);
	assert_int_equal(fake.wanted, SLICK_READ | SLICK_WRITE);
	assert_int_equal(slick_bs_flush(&bs), 0);
	assert_output(&fake, "abcd");
	slick_bs_free(&bs);
}

static void no_more_is_lent_than_could_be_kept(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 16);
	assert_int_equal(slick_bs_lend(&bs, "0123456789", 10, true), 0);
	assert_int_equal(slick_bs_lend(&bs, "0123456", 7, true), -ENOBUFS);
	assert_int_equal(slick_bs_lend(&bs, "012345", 6, true), 0);
	fake_then(&fake.send, -EAGAIN);
	fake_then(&fake.send, -EAGAIN);
	assert_int_equal(slick_bs_settle(&bs, false), -EAGAIN);
	assert_int_equal(slick_bs_waiting(&bs), 16);
	assert_int_equal(slick_bs_lend(&bs, "x", 1, true), -ENOBUFS);
	slick_bs_free(&bs);
}

static void a_list_has_its_end(void **state)
{
	static u8 bytes[2 * SLICK_PIECES];
	struct slick_bs bs;
	struct fake fake;
	u32 i;

	(void)state;
	begin(&bs, &fake, 1 << 20);
	for (i = 0; i < SLICK_PIECES; i++) {
		bytes[2 * i] = (u8)i;
		assert_int_equal(slick_bs_lend(&bs, bytes + 2 * i, 1, true), 0);
	}
	assert_int_equal(slick_bs_lend(&bs, bytes + 1, 1, true), -ENOBUFS);
	assert_int_equal(slick_bs_settle(&bs, false), 0);
	assert_int_equal(fake.pieces, SLICK_PIECES);
	for (i = 0; i < SLICK_PIECES; i++)
		assert_int_equal(output[i], (u8)i);
	slick_bs_free(&bs);
}

static void without_memory_for_the_list_nothing_is_lent(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 100);
	allocations_left = 0;
	assert_int_equal(slick_bs_lend(&bs, "ab", 2, true), -ENOBUFS);
	allocations_left = -1;
	assert_int_equal(bs.lent, 0);
	assert_int_equal(slick_bs_settle(&bs, false), 0);
	assert_output(&fake, "");
	slick_bs_free(&bs);
}

static void a_dead_peer_is_told(void **state)
{
	struct slick_bs bs;
	struct fake fake;

	(void)state;
	begin(&bs, &fake, 100);
	assert_int_equal(slick_bs_lend(&bs, "ab", 2, true), 0);
	fake.send.otherwise = -ECONNRESET;
	assert_int_equal(slick_bs_settle(&bs, false), -ECONNRESET);
	assert_int_equal(bs.error, -ECONNRESET);
	assert_int_equal(bs.pieces_used, 0);
	assert_int_equal(slick_bs_lend(&bs, "ab", 2, true), -ECONNRESET);
	slick_bs_free(&bs);
}

static size_t takes(void *data, const u8 *bytes, size_t length)
{
	size_t *most = data;

	(void)bytes;
	if (length > *most)
		length = *most;
	*most -= length;
	return length;
}

static void a_walk_takes_what_it_wants(void **state)
{
	struct slick_bs bs;
	struct fake fake;
	size_t most = 5;

	(void)state;
	begin(&bs, &fake, 100);
	fake_gives(&fake, "abcdefgh", 8);
	fake.part = 3;
	assert_true(slick_bs_walks(&bs));
	assert_int_equal(slick_bs_walk(&bs, 100, takes, &most), 5);
	assert_int_equal(bs.received, 5);
	/* The rest is there to be copied, and comes before any other walk. */
	assert_int_equal(slick_bs_fill_most(&bs, 2), 2);
	most = 100;
	assert_int_equal(slick_bs_walk(&bs, 100, takes, &most), 0);
	slick_bs_discard(&bs, 2);
	assert_int_equal(slick_bs_walk(&bs, 100, takes, &most), 1);
	assert_int_equal(bs.received, 8);
	slick_bs_walked(&bs);
	assert_int_equal(fake.walked, 1);
	slick_bs_free(&bs);
}

void lend_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_send_takes_all_pieces),
		cmocka_unit_test(each_is_a_send_for_every_piece),
		cmocka_unit_test(neighbours_become_one_piece),
		cmocka_unit_test(short_sends_keep_the_rest),
		cmocka_unit_test(what_waits_goes_first),
		cmocka_unit_test(no_more_is_lent_than_could_be_kept),
		cmocka_unit_test(a_list_has_its_end),
		cmocka_unit_test(without_memory_for_the_list_nothing_is_lent),
		cmocka_unit_test(a_dead_peer_is_told),
		cmocka_unit_test(a_walk_takes_what_it_wants),
	};

	RUN_GROUP(tests);
}
