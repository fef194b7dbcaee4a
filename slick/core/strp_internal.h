/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the parts of an event on the strparser know of each other. */
#ifndef SLICK_STRP_INTERNAL_H
#define SLICK_STRP_INTERNAL_H

#include <net/strparser.h>

#include <slick/strp.h>

#include "internal.h"

/* Memory of answers that wait: above it nothing is read, at or below the other it goes on. */
#define STRP_HIGH (256 * 1024)
#define STRP_LOW (64 * 1024)

struct strp_ev {
	struct slick_ev ev;	/* first: the two are freed as one */
	const struct slick_strp_ops *ops;
	struct strparser strp;
	struct sk_buff_head waiting;	/* answers, and parts of answers */
	size_t memory;			/* of them */
	u32 longest;	/* bytes of a message that the socket has to hold; 0: whatever it holds */
};

static inline struct strp_ev *strp_ev_of(const struct slick_ev *ev)
{
	return container_of(ev, struct strp_ev, ev);
}

/* All with the socket's lock held. */

/* strp_send.c */
/* Sends what waits until the peer takes no more. If it never will, nothing waits any longer. */
void strp_flush(struct strp_ev *se);

/* strp_room.c */
/* Lets the socket hold a message of so many bytes. */
void strp_room_begin(struct sock *sk, u32 longest);
/* Sees to it that the missing bytes of a message can come; false: they cannot. */
bool strp_room_for(struct sock *sk, u32 missing, u32 longest);

#endif
