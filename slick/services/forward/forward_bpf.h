/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the forwarder's BPF programs and its process share. */
#ifndef SLICK_FORWARD_BPF_H
#define SLICK_FORWARD_BPF_H

#include "../bpf/shared.h"

/* A sender knows in one word which backends it has sent to. */
#define FORWARD_BACKENDS 64

/* Longer frames go through the process: a parser that waits for one must not fill the buffer. */
#define FORWARD_FAST_FRAME 65536

/* One a sender. A cache line each, as below. */
struct sender_state {
	__u64 gate;
	__u64 redirected; /* bytes that went to backends without the process */
	__u64 messages;
	__u64 taken; /* bytes that the process took; it alone writes this */
	__u64 overrun; /* bytes were dropped: the connection cannot go on */
	__u64 used; /* a bit for each backend that messages were redirected to */
	__u64 unused[2];
};

struct backend_state {
	__u64 redirected; /* bytes; a program that finds no room takes back what it added */
	__u64 shut; /* nothing more is redirected: the process writes itself */
	__u64 sent; /* bytes that the process wrote */
	__u64 base; /* what had been acknowledged before the first byte */
	__u64 unused[4];
};

#endif
