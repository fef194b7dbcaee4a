/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The io_uring backend's parts. A socket that is read has one multishot receive on the ring, which
 * takes a buffer of the loop's for each arrival; the bytes stay there until the transport's recv()
 * copies them out, then the buffer goes back to the kernel.
 */
#ifndef SLICK_USER_URING_H
#define SLICK_USER_URING_H

#include "internal.h"

#include <liburing.h>
#include <slick/buffer.h>

#define NO_BUFFER UINT32_MAX

struct uring_buffer {
	u32 next;	/* held by the same socket */
	u32 at, end;	/* bytes that were not taken yet */
};

struct uring_buffers {
	struct io_uring_buf_ring *ring;	/* NULL: not registered yet */
	struct uring_buffer *buffer;
	u8 *memory;
	u32 bytes, number;	/* of one; of them */
	u32 stride;		/* from one to the next */
	u32 held;		/* not with the kernel */
	u32 returned;		/* given back and not published yet */
};

struct uring_backend {
	struct io_uring ring;
	struct uring_buffers buffers;
	struct list_head starved;	/* sockets whose receive ended for want of a buffer */
	bool waking;			/* the eventfd is watched */
};

struct uring_accepted {
	int *socks;
	u32 head, tail, size;
};

struct uring_ev {
	struct slick_ev ev;
	u32 requests;		/* whose last completion has not come */
	bool receiving;		/* a multishot receive or accept is one of them */
	bool receive_ending;	/* and its cancellation was asked for */
	bool polling, poll_ending;
	bool eof;
	bool nonblock;		/* as the socket came */
	u32 polled;
	int error;		/* that every recv() gives from now on */
	int pending;		/* that slick_ev_error() has not taken */
	u32 first, last;	/* buffers held */
	struct slick_buf spill;	/* bytes before them, moved off when others needed buffers */
	struct list_head starved_in;
	struct uring_accepted accepted;
};

static inline struct uring_ev *uring_of(struct slick_ev *ev)
{
	return container_of(ev, struct uring_ev, ev);
}

static inline struct uring_backend *uring_backend(const struct slick_ev *ev)
{
	return ev->loop->backend;
}

/* uring_buffers.c */
int uring_buffers_register(struct uring_backend *backend);
void uring_buffers_free(struct uring_backend *backend);
void uring_buffer_return(struct uring_buffers *buffers, u32 id);
/* Tells the kernel of all that were returned. */
void uring_buffers_publish(struct uring_buffers *buffers);
void uring_hold(struct uring_ev *own, u32 id, u32 length);
bool uring_holds(const struct uring_ev *own);
size_t uring_take(struct uring_ev *own, u8 *bytes, size_t length);
/* Moves what it holds to memory of its own; without memory it keeps what it holds. */
void uring_spill(struct uring_ev *own);
void uring_drop(struct uring_ev *own);

/* uring_request.c */
struct io_uring_sqe *uring_sqe(struct uring_backend *backend);
void uring_arm(struct slick_ev *ev);
void uring_cancel(struct slick_ev *ev);
/* Takes all completions there are; events are queued, none is called. */
void uring_reap(struct slick_loop *loop);
void uring_watch_wake(struct slick_loop *loop);

#endif
