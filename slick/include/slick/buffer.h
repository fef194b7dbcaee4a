/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A queue of bytes that always lie in one piece, so that a reader needs no copy to see them: bytes
 * are appended behind `tail` and taken from `head`; where there is no room behind, what is left
 * moves to the front. It grows by doubling up to `limit`.
 */
#ifndef SLICK_BUFFER_H
#define SLICK_BUFFER_H

#include <slick/port.h>

/* head <= tail <= size <= limit, and an empty queue has head and tail at 0. */
struct slick_buf {
	u8 *data;	/* never NULL between init and free */
	size_t head;	/* first byte that was not taken */
	size_t tail;	/* behind the last byte */
	size_t size;	/* of the memory behind data */
	size_t limit;	/* size is never more */
};

/* Begins with `size` bytes of memory (0: none before the first byte comes). -ENOMEM. */
int slick_buf_init(struct slick_buf *buf, size_t size, size_t limit);
void slick_buf_free(struct slick_buf *buf);

/* The part of slick_buf_reserve() that moves or grows. */
u8 *slick_buf_make_room(struct slick_buf *buf, size_t length);

static inline size_t slick_buf_used(const struct slick_buf *buf)
{
	return buf->tail - buf->head;
}

static inline const u8 *slick_buf_peek(const struct slick_buf *buf)
{
	return buf->data + buf->head;
}

/* How many bytes could still be appended. */
static inline size_t slick_buf_room(const struct slick_buf *buf)
{
	return buf->limit - slick_buf_used(buf);
}

/*
 * Where `length` bytes may be written before slick_buf_commit(); NULL: over the limit, or no
 * memory. Nothing is allocated where all of the limit is there already.
 */
static inline u8 *slick_buf_reserve(struct slick_buf *buf, size_t length)
{
	if (likely(length <= buf->size - buf->tail))
		return buf->data + buf->tail;
	return slick_buf_make_room(buf, length);
}

/* Not more than was reserved. */
static inline void slick_buf_commit(struct slick_buf *buf, size_t length)
{
	buf->tail += length;
}

/* Takes `length` bytes, at most those that there are, from the front. */
static inline void slick_buf_discard(struct slick_buf *buf, size_t length)
{
	if (length < slick_buf_used(buf)) {
		buf->head += length;
	} else {
		buf->head = 0;
		buf->tail = 0;
	}
}

/* All of it, or -ENOBUFS (over the limit) or -ENOMEM and nothing. */
int slick_buf_append(struct slick_buf *buf, const void *bytes, size_t length);

#endif
