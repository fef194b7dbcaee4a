/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What a BufferedSocket wants of the thing below it: four functions. In the kernel a socket of a
 * loop (core/transport.c), in user space a descriptor (user/transport.c), in tests a few bytes of
 * memory.
 */
#ifndef SLICK_TRANSPORT_H
#define SLICK_TRANSPORT_H

#include <slick/port.h>

struct slick_transport_ops {
	/*
	 * Bytes that came, at most `length`; 0: the peer has ended; -EAGAIN: none now; another
	 * error: the connection is dead.
	 */
	ssize_t (*recv)(void *context, void *bytes, size_t length);
	/*
	 * How many bytes were taken, maybe fewer; -EAGAIN: none now. `more`: others follow at once,
	 * a packet may wait for them.
	 */
	ssize_t (*send)(void *context, const void *bytes, size_t length, bool more);
	/*
	 * What the owner wants to be told of from now on: SLICK_READ (unless paused), SLICK_WRITE
	 * (while bytes wait).
	 */
	void (*want)(void *context, u32 what);
	/* Nothing more will be sent: the peer sees the end behind the last byte. */
	void (*shut)(void *context);
};

struct slick_transport {
	const struct slick_transport_ops *ops;
	void *context;
};

#endif
