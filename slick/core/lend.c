// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * BufferedSocket without copies: bytes are looked at where they came in, and sent from there. A
 * list of pieces is what a socket keeps of them.
 */
#include <slick/bsock.h>

#define PIECES_FIRST 32u

ssize_t slick_bs_walk(struct slick_bs *bs, size_t most, slick_walk_fn fn, void *data)
{
	ssize_t taken;

	if (unlikely(bs->error || bs->eof || slick_buf_used(&bs->in)))
		return bs->error;
	bs->fills++;
	taken = bs->transport.ops->walk(bs->transport.context, most, fn, data);
	if (taken > 0)
		bs->received += taken;
	return taken;
}
EXPORT_SYMBOL_GPL(slick_bs_walk);

void slick_bs_walked(struct slick_bs *bs)
{
	bs->transport.ops->walked(bs->transport.context);
}
EXPORT_SYMBOL_GPL(slick_bs_walked);

static bool more_pieces(struct slick_bs *bs)
{
	u32 size = bs->pieces_size ? bs->pieces_size * 2 : PIECES_FIRST;
	struct slick_piece *pieces;

	if (size > SLICK_PIECES)
		return false;
	pieces = slick_alloc(size * sizeof(*pieces));
	if (!pieces)
		return false;
	if (bs->pieces_used)
		memcpy(pieces, bs->pieces, bs->pieces_used * sizeof(*pieces));
	slick_free(bs->pieces);
	bs->pieces = pieces;
	bs->pieces_size = size;
	return true;
}

int slick_bs_lend(struct slick_bs *bs, const void *bytes, size_t length, bool join)
{
	struct slick_piece *last;

	if (unlikely(bs->error))
		return bs->error;
	if (unlikely(bs->shut || bs->shutting))
		return -EPIPE;
	if (unlikely(bs->lent + length > slick_buf_room(&bs->out)))
		return -ENOBUFS;
	if (join && bs->pieces_used) {
		last = &bs->pieces[bs->pieces_used - 1];
		if ((const u8 *)last->bytes + last->length == bytes) {
			last->length += length;
			bs->lent += length;
			return 0;
		}
	}
	if (unlikely(bs->pieces_used == bs->pieces_size) && !more_pieces(bs))
		return -ENOBUFS;
	last = &bs->pieces[bs->pieces_used++];
	last->bytes = bytes;
	last->length = length;
	bs->lent += length;
	return 0;
}
EXPORT_SYMBOL_GPL(slick_bs_lend);

/* Takes `sent` bytes off the pieces from `at` on: the first that is not sent out. */
static u32 take_off(struct slick_piece *pieces, u32 at, size_t sent)
{
	while (sent >= pieces[at].length) {
		sent -= pieces[at].length;
		pieces[at++].length = 0;
		if (!sent)
			return at;
	}
	pieces[at].bytes = (const u8 *)pieces[at].bytes + sent;
	pieces[at].length -= sent;
	return at;
}

/* How many pieces are out. An error shows again when what is left is written. */
static u32 send_pieces(struct slick_bs *bs, bool each)
{
	u32 at = 0, number;
	ssize_t sent;

	while (at < bs->pieces_used) {
		number = each ? 1 : bs->pieces_used - at;
		bs->flushes++;
		sent = bs->transport.ops->sendv(bs->transport.context, bs->pieces + at, number);
		if (sent <= 0)
			break;
		bs->sent += sent;
		number += at;
		at = take_off(bs->pieces, at, sent);
		if (at < number)
			break;
	}
	return at;
}

static int keep_pieces(struct slick_bs *bs, u32 from, u32 used)
{
	u32 at;
	int ret;

	slick_bs_cork(bs);
	for (at = from; at < used; at++) {
		ret = slick_bs_write_all(bs, bs->pieces[at].bytes, bs->pieces[at].length);
		if (ret)
			return ret;
	}
	return slick_bs_flush(bs);
}

int slick_bs_settle(struct slick_bs *bs, bool each)
{
	u32 used = bs->pieces_used, out = 0;
	int ret = slick_bs_flush(bs);

	if (ret && ret != -EAGAIN)
		goto settled;
	if (!ret)
		out = send_pieces(bs, each);
	/* Nothing is lent any more: what is left is written. */
	bs->lent = 0;
	if (out < used)
		ret = keep_pieces(bs, out, used);
settled:
	bs->lent = 0;
	bs->pieces_used = 0;
	return ret;
}
EXPORT_SYMBOL_GPL(slick_bs_settle);
