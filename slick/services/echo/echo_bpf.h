/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the echo's BPF programs and its process share. */
#ifndef SLICK_ECHO_BPF_H
#define SLICK_ECHO_BPF_H

#include "../bpf/shared.h"

/*
 * One a connection, at the same place in the map of sockets and in the map of these. A cache line
 * each.
 */
struct echo_state {
	__u64 gate;
	__u64 redirected; /* bytes that went back without the process; written under the socket's
			     lock */
	__u64 messages;
	__u64 taken; /* bytes that the process took; it alone writes this */
	__u64 overrun; /* bytes were dropped: the connection cannot go on */
	__u64 unused[3];
};

#endif
