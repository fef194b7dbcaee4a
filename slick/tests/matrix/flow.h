/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Many senders and many backends at once, each message checked where it arrives. */
#ifndef SLICK_MATRIX_FLOW_H
#define SLICK_MATRIX_FLOW_H

#include "matrix.h"

struct flow_sender {
	int sock;
	uint8_t *bytes; /* all that it will send */
	size_t length, at;
};

struct flow {
	int senders, backends;
	int messages; /* of each sender, to the backends in turn */
	size_t payload; /* the largest; at least 12 */
	size_t chunk; /* bytes of one send; 0: as many as go */
	int32_t first_key;
	struct flow_sender *from;
	struct backend *to;
	uint32_t *next; /* for each sender and backend: the number of the message that is due */
	size_t arrived;
};

/* Opens all, sends all, and waits until all have arrived. */
bool flow_run(struct flow *flow);

/* The frame number `index` of sender `sender` to `key`. */
void flow_frame(struct frame *frame, int sender, int32_t key, uint32_t index, size_t length);

#endif
