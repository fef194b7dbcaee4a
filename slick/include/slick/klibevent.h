/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * klibevent: what happens on sockets, told to functions. The same interface in the kernel (core/,
 * on the sockets' own callbacks) and in a user process (user/, on epoll, libevent or io_uring), so
 * that a service is one source and can be tried in both places.
 *
 * Events are level-triggered: as long as a wanted condition holds, the callback is called again.
 * Callbacks of one event never run beside each other. They must not sleep for long, and on
 * SLICK_SOFTIRQ not at all.
 */
#ifndef SLICK_KLIBEVENT_H
#define SLICK_KLIBEVENT_H

#include <slick/port.h>
#include <slick/transport.h>

struct net;
struct sockaddr;
struct slick_loop;
struct slick_ev;

/* Where callbacks run. */
enum slick_context {
	SLICK_PERCPU,	/* a workqueue, on the CPU where the data came in: the default */
	SLICK_ORDERED,	/* one callback at a time: sockets may touch each other */
	SLICK_KTHREAD,	/* a thread a CPU, for who wants to give it a priority */
	/*
	 * Where the data comes in, with the socket's lock held: may answer on the same socket, and
	 * nothing else.
	 */
	SLICK_SOFTIRQ,
	SLICK_USER,	/* a user process: one thread */
};

/* What may happen, and what may be wanted. EOF and ERROR are always told. */
#define SLICK_READ	0x01u
#define SLICK_WRITE	0x02u
/*
 * The peer has ended; bytes may still be there. It is told when it happens, once more when nothing
 * is left to be read, and with whatever else is told.
 */
#define SLICK_EOF	0x04u
#define SLICK_ERROR	0x08u	/* the connection is dead */
#define SLICK_TIMEOUT	0x10u	/* nothing else happened for so long */
#define SLICK_KICK	0x20u	/* slick_ev_kick() was called */

enum slick_ret {
	SLICK_DONE,	/* call again when something is wanted that holds */
	SLICK_AGAIN,	/* there is more to do: call again when others had their turn */
	SLICK_CLOSE,	/* as slick_ev_del_async() */
};

struct slick_ev_ops {
	enum slick_ret (*event)(struct slick_ev *ev, u32 what);
	/*
	 * The last call, in process context: nothing runs for this event any more and the socket is
	 * as it was before slick_ev_add(). It belongs to the one who added it: slick_sock_close()
	 * is his to call. May be NULL.
	 */
	void (*release)(struct slick_ev *ev);
};

struct slick_loop_cfg {
	const char *name;	/* for those who look; at most 31 characters count */
	enum slick_context context;
	u32 budget;	/* messages a callback may serve before it says SLICK_AGAIN; 0: 64 */
};

/* ERR_PTR in the kernel and in user space alike: -ENOMEM, -EINVAL. `net` is NULL in user space. */
struct slick_loop *slick_loop_create(struct net *net, const struct slick_loop_cfg *cfg);
/*
 * Deletes what is left on it and calls its release(); behind it no callback runs. Not from a
 * callback.
 */
void slick_loop_destroy(struct slick_loop *loop);
u32 slick_loop_budget(const struct slick_loop *loop);
enum slick_context slick_loop_context(const struct slick_loop *loop);

/*
 * Listens; each connection goes to `accept`, which owns the socket from then on, whatever it
 * returns (the return value is counted if it is an error). The listener is an event like others:
 * slick_ev_del() ends it. ERR_PTR: -EADDRINUSE, -EADDRNOTAVAIL, ...
 */
typedef int (*slick_accept_fn)(struct slick_loop *loop, slick_sock_t sock, void *data);
struct slick_ev *slick_listen(struct slick_loop *loop, const struct sockaddr *address, int length,
			      int backlog, slick_accept_fn accept, void *data);
/*
 * Begins to connect and gives the socket; SLICK_WRITE or SLICK_ERROR tells the outcome once it is
 * added. 0 or an error.
 */
int slick_connect(struct slick_loop *loop, const struct sockaddr *address, int length,
		  slick_sock_t *sock);
void slick_sock_close(slick_sock_t sock);

/*
 * Tells of a connected (or connecting) TCP socket from now on, beginning with what already holds.
 * ERR_PTR: -EBUSY (somebody else's: kTLS, sockmap, another loop), -EOPNOTSUPP (not TCP), -ESHUTDOWN
 * (the loop ends), -ENOMEM. As long as it has the event, no sockmap takes it; kTLS would, so
 * attach none until release().
 */
struct slick_ev *slick_ev_add(struct slick_loop *loop, slick_sock_t sock,
			      const struct slick_ev_ops *ops, void *data, u32 what);
/*
 * On return no callback runs or will, and release() was called. Not from this event's own callback,
 * nor from any callback of a loop that may serve both in one thread (all but SLICK_PERCPU).
 */
void slick_ev_del(struct slick_ev *ev);
/*
 * From anywhere: release() comes later. From its own callback no event() begins behind it; from
 * elsewhere one still may that was about to. Once; slick_ev_del() may not follow.
 */
void slick_ev_del_async(struct slick_ev *ev);

void *slick_ev_data(const struct slick_ev *ev);
struct slick_loop *slick_ev_loop(const struct slick_ev *ev);
slick_sock_t slick_ev_sock(const struct slick_ev *ev);
/* Replaces what is wanted (SLICK_READ, SLICK_WRITE). */
void slick_ev_want(struct slick_ev *ev, u32 what);
/* SLICK_TIMEOUT when nothing else was told for so many milliseconds; 0: never. */
void slick_ev_timeout(struct slick_ev *ev, u32 milliseconds);
/* Calls event() with SLICK_KICK soon, from anywhere. */
void slick_ev_kick(struct slick_ev *ev);
/* 0, or the socket's pending error, negative; it is taken by asking. */
int slick_ev_error(struct slick_ev *ev);

/* The transport of a BufferedSocket on this event: right for its loop's context. */
void slick_ev_transport(struct slick_ev *ev, struct slick_transport *transport);

#endif
