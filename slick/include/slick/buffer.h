/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A queue of bytes that always lie in one piece, so that a reader needs no copy to see them: bytes are appended behind `tail`
 * and taken from `head`; where there is no room behind, what is left moves to the front. It grows by doubling up to `limit`.
 */
#ifndef SLICK_BUFFER_H
#define SLICK_BUFFER_H

#include <slick/port.h>

struct slick_buf {
	u8 *data;
	size_t head;	/* first byte that was not taken */
	size_t tail;	/* behind the last byte */
	size_t size;	/* of the memory behind data */
	size_t limit;	/* size is never more */
};

/* Begins with `size` bytes of memory (0: none before the first byte comes). -ENOMEM. */
int slick_buf_init(struct slick_buf *buf, size_t size, size_t limit);
void slick_buf_free(struct slick_buf *buf);

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

/* Where `length` bytes may be written before slick_buf_commit(); NULL: over the limit, or no memory. Allocates only if needed. */
u8 *slick_buf_reserve(struct slick_buf *buf, size_t length);
void slick_buf_commit(struct slick_buf *buf, size_t length);

/* Takes `length` bytes, at most those that there are, from the front. */
void slick_buf_discard(struct slick_buf *buf, size_t length);

/* All of it, or -ENOBUFS (over the limit) or -ENOMEM and nothing. */
int slick_buf_append(struct slick_buf *buf, const void *bytes, size_t length);

#endif
