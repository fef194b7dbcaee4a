/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the parts of the user loop know of each other. A round: interest that changed is told to the
 * backend, the backend waits and says what happened (slick_ev_happened(), which only queues), then
 * the queued events have their turn, each once. So nothing is called while a backend walks its own
 * results, and an event may be deleted by any callback.
 */
#ifndef SLICK_USER_INTERNAL_H
#define SLICK_USER_INTERNAL_H

#include "loop.h"

#include <signal.h>
#include <slick/list.h>

#define NEVER UINT64_MAX	/* a time in milliseconds */
#define NO_TIMER UINT32_MAX	/* a place in the heap */

/* What a callback may be told whether it is wanted or not. */
#define ALWAYS (SLICK_EOF | SLICK_ERROR | SLICK_TIMEOUT | SLICK_KICK)

struct slick_backend_ops {
	int (*open)(struct slick_loop *loop);
	void (*close)(struct slick_loop *loop);
	size_t ev_size;	/* of the backend's own event, which begins with a struct slick_ev */
	int (*add)(struct slick_ev *ev);
	/* Interest may have changed: wanted, listener, eof_told, error_told. */
	void (*update)(struct slick_ev *ev);
	/* On return the backend knows nothing of the socket. */
	void (*remove)(struct slick_ev *ev);
	/* Waits at most so many milliseconds, -1: until something happens. 0 or an error. */
	int (*wait)(struct slick_loop *loop, int milliseconds);
	/* Behind each callback: a backend that holds bytes queues the event again. May be NULL. */
	void (*called)(struct slick_ev *ev);
	/*
	 * The next connection of a listener, blocking as it is: a descriptor, -EAGAIN, another
	 * error.
	 */
	int (*accept)(struct slick_ev *ev);
	ssize_t (*recv)(struct slick_ev *ev, void *bytes, size_t length);
	int (*error)(struct slick_ev *ev);
};

struct slick_ev {
	struct slick_loop *loop;
	const struct slick_ev_ops *ops;
	void *data;
	slick_sock_t sock;
	u32 wanted;
	u32 ready;		/* what happened and was not told yet */
	u32 again;		/* what is told once more, because SLICK_AGAIN was said */
	u32 round;		/* in which it was queued */
	bool queued_again;
	bool listener;
	bool dead;
	bool eof_told, error_told;
	struct list_head all;		/* in loop->events, then in loop->dead */
	struct list_head ready_in;	/* in loop->ready */
	struct list_head changed_in;	/* in loop->changed */
	u32 timeout;		/* milliseconds; 0: none */
	u32 timer;		/* place in the heap */
	u64 deadline;		/* by which the heap is ordered; may lie before the true one */
	u64 told;		/* when something was told last */
};

struct slick_listener {
	slick_accept_fn accept;
	void *data;
};

struct slick_loop {
	const struct slick_backend_ops *ops;
	void *backend;		/* the backend's own */
	char name[32];
	u32 budget;
	u32 round;
	u32 number;		/* of events */
	u64 now;		/* milliseconds, kept only while there are timers */
	bool ending;
	int wake;		/* an eventfd that ends a wait */
	volatile sig_atomic_t stop;
	struct list_head events, ready, changed, dead;
	struct slick_ev **timers;	/* a heap */
	u32 timers_used, timers_size;
	u8 *socks;		/* a bit for each descriptor that is on this loop */
	size_t socks_size;
	struct slick_loop_counts counts;
};

extern const struct slick_backend_ops slick_epoll_ops;
#ifdef SLICK_WITH_LIBEVENT
extern const struct slick_backend_ops slick_libevent_ops;
#endif
#ifdef SLICK_WITH_URING
extern const struct slick_backend_ops slick_uring_ops;
#endif

/* event.c */
struct slick_ev *slick_ev_create(struct slick_loop *loop, slick_sock_t sock,
				 const struct slick_ev_ops *ops, void *data, u32 what,
				 bool listener);
void slick_ev_happened(struct slick_ev *ev, u32 what);
void slick_ev_changed(struct slick_ev *ev);
void slick_ev_call(struct slick_ev *ev);
/* Ends it where it stands: removed, released, freed. */
void slick_ev_end(struct slick_ev *ev);

/* timer.c */
u64 slick_clock(void);
/* Room for so many, so that setting one cannot fail. */
int slick_timers_reserve(struct slick_loop *loop, u32 number);
void slick_timer_set(struct slick_ev *ev, u32 milliseconds);
void slick_timer_clear(struct slick_ev *ev);
void slick_timers_expire(struct slick_loop *loop);
u64 slick_timers_next(const struct slick_loop *loop);

/* listen.c */
extern const struct slick_ev_ops slick_listener_ops;

/* transport.c: plain system calls, for backends that have nothing better. */
ssize_t slick_sock_recv(struct slick_ev *ev, void *bytes, size_t length);
int slick_sock_accept(struct slick_ev *ev);
int slick_sock_error(struct slick_ev *ev);

#endif
