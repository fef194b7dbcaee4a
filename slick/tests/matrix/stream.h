/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Bytes that go through an echo service and are compared as they come back. */
#ifndef SLICK_MATRIX_STREAM_H
#define SLICK_MATRIX_STREAM_H

#include "matrix.h"

#define STEP 65536 /* bytes that are sent or looked at in one go */

/* One stream of `length` bytes through the service: what is sent, and what came back of it. */
struct stream {
	int sock;
	uint32_t seed;
	size_t length, sent, received;
	size_t ahead; /* at most so many bytes are on their way; 0: any number */
	bool shut; /* end our direction behind the last byte */
	bool ended;
};

/* All streams at once, until each has had all of its bytes back. */
bool run_streams(struct stream *streams, int count);

/* A way in which something goes there and comes back, of a connection that is there. */
typedef bool (*exchange_fn)(int sock, uint32_t seed, size_t length);

/* On a connection of its own. */
bool exchange_alone(exchange_fn exchange, uint32_t seed, size_t length);
/* One after the other on one connection, each with its own seed. */
bool exchange_sizes(exchange_fn exchange, const size_t *sizes, size_t number);

#endif
