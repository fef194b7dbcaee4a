// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Thrift in skbs of each shape that the strparser makes: read as if it lay in one place. */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/skbuff.h>

#include <slick/tstrp.h>

#include "kunit.h"
#include "skb.h"

#define BEFORE 5	/* bytes of something else, as where an skb holds two messages */

static const struct slick_thrift_limits usual;

/* call(1: list<string>, 2: i32, 3: map<i32, struct>, 4: string) */
static const u8 message[] = {
	0, 0, 0, 83, 0x80, 1, 0, 1, 0, 0, 0, 4, 'c', 'a', 'l', 'l', 0, 0, 0, 9,
	SLICK_THRIFT_LIST, 0, 1, SLICK_THRIFT_STRING, 0, 0, 0, 2,
	0, 0, 0, 3, 'o', 'n', 'e', 0, 0, 0, 0,
	SLICK_THRIFT_I32, 0, 2, 1, 2, 3, 4,
	SLICK_THRIFT_MAP, 0, 3, SLICK_THRIFT_I32, SLICK_THRIFT_STRUCT, 0, 0, 0, 1,
	0, 0, 0, 7, SLICK_THRIFT_BOOL, 0, 1, 1, SLICK_THRIFT_STOP,
	SLICK_THRIFT_STRING, 0, 4, 0, 0, 0, 15,
	'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o',
	SLICK_THRIFT_STOP,
};

#define LENGTH ((u32)sizeof(message))

/* Bytes of its own, then bytes in a page each: as much as `parts` says, ended by 0. */
static struct sk_buff *make(const u8 **from, u32 own, const u32 *parts)
{
	struct sk_buff *skb = alloc_skb(own ?: 1, GFP_KERNEL);
	struct page *page;
	int i;

	if (!skb)
		return NULL;
	skb_put_data(skb, *from, own);
	*from += own;
	for (i = 0; parts && parts[i]; i++) {
		page = alloc_page(GFP_KERNEL);
		if (!page) {
			kfree_skb(skb);
			return NULL;
		}
		memcpy((u8 *)page_address(page) + i * 3, *from, parts[i]);
		skb_add_rx_frag(skb, i, page, i * 3, parts[i], PAGE_SIZE);
		*from += parts[i];
	}
	return skb;
}

/* What the walk along the skb says is what the walk along the bytes does. */
static void expect_same(struct kunit *test, const struct sk_buff *skb, u32 offset)
{
	struct slick_thrift_field field;
	struct slick_thrift_place place;
	struct slick_thrift_head head;
	struct slick_thrift_walk walk;
	struct slick_thrift_iter iter;
	struct slick_thrift_msg msg;
	struct slick_tstrp source;
	int ret, other;

	slick_tstrp_source(&source, skb, offset, LENGTH);
	KUNIT_ASSERT_EQ(test, slick_thrift_read_head(&source.source, &usual, &head), 1);
	KUNIT_ASSERT_EQ(test, slick_thrift_parse(message, LENGTH, &usual, &msg), 1);
	KUNIT_EXPECT_EQ(test, head.frame_length, LENGTH);
	KUNIT_EXPECT_EQ(test, head.sequence, 9);
	KUNIT_EXPECT_EQ(test, (long)head.body, (long)(msg.body - message));
	slick_thrift_places(&source.source, &head, &walk);
	slick_thrift_fields(&msg, &iter);
	do {
		ret = slick_thrift_next(&iter, &field);
		other = slick_thrift_next_place(&walk, &place);
		KUNIT_ASSERT_EQ(test, other, ret);
		if (ret <= 0)
			break;
		KUNIT_ASSERT_EQ(test, place.id, field.id);
		KUNIT_ASSERT_EQ(test, place.length, field.length);
		KUNIT_ASSERT_EQ(test, (long)place.offset, (long)(field.value - message));
	} while (ret > 0);
	KUNIT_EXPECT_EQ(test, ret, 0);
	/* And once more from the front, which is behind us. */
	KUNIT_EXPECT_EQ(test, slick_thrift_read_head(&source.source, &usual, &head), 1);
}

static void with_something_before(u8 *bytes)
{
	memset(bytes, 0xff, BEFORE);
	memcpy(bytes + BEFORE, message, LENGTH);
}

static void cuts_between_pages_change_nothing(struct kunit *test)
{
	u8 bytes[BEFORE + sizeof(message)];
	u32 own, first;

	with_something_before(bytes);
	for (own = 0; own < sizeof(bytes) - 12; own++) {
		for (first = 1; first < 12; first++) {
			const u32 parts[] = { first, 1, 2, sizeof(bytes) - own - first - 3, 0 };
			const u8 *from = bytes;
			struct sk_buff *skb;

			if (own + first + 3 >= sizeof(bytes))
				break;
			skb = make(&from, own, parts);
			KUNIT_ASSERT_NOT_NULL(test, skb);
			KUNIT_ASSERT_EQ(test, skb->len, (u32)sizeof(bytes));
			expect_same(test, skb, BEFORE);
			KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&usual, skb, BEFORE, LENGTH),
					(int)LENGTH);
			kfree_skb(skb);
		}
	}
}

