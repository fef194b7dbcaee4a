/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * BufferedSocket: a stream with a buffer each way. What came can be looked at before it is taken;
 * what is written is kept until the peer takes it, within limits that pause whoever is the source.
 * One owner at a time: callbacks of one socket never run beside each other, and two sockets may
 * only touch each other on a loop that runs one callback at a time (SLICK_ORDERED, SLICK_USER).
 */
#ifndef SLICK_BSOCK_H
#define SLICK_BSOCK_H

#include <slick/buffer.h>
#include <slick/transport.h>

struct slick_bs;

/*
 * `full`: more waits than the high mark, or a write found no room; later once with false, when it
 * is no more than the low mark, or when the connection died. It may pause, resume and write to
 * other sockets; it may not free this one.
 */
typedef void (*slick_bs_mark_fn)(struct slick_bs *bs, bool full, void *data);

#define SLICK_BS_SIZE ((size_t)64 << 10)
#define SLICK_BS_OUT_LIMIT ((size_t)1 << 20)

struct slick_bs_cfg {
	size_t in_size, in_limit;	/* memory at the start, and at most; 0: SLICK_BS_SIZE */
	size_t out_size, out_limit;	/* 0: SLICK_BS_SIZE, SLICK_BS_OUT_LIMIT */
	size_t chunk;	/* bytes a fill asks for; 0: what fits. A message's size: one a read */
};

struct slick_bs {
	struct slick_buf in, out;
	struct slick_transport transport;
	size_t chunk;
	size_t high, low;
	slick_bs_mark_fn mark;
	void *mark_data;
	int error;	/* why the connection is dead, negative; 0: it is not */
	bool eof;	/* the peer has ended: nothing comes behind what is in `in` */
	bool corked;
	bool full;	/* above the high mark, and mark() knows */
	bool paused;	/* the owner wants nothing read */
	bool shut, shutting;	/* told the transport so; will, behind the last byte */
	u32 wanted;	/* what the transport was last told */
	u64 received, sent;	/* bytes */
	u64 fills, flushes;	/* calls of the transport's recv, send */
	struct slick_piece *pieces;	/* lent, behind what waits in `out` */
	u32 pieces_used, pieces_size;
	size_t lent;		/* bytes of them */
};

/*
 * Ready, with SLICK_READ wanted. A size that is 0 is made to fit the limit, and a limit that is 0
 * to fit the size; -EINVAL: a size over its limit. -ENOMEM. Without a transport (NULL) it may be
 * set up, but neither filled nor written to before slick_bs_attach().
 */
int slick_bs_init(struct slick_bs *bs, const struct slick_transport *transport,
		  const struct slick_bs_cfg *cfg);
/* From now on this transport, which is told what is wanted of it. */
void slick_bs_attach(struct slick_bs *bs, const struct slick_transport *transport);
/* Only memory: the transport is not told anything. */
void slick_bs_free(struct slick_bs *bs);

/*
 * One read of the transport behind what is there: how many bytes; 0: the end of the stream (`eof`);
 * -EAGAIN: none now; -ENOBUFS: the buffer is full, something has to be taken first; -ENOMEM;
 * another error: `error` keeps it, and what waited to be sent is dropped.
 */
ssize_t slick_bs_fill(struct slick_bs *bs);

/* What came, in one piece, good until the next fill, read or discard. */
static inline const u8 *slick_bs_peek(const struct slick_bs *bs, size_t *length)
{
	*length = slick_buf_used(&bs->in);
	return slick_buf_peek(&bs->in);
}

static inline void slick_bs_discard(struct slick_bs *bs, size_t length)
{
	slick_buf_discard(&bs->in, length);
}

/* Up to `length` bytes, copied and taken; 0: none are there. */
size_t slick_bs_read(struct slick_bs *bs, void *bytes, size_t length);

/*
 * Takes what fits: how many bytes; -ENOBUFS: none; -EPIPE behind slick_bs_shut(); the socket's
 * error. Sends at once unless corked.
 */
ssize_t slick_bs_write(struct slick_bs *bs, const void *bytes, size_t length);
/* 0: all was sent or is kept; -ENOBUFS and nothing of it was taken; else as slick_bs_write(). */
int slick_bs_write_all(struct slick_bs *bs, const void *bytes, size_t length);

/* Keeps what is written until slick_bs_flush(), which sends it in one piece and ends the cork. */
static inline void slick_bs_cork(struct slick_bs *bs)
{
	bs->corked = true;
}

/*
 * One send of all that waits. 0: nothing waits any more; -EAGAIN: some does, and SLICK_WRITE is
 * wanted; another error: `error` keeps it, and what waited is dropped.
 */
int slick_bs_flush(struct slick_bs *bs);

/* As slick_bs_fill(), of at most `most` bytes. */
ssize_t slick_bs_fill_most(struct slick_bs *bs, size_t most);

/*
 * Likewise, into memory of the caller's. Only while nothing is in the buffer: it would come first.
 */
ssize_t slick_bs_receive(struct slick_bs *bs, void *memory, size_t length);

/* Whether bytes can be looked at, and lent, where the transport has them. */
static inline bool slick_bs_walks(const struct slick_bs *bs)
{
	return bs->transport.ops->walk;
}

/* The transport's walk() and walked(). Only while nothing is in the buffer: it would come first. */
ssize_t slick_bs_walk(struct slick_bs *bs, size_t most, slick_walk_fn fn, void *data);
void slick_bs_walked(struct slick_bs *bs);

/*
 * As slick_bs_write_all() behind a cork, but the bytes are not copied: they have to stay where they
 * are until slick_bs_settle(). Nothing is sent, no mark is told, so that it may be called from a
 * walk. -ENOBUFS: too much waits or was lent; settle first. `join`: it may become one with the
 * piece that ends where it begins. The transport needs sendv().
 */
int slick_bs_lend(struct slick_bs *bs, const void *bytes, size_t length, bool join);
/*
 * As slick_bs_lend(), but copied at once: cheaper for a few bytes than a piece is. Only while
 * nothing is lent, or it would come first.
 */
static inline int slick_bs_keep(struct slick_bs *bs, const u8 *bytes, size_t length)
{
	u8 *at;

	if (unlikely(bs->error || bs->shut || bs->shutting || bs->pieces_used))
		return -EPIPE;
	at = slick_buf_reserve(&bs->out, length);
	if (unlikely(!at))
		return -ENOBUFS;
	slick_copy(at, bytes, length);
	slick_buf_commit(&bs->out, length);
	bs->corked = true;
	return 0;
}

/*
 * As slick_bs_flush(), of what was written and lent, in order; what the peer does not take now is
 * copied. `each`: every piece that was lent is sent by itself.
 */
int slick_bs_settle(struct slick_bs *bs, bool each);

/*
 * Above `high` waiting bytes `mark` is called with true, at or below `low` with false. high 0:
 * never. -EINVAL: low > high, or low is all that out_limit allows. What waits already counts at
 * once.
 */
int slick_bs_watermarks(struct slick_bs *bs, size_t high, size_t low, slick_bs_mark_fn mark,
			void *data);

/*
 * While paused the transport is not asked for SLICK_READ, so that the peer has to wait. What was
 * read before stays to be looked at; no event tells of it when the pause ends.
 */
void slick_bs_pause(struct slick_bs *bs, bool paused);

/* Ends our direction behind what waits, and ends a cork. */
void slick_bs_shut(struct slick_bs *bs);

static inline size_t slick_bs_waiting(const struct slick_bs *bs)
{
	return slick_buf_used(&bs->out);
}

#endif
