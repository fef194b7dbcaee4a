/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the forwarder's parts know of each other. A sender and a backend that it has sent to are
 * joined by a route, so that a message finds its backend without a search among all, and a backend
 * that dies finds those who relied on it.
 */
#ifndef SLICK_FORWARD_INTERNAL_H
#define SLICK_FORWARD_INTERNAL_H

#include "forward.h"
#include "protocol.h"

#include <slick/list.h>
#include <slick/tsock.h>

#define FORWARD_BUCKETS 256	/* of keys to backends; a power of two */
#define ROUTE_BUCKETS 64	/* of a sender's keys; a power of two */
#define FORWARD_READ (64 * 1024)
#define FORWARD_BACKLOG 128
#define CONNECT_PATIENCE 10000	/* milliseconds */
#define DRAIN_PATIENCE 10000
#define NO_KEY (-1)		/* of a failure that concerns no key */

struct forward_sender;

struct slick_forward {
	struct slick_loop *loop;
	struct slick_ev *messages, *commands;
	struct slick_forward_cfg cfg;
	u64 marks;	/* high and, in the lower half, low: both change at once */
	struct slick_forward_stats stats;
	struct list_head buckets[FORWARD_BUCKETS];	/* of backends that take messages */
	struct list_head connecting;			/* backends that do not yet */
	struct list_head corked;			/* that send at the end of the callback */
};

enum backend_state {
	BACKEND_CONNECTING,
	BACKEND_UP,
	BACKEND_ENDING,	/* takes no more, sends what waits */
	BACKEND_GONE,
};

struct forward_backend {
	struct slick_forward *forward;
	struct slick_ev *ev;
	struct slick_ts ts;
	struct list_head bucket;	/* in forward->buckets, or in forward->connecting */
	struct list_head corked;	/* in forward->corked */
	struct list_head routes;	/* of senders that have sent to it */
	struct list_head waiting;	/* senders that wait for it */
	struct forward_sender *asker;	/* who wants to know whether it could be connected */
	s32 sequence;			/* of that question */
	s32 key;
	u64 marks;	/* those that its buffer has */
	enum backend_state state;
};

struct forward_route {
	struct list_head bucket;	/* in sender->buckets, as long as messages may take it */
	struct list_head of_sender;	/* in sender->routes */
	struct list_head of_backend;	/* in backend->routes */
	struct forward_sender *sender;
	struct forward_backend *backend;
	s32 key;
};

struct forward_sender {
	struct slick_forward *forward;
	struct slick_ev *ev;
	struct slick_ts ts;
	struct list_head routes;	/* all of them */
	struct list_head buckets[ROUTE_BUCKETS]; /* those that messages may take, by key */
	struct list_head waiting;	/* in a backend's */
	struct list_head copies;	/* of messages that were lent, until they are sent */
	size_t taken;			/* bytes of this read, where reading is a walk */
	size_t need;			/* bytes that have to be copied before it goes on */
	u32 left;			/* messages that the walk may still take */
	bool commands;			/* came in at the port of commands */
	bool ended;			/* detached: only release() may touch it */
	bool closing;			/* nothing more is served */
	bool lingering;			/* and that has begun */
	u32 dropped;			/* bytes since then */
};

enum step {
	STEP_TAKEN,	/* a message is done with */
	STEP_HUNGRY,	/* there is no whole one */
	STEP_WAIT,	/* its backend does not take it now */
	STEP_CLOSE,	/* nothing can follow */
};

/* step.c */
enum step sender_step(struct forward_sender *sender);

/* sender.c */
int sender_accept(struct slick_loop *loop, slick_sock_t sock, void *forward);
int commander_accept(struct slick_loop *loop, slick_sock_t sock, void *forward);
/* Tells a sender that what it sent for a key does not arrive. */
void sender_failed(struct forward_sender *sender, s32 key, const char *reason);

/* A frame of ours; if it cannot be kept for the sender, the end of its connection tells it. */
void sender_tell(struct forward_sender *sender, const u8 *frame, s64 length);
/* 1: `key` is what the message says; else -EPROTO or -ELOOP. */
int sender_key(const struct slick_thrift_msg *msg, s32 *key);

/* take.c */
/*
 * Reads more: as slick_bs_fill(). Where the transport shows bytes without copying them, messages
 * that need no more than to be given to their backends are, up to sender->left of them. `ends`: a
 * read ends with it, and does not go on with the next call.
 */
ssize_t take_more(struct forward_sender *sender, bool *ends);
/* Nothing is lent any more. */
void take_free(struct forward_sender *sender);

/* command.c */
/* 0: answered, or will be; an error: its connection cannot go on. */
int command_take(struct forward_sender *sender, const struct slick_thrift_msg *msg);
void command_connected(struct forward_sender *sender, s32 sequence);
void command_failed(struct forward_sender *sender, s32 sequence, const char *reason);

/* backend.c */
struct forward_backend *backend_find(const struct slick_forward *forward, s32 key);
/* Begins to connect; `asker` is told the outcome. 0 or an error. */
int backend_connect(struct slick_forward *forward, s32 key, const struct sockaddr_storage *address,
		    int length, struct forward_sender *asker, s32 sequence);
void backend_disconnect(struct forward_backend *backend);
/* It went away by itself: its senders are told. */
void backend_died(struct forward_backend *backend, int error);
/* As slick_ts_forward(), sent at the end of the callback where the configuration says so. */
int backend_give(struct forward_backend *backend, struct forward_sender *sender,
		 const struct slick_thrift_msg *msg);
/* The sender waits until the backend is at its low mark. */
void backend_wait(struct forward_backend *backend, struct forward_sender *sender);
/*
 * Likewise, and the bytes may stay where they are until then: from a walk. -EAGAIN: it cannot take
 * it so.
 */
int backend_lend(struct forward_backend *backend, const u8 *frame, u32 length);
/* Sends what this callback has given to backends. */
void backends_flush(struct slick_forward *forward);
void backend_forget_asker(struct slick_forward *forward, const struct forward_sender *asker);

/* route.c */
static inline u32 route_bucket(s32 key)
{
	return (u32)key % ROUTE_BUCKETS;
}

static inline struct forward_backend *route_find(const struct forward_sender *sender, s32 key)
{
	struct forward_route *route;

	list_for_each_entry(route, &sender->buckets[route_bucket(key)], bucket) {
		if (likely(route->key == key))
			return route->backend;
	}
	return NULL;
}

int route_add(struct forward_sender *sender, struct forward_backend *backend);
/* Messages of its senders find it no more; the senders are still known. */
void routes_hide(struct forward_backend *backend);
void routes_free_sender(struct forward_sender *sender);
/* Tells each sender, unless `reason` is NULL. */
void routes_free_backend(struct forward_backend *backend, const char *reason);

#endif