static void cuts_between_skbs_change_nothing(struct kunit *test)
{
	u8 bytes[BEFORE + sizeof(message)];
	u32 cut, piece;

	with_something_before(bytes);
	for (cut = 0; cut < sizeof(bytes); cut++) {
		const u32 parts[] = { 2, 0 };
		const u8 *from = bytes, *end = bytes + sizeof(bytes);
		struct sk_buff *head = make(&from, cut, NULL);

		KUNIT_ASSERT_NOT_NULL(test, head);
		for (piece = 1; from < end; piece = piece % 7 + 1) {
			bool paged = end - from >= piece + 2;
			u32 own = min_t(u32, piece, end - from);
			struct sk_buff *skb = make(&from, own, paged ? parts : NULL);

			KUNIT_ASSERT_NOT_NULL(test, skb);
			slick_skb_append(head, skb);
		}
		expect_same(test, head, BEFORE);
		KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&usual, head, BEFORE, LENGTH),
				(int)LENGTH);
		kfree_skb(head);
	}
}

/*
 * What came with a list gets a new head when more comes: its list is then one within a list. Both
 * lists go on behind it.
 */
static void lists_within_a_list_change_nothing(struct kunit *test)
{
	const u32 parts[] = { 4, 3, 0 };
	u32 cut;

	for (cut = 1; cut < LENGTH - 30; cut++) {
		const u8 *from = message, *end = message + LENGTH;
		struct sk_buff *head = alloc_skb(1, GFP_KERNEL), *first, *last;

		KUNIT_ASSERT_NOT_NULL(test, head);
		first = make(&from, cut, parts);
		KUNIT_ASSERT_NOT_NULL(test, first);
		slick_skb_append(first, make(&from, 5, NULL));
		slick_skb_append(first, make(&from, 0, parts));
		slick_skb_append(head, first);
		slick_skb_append(head, make(&from, 1, NULL));
		last = make(&from, 2, NULL);
		slick_skb_append(last, make(&from, end - from, NULL));
		slick_skb_append(head, last);
		KUNIT_ASSERT_EQ(test, head->len, LENGTH);
		expect_same(test, head, 0);
		kfree_skb(head);
	}
}

static void too_many_lists_are_no_message(struct kunit *test)
{
	struct sk_buff *head[4];
	struct slick_thrift_head read;
	struct slick_tstrp source;
	const u8 *from = message;
	int i;

	for (i = 0; i < 4; i++) {
		head[i] = make(&from, i < 3 ? 20 : LENGTH - 60, NULL);
		KUNIT_ASSERT_NOT_NULL(test, head[i]);
	}
	for (i = 3; i > 0; i--)
		slick_skb_append(head[i - 1], head[i]);
	KUNIT_ASSERT_EQ(test, head[0]->len, LENGTH);
	slick_tstrp_source(&source, head[0], 60, LENGTH - 60);
	KUNIT_EXPECT_EQ(test, slick_thrift_read_head(&source.source, &usual, &read), -EPROTO);
	KUNIT_EXPECT_EQ(test, slick_thrift_read_head(&source.source, &usual, &read), -EPROTO);
	kfree_skb(head[0]);
}

static void a_frame_has_limits(struct kunit *test)
{
	const struct slick_thrift_limits small = { .max_frame = 82 }, fits = { .max_frame = 83 };
	const struct slick_thrift_limits widest = { .max_frame = U32_MAX };
	u8 bytes[8] = { 0x80 };
	const u8 *from = message;
	struct sk_buff *skb = make(&from, LENGTH, NULL);
	u32 there;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	for (there = 0; there < 4; there++)
		KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&usual, skb, 0, there), 0);
	KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&usual, skb, 0, 4), (int)LENGTH);
	KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&fits, skb, 0, 4), (int)LENGTH);
	KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&small, skb, 0, 4), -EMSGSIZE);
	kfree_skb(skb);
	from = bytes;
	skb = make(&from, sizeof(bytes), NULL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&usual, skb, 0, 8), -EPROTO);
	slick_put_be32(skb->data, 0x7fffffff);
	KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&usual, skb, 0, 8), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, slick_tstrp_frame(&widest, skb, 0, 8), -EMSGSIZE);
	kfree_skb(skb);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(cuts_between_pages_change_nothing),
	KUNIT_CASE(cuts_between_skbs_change_nothing),
	KUNIT_CASE(lists_within_a_list_change_nothing),
	KUNIT_CASE(too_many_lists_are_no_message),
	KUNIT_CASE(a_frame_has_limits),
	{ }
};

struct kunit_suite slick_tstrp_suite = {
	.name = "slick_tstrp",
	.test_cases = cases,
};
