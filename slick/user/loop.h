/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What klibevent has in a user process only: the choice of what waits for the sockets, and the
 * thread that does it. A loop belongs to the thread that created it: everything is called from
 * there, but for slick_loop_stop().
 */
#ifndef SLICK_USER_LOOP_H
#define SLICK_USER_LOOP_H

#include <slick/klibevent.h>

enum slick_backend {
	SLICK_BACKEND_EPOLL,
	SLICK_BACKEND_LIBEVENT,
	SLICK_BACKEND_URING,
};

/* "epoll", "libevent", "io_uring": 0 and the backend, or -EINVAL. */
int slick_backend_parse(const char *name, enum slick_backend *backend);
const char *slick_backend_name(enum slick_backend backend);

/*
 * ERR_PTR: -EOPNOTSUPP (built without this backend), -ENOSYS or -EPERM (this kernel does not have
 * or does not allow io_uring), -ENOMEM, -EMFILE. slick_loop_create() takes epoll, and only
 * SLICK_USER as the context.
 */
struct slick_loop *slick_user_loop_create(const char *name, u32 budget, enum slick_backend backend);

/*
 * io_uring reads ahead into buffers that all sockets of the loop share: `number` (a power of two,
 * at most 32768) of `bytes`. Before the first event; 0: 64 KiB, and as many as 4 MiB hold, because
 * they are filled in turn and more would not stay in the cache. The size of one message makes the
 * kernel receive one message at a time, as a reader of a socket does. -EBUSY: too late; -EINVAL;
 * ignored (0) where the loop is not on io_uring.
 */
int slick_user_loop_buffers(struct slick_loop *loop, u32 bytes, u32 number);

/*
 * Serves until slick_loop_stop() (0), or for so many milliseconds (-ETIME); -1: without an end.
 * Another error: the backend's.
 */
int slick_loop_run(struct slick_loop *loop, int milliseconds);
/*
 * From a signal handler or another thread too; the next slick_loop_run() ends, even one that has
 * not begun.
 */
void slick_loop_stop(struct slick_loop *loop);

struct slick_loop_counts {
	u64 waits;	/* times that the kernel was asked what happened */
	u64 callbacks;
	u64 accepted;
	u64 refused;	/* accept() functions that failed, connections that could not be taken */
	u64 starved;	/* io_uring: no buffer was free */
};

void slick_loop_counts(const struct slick_loop *loop, struct slick_loop_counts *counts);

#endif
