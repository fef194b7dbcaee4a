/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What a BufferedSocket wants of the thing below it: four functions, and three for who can do
 * without copies. In the kernel a socket of a loop (core/transport.c), in user space a descriptor
 * (user/transport.c), in tests a few bytes of memory.
 */
#ifndef SLICK_TRANSPORT_H
#define SLICK_TRANSPORT_H

#include <slick/port.h>

/* Bytes that lie somewhere; laid out as struct iovec and struct kvec. */
struct slick_piece {
	const void *bytes;
	size_t length;
};

/* Looks at bytes that came, where they lie: how many it takes; fewer than `length`: it stops. */
typedef size_t (*slick_walk_fn)(void *data, const u8 *bytes, size_t length);

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
	/*
	 * The rest may be NULL, all three of them.
	 *
	 * Shows what came, at most `most` bytes, piece by piece without a copy: how many were
	 * taken. They stay where they are until walked(). Nothing may be sent or received
	 * meanwhile. 0: nothing was taken, be it for want of bytes or of pieces that can be lent:
	 * recv() knows.
	 */
	ssize_t (*walk)(void *context, size_t most, slick_walk_fn fn, void *data);
	void (*walked)(void *context);
	/* As send(), of at most SLICK_PIECES pieces. */
	ssize_t (*sendv)(void *context, const struct slick_piece *pieces, unsigned int number);
};

#define SLICK_PIECES 1024u /* as UIO_MAXIOV */

struct slick_transport {
	const struct slick_transport_ops *ops;
	void *context;
};

#endif
