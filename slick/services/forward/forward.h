/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The forwarder: takes Thrift messages `oneway msg(1: i32 key, 2: string payload)` and gives each,
 * byte for byte, to the backend of its key. Backends come and go by commands at a second port. One
 * source for the kernel and for a user process.
 */
#ifndef SLICK_FORWARD_H
#define SLICK_FORWARD_H

#include <slick/address.h>
#include <slick/klibevent.h>

struct slick_forward;

/*
 * Messages of one sender before others have their turn, for the loop's configuration; a read counts
 * as 16. Each turn that ends early wakes the receivers for less.
 */
#define SLICK_FORWARD_BUDGET 512

struct slick_forward_cfg {
	u32 chunk;	/* bytes that are read at a time, 0: up to 64 KiB */
	u32 reads;	/* reads before what they brought is sent on; 0: each message at once */
	u32 high;	/* waiting bytes of a backend that stop its senders; 0: 256 KiB, 64 KiB */
	u32 low;	/* and that let them go on */
	u32 max_frame;	/* 0: SLICK_THRIFT_MAX_FRAME */
};

/* What has happened so far. */
struct slick_forward_stats {
	u64 forwarded;		/* messages that a backend's buffer took */
	u64 unknown;		/* for a key without a backend: the sender was told */
	u64 malformed;		/* no such message: the sender was told, its connection closed */
	u64 oversized;		/* frames above the limit: likewise */
	u64 half;		/* frames that a sender began and did not end */
	u64 died;		/* backends that went away by themselves: their senders were told */
	u64 undelivered;	/* bytes that such backends had not taken from our buffers */
	u64 stalls;		/* times that a sender had to wait for a backend */
	u32 senders, backends;	/* now */
};

/*
 * A forwarder on a loop that runs one callback at a time (SLICK_ORDERED, SLICK_USER) and that it
 * does not own. ERR_PTR: -EINVAL: another loop, or marks that contradict each other; -ENOMEM.
 */
struct slick_forward *slick_forward_new(struct slick_loop *loop,
					const struct slick_forward_cfg *cfg);
/*
 * Listens for messages, and for commands. 0, or an error as of slick_listen(): then the loop has to
 * be destroyed.
 */
int slick_forward_listen(struct slick_forward *forward, const struct sockaddr *messages,
			 int messages_length, const struct sockaddr *commands, int commands_length);
slick_sock_t slick_forward_messages(const struct slick_forward *forward);
slick_sock_t slick_forward_commands(const struct slick_forward *forward);
/* May be asked from another thread: each number is right, they may be of different moments. */
void slick_forward_stats(const struct slick_forward *forward, struct slick_forward_stats *stats);
/* From another thread too, for all backends from the next message on. -EINVAL: low > high, or 0. */
int slick_forward_marks(struct slick_forward *forward, u32 high, u32 low);
void slick_forward_marks_now(const struct slick_forward *forward, u32 *high, u32 *low);
/* Behind slick_loop_destroy(), which has ended its connections. */
void slick_forward_free(struct slick_forward *forward);

#endif
