// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The queue of bytes: what is not on the way of every message. */
#include <slick/buffer.h>

#define SMALLEST 256

/* What data points to while there is no memory. Nothing is written here, because size is 0. */
static u8 nothing[1];

int slick_buf_init(struct slick_buf *buf, size_t size, size_t limit)
{
	if (size > limit)
		size = limit;
	buf->data = nothing;
	buf->head = 0;
	buf->tail = 0;
	buf->size = 0;
	buf->limit = limit;
	if (size) {
		u8 *data = slick_alloc(size);

		if (!data)
			return -ENOMEM;
		buf->data = data;
		buf->size = size;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(slick_buf_init);

void slick_buf_free(struct slick_buf *buf)
{
	if (buf->size)
		slick_free(buf->data);
	buf->data = nothing;
	buf->head = 0;
	buf->tail = 0;
	buf->size = 0;
	buf->limit = 0;
}
EXPORT_SYMBOL_GPL(slick_buf_free);

static void move_to_front(struct slick_buf *buf)
{
	size_t used = slick_buf_used(buf);

	memmove(buf->data, buf->data + buf->head, used);
	buf->head = 0;
	buf->tail = used;
}

/* The next size that holds `need`; the caller knows that it is within the limit. */
static size_t grown(const struct slick_buf *buf, size_t need)
{
	size_t size = buf->size;

	if (size < SMALLEST / 2)
		size = SMALLEST / 2;
	do {
		if (size > buf->limit / 2)
			return buf->limit;
		size += size;
	} while (size < need);
	return size;
}

static bool grow(struct slick_buf *buf, size_t need)
{
	size_t used = slick_buf_used(buf);
	size_t size = grown(buf, need);
	u8 *data = slick_alloc(size);

	if (!data)
		return false;
	memcpy(data, buf->data + buf->head, used);
	if (buf->size)
		slick_free(buf->data);
	buf->data = data;
	buf->head = 0;
	buf->tail = used;
	buf->size = size;
	return true;
}

/*
 * Moving must not cost more than what was taken since the last time: where it would, and the limit
 * lets it, the queue grows. So a queue that stays nearly full is not moved for every message.
 */
u8 *slick_buf_make_room(struct slick_buf *buf, size_t length)
{
	size_t used = slick_buf_used(buf);
	bool fits, cheap;

	if (length > buf->limit - used)
		return NULL;
	fits = length <= buf->size - used;
	cheap = buf->head >= used || buf->size == buf->limit;
	if (!(fits && cheap) && grow(buf, used + length))
		return buf->data + buf->tail;
	if (!fits)
		return NULL;
	move_to_front(buf);
	return buf->data + buf->tail;
}
EXPORT_SYMBOL_GPL(slick_buf_make_room);

int slick_buf_append(struct slick_buf *buf, const void *bytes, size_t length)
{
	u8 *at;

	if (!length)
		return 0;
	at = slick_buf_reserve(buf, length);
	if (!at)
		return length > slick_buf_room(buf) ? -ENOBUFS : -ENOMEM;
	memcpy(at, bytes, length);
	slick_buf_commit(buf, length);
	return 0;
}
EXPORT_SYMBOL_GPL(slick_buf_append);
