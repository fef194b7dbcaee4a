/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The echo service: what a connection sends comes back to it. One source for the kernel and for a
 * user process.
 */
#ifndef SLICK_ECHO_H
#define SLICK_ECHO_H

#include <slick/address.h>
#include <slick/klibevent.h>
#include <slick/thrift.h>

/* With its header a frame may be as long as the strparser takes: the same on all paths. */
#define ECHO_FRAME_MOST (0x2000000 - SLICK_THRIFT_FRAME_HEADER)
#define ECHO_CHUNK_MOST 0x100000

struct slick_echo;

/* Connections that were closed, and why. */
struct slick_echo_counts {
	struct slick_tally malformed;	/* no message of Thrift's, or too deep */
	struct slick_tally oversized;
};

struct slick_echo_cfg {
	u32 chunk; /* bytes that are read and answered at a time, 0: all that came, up to 64 KiB */
	bool thrift; /* each whole message of Thrift's is an answer, and `chunk` is 0 */
	struct slick_thrift_limits limits;
	struct slick_echo_counts *counts; /* last as long as the loop */
};

/* Counts one. `error` is what was wrong with its bytes: -EMSGSIZE, -EPROTO, -ELOOP. */
static inline void slick_echo_count(struct slick_echo_counts *counts, int error)
{
	slick_tally_add(error == -EMSGSIZE ? &counts->oversized : &counts->malformed);
}

/* Listens on the loop, which it does not own. ERR_PTR as slick_listen(), and -ENOMEM. */
struct slick_echo *slick_echo_start(struct slick_loop *loop, const struct sockaddr *address,
				    int length, const struct slick_echo_cfg *cfg);
slick_sock_t slick_echo_sock(const struct slick_echo *echo);
/* Behind slick_loop_destroy(), which has ended its connections. */
void slick_echo_free(struct slick_echo *echo);

#endif
