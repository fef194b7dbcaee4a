// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#ifdef SLICK_WITH_URING

#include "uring.h"

#include <sys/mman.h>

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/*
 * Short messages fill the front of each: fronts that are a power of two apart would share few lines
 * of the cache.
 */
#define STAGGER 64

static u8 *buffer_memory(const struct uring_buffers *buffers, u32 id)
{
	return buffers->memory + (size_t)id * buffers->stride;
}

static size_t ring_size(const struct uring_buffers *buffers)
{
	return buffers->number * sizeof(struct io_uring_buf);
}

static void unmap_all(struct uring_buffers *buffers)
{
	if (buffers->ring)
		munmap(buffers->ring, ring_size(buffers));
	if (buffers->memory)
		munmap(buffers->memory, (size_t)buffers->stride * buffers->number);
	free(buffers->buffer);
	buffers->ring = NULL;
	buffers->memory = NULL;
	buffers->buffer = NULL;
}

int uring_buffers_register(struct uring_backend *backend)
{
	struct uring_buffers *buffers = &backend->buffers;
	struct io_uring_buf_reg registration = { .ring_entries = buffers->number };
	int error = -ENOMEM;
	u32 id;

	if (buffers->ring)
		return 0;
	buffers->ring = map(ring_size(buffers));
	buffers->stride = buffers->bytes + STAGGER;
	buffers->memory = map((size_t)buffers->stride * buffers->number);
	buffers->buffer = calloc(buffers->number, sizeof(*buffers->buffer));
	if (buffers->ring && buffers->memory && buffers->buffer) {
		registration.ring_addr = (unsigned long)buffers->ring;
		error = io_uring_register_buf_ring(&backend->ring, &registration, 0);
	}
	if (error) {
		unmap_all(buffers);
		return error;
	}
	io_uring_buf_ring_init(buffers->ring);
	buffers->held = buffers->number;
	for (id = 0; id < buffers->number; id++)
		uring_buffer_return(buffers, id);
	uring_buffers_publish(buffers);
	return 0;
}

/* Behind the end of the ring: the kernel writes into them until then. */
void uring_buffers_free(struct uring_backend *backend)
{
	unmap_all(&backend->buffers);
}

void uring_buffer_return(struct uring_buffers *buffers, u32 id)
{
	io_uring_buf_ring_add(buffers->ring, buffer_memory(buffers, id), buffers->bytes,
			      (unsigned short)id,
			      io_uring_buf_ring_mask(buffers->number), (int)buffers->returned++);
	buffers->held--;
}

void uring_buffers_publish(struct uring_buffers *buffers)
{
	if (buffers->returned)
		io_uring_buf_ring_advance(buffers->ring, (int)buffers->returned);
	buffers->returned = 0;
}

void uring_hold(struct uring_ev *own, u32 id, u32 length)
{
	struct uring_buffers *buffers = &uring_backend(&own->ev)->buffers;
	struct uring_buffer *buffer = &buffers->buffer[id];

	buffer->next = NO_BUFFER;
	buffer->at = 0;
	buffer->end = length;
	if (own->first == NO_BUFFER)
		own->first = id;
	else
		buffers->buffer[own->last].next = id;
	own->last = id;
}

bool uring_holds(const struct uring_ev *own)
{
	return own->first != NO_BUFFER || slick_buf_used(&own->spill);
}

static size_t least(size_t one, size_t other)
{
	return one < other ? one : other;
}

static size_t take_spilled(struct uring_ev *own, u8 *bytes, size_t length)
{
	size_t part = least(length, slick_buf_used(&own->spill));

	if (!part)
		return 0;
	memcpy(bytes, slick_buf_peek(&own->spill), part);
	slick_buf_discard(&own->spill, part);
	if (!slick_buf_used(&own->spill)) {
		slick_buf_free(&own->spill);
		slick_buf_init(&own->spill, 0, SIZE_MAX / 4);
	}
	return part;
}

size_t uring_take(struct uring_ev *own, u8 *bytes, size_t length)
{
	struct uring_buffers *buffers = &uring_backend(&own->ev)->buffers;
	size_t taken = take_spilled(own, bytes, length), part;
	struct uring_buffer *buffer;
	u32 id;

	while (taken < length && own->first != NO_BUFFER) {
		id = own->first;
		buffer = &buffers->buffer[id];
		part = least(length - taken, buffer->end - buffer->at);
		memcpy(bytes + taken, buffer_memory(buffers, id) + buffer->at, part);
		taken += part;
		buffer->at += (u32)part;
		if (buffer->at < buffer->end)
			break;
		own->first = buffer->next;
		uring_buffer_return(buffers, id);
	}
	return taken;
}

void uring_spill(struct uring_ev *own)
{
	struct uring_buffers *buffers = &uring_backend(&own->ev)->buffers;
	const struct uring_buffer *buffer;
	u32 id;

	while (own->first != NO_BUFFER) {
		id = own->first;
		buffer = &buffers->buffer[id];
		if (slick_buf_append(&own->spill, buffer_memory(buffers, id) + buffer->at,
				     buffer->end - buffer->at))
			return;
		own->first = buffer->next;
		uring_buffer_return(buffers, id);
	}
}

void uring_drop(struct uring_ev *own)
{
	struct uring_buffers *buffers = &uring_backend(&own->ev)->buffers;
	u32 id;

	while (own->first != NO_BUFFER) {
		id = own->first;
		own->first = buffers->buffer[id].next;
		uring_buffer_return(buffers, id);
	}
	slick_buf_free(&own->spill);
}

#endif
