// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Messages on the short way: judged in the pages they came in, and sent on from there. Whatever is
 * not plain (a message that begins in one page and ends in the next, one that cannot be delivered
 * now, one that is none) stops the walk; that one message is then copied, and takes the long way.
 */
#include "internal.h"
#include "plain.h"

/* A whole message of another form than the usual. */
static bool read_msg(const struct forward_sender *sender, const u8 *bytes, size_t length, s32 *key,
		     u32 *total)
{
	struct slick_thrift_msg msg;

	if (slick_thrift_parse(bytes, length, &sender->ts.limits, &msg) != 1)
		return false;
	*total = msg.frame_length;
	return msg.kind == SLICK_THRIFT_ONEWAY && slick_thrift_is(&msg, "msg") &&
	       sender_key(&msg, key) > 0;
}

/*
 * Lends the message at the front to its backend: how many bytes it has; 0: it needs the long way.
 */
static u32 lend(struct forward_sender *sender, const u8 *bytes, size_t length)
{
	struct forward_backend *backend;
	u32 total;
	s32 key;

	if (!plain_msg(bytes, length, sender->ts.limits.max_frame, &key, &total) &&
	    !read_msg(sender, bytes, length, &key, &total))
		return 0;
	backend = route_find(sender, key);
	if (unlikely(!backend || backend_lend(backend, bytes, total)))
		return 0;
	sender->forward->stats.forwarded++;
	sender->ts.messages_in++;
	if (!sender->forward->cfg.reads)
		sender->left--;
	return total;
}

/* How many bytes the long way has to see of the message at the front, or of what is wrong there. */
static size_t needed(const struct forward_sender *sender, const u8 *bytes, size_t length)
{
	s64 frame = slick_thrift_frame(bytes, length, &sender->ts.limits);

	return frame > 0 ? frame : SLICK_THRIFT_FRAME_HEADER;
}

static size_t take(void *data, const u8 *bytes, size_t length)
{
	struct forward_sender *sender = data;
	size_t taken = 0;
	u32 total;

	while (sender->left && taken < length) {
		total = lend(sender, bytes + taken, length - taken);
		if (!total) {
			sender->need = needed(sender, bytes + taken, length - taken);
			break;
		}
		taken += total;
	}
	return taken;
}

/* The rest of a message of which some bytes were copied. */
static size_t rest_of_message(const struct forward_sender *sender)
{
	size_t length;
	const u8 *bytes = slick_bs_peek(&sender->ts.bs, &length);

	return needed(sender, bytes, length) - length;
}

static size_t read_size(const struct forward_sender *sender)
{
	return sender->forward->cfg.chunk ? sender->forward->cfg.chunk : FORWARD_READ;
}

/* Bytes belong to this read until it has its size, or nothing more is there. */
static bool read_ends(struct forward_sender *sender, ssize_t got, bool goes_on)
{
	sender->taken += got > 0 ? got : 0;
	if (goes_on && sender->taken < read_size(sender))
		return false;
	sender->taken = 0;
	return true;
}

static ssize_t copy(struct forward_sender *sender, size_t length, bool *ends)
{
	ssize_t got = slick_bs_fill_most(&sender->ts.bs, length);

	*ends = read_ends(sender, got, got > 0);
	return got;
}

/* A message that lay in two places, in one: it can be lent like others. */
struct copied {
	struct list_head list;
	u8 bytes[];
};

/* If not all of it is there yet, or it cannot be lent, it goes the long way. */
static ssize_t copy_whole(struct forward_sender *sender, size_t length, bool *ends)
{
	struct copied *copied = slick_alloc(sizeof(*copied) + length);
	ssize_t got;
	int error;

	if (!copied)
		return copy(sender, length, ends);
	got = slick_bs_receive(&sender->ts.bs, copied->bytes, length);
	*ends = read_ends(sender, got, got > 0);
	if (got > 0 && (size_t)got == length && lend(sender, copied->bytes, length)) {
		list_add_tail(&copied->list, &sender->copies);
		return got;
	}
	error = got > 0 ? slick_buf_append(&sender->ts.bs.in, copied->bytes, got) : 0;
	slick_free(copied);
	return error ? error : got;
}

void take_free(struct forward_sender *sender)
{
	struct copied *copied, *after;

	list_for_each_entry_safe(copied, after, &sender->copies, list)
		slick_free(copied);
	INIT_LIST_HEAD(&sender->copies);
	if (slick_bs_walks(&sender->ts.bs))
		slick_bs_walked(&sender->ts.bs);
}

ssize_t take_more(struct forward_sender *sender, bool *ends)
{
	struct slick_bs *bs = &sender->ts.bs;
	size_t used, need = sender->need;
	ssize_t got;

	*ends = true;
	if (!slick_bs_walks(bs) || sender->commands)
		return slick_bs_fill(bs);
	sender->need = 0;
	slick_bs_peek(bs, &used);
	if (used)
		return copy(sender, rest_of_message(sender), ends);
	if (need > SLICK_THRIFT_FRAME_HEADER)
		return copy_whole(sender, need, ends);
	if (need)
		return copy(sender, need, ends);
	got = slick_bs_walk(bs, read_size(sender) - sender->taken, take, sender);
	if (!got && sender->need)
		return take_more(sender, ends);
	if (got)
		*ends = read_ends(sender, got, sender->need);
	return got ? got : slick_bs_fill(bs);
}
