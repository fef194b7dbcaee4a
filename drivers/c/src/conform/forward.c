/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: byte 48 of each packet + 1, both ways, until enough packets or enough time. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "conform.h"

#define TOUCHED 48u

struct totals {
	uint64_t received, sent, dropped;
};

static int forward_once(struct ringway_device *from, struct ringway_device *to, struct ringway_batch *batch,
                        struct totals *totals)
{
	int n = ringway_receive(from, 0, batch);
	uint32_t packets;

	if (n == -EMSGSIZE)
		n = receive_long(from, 0, batch);
	if (n < 0)
		return n;
	for (uint32_t i = 0; i < batch->count; i++) {
		bool first = i == 0 || !(ringway_packet_info(memory, batch->slot[i - 1])->flags & RINGWAY_MORE);

		if (first && ringway_packet_info(memory, batch->slot[i])->length > TOUCHED)
			ringway_packet(memory, batch->slot[i])[TOUCHED]++;
	}
	packets = packets_in(batch, 0);
	n = batch->count ? ringway_transmit(to, 0, batch) : 0;
	totals->received += packets;
	totals->dropped += packets_in(batch, 0);
	totals->sent += packets - packets_in(batch, 0);
	ringway_batch_release(batch);
	return n < 0 ? n : 0;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

void do_forward(const struct command *command)
{
	int a = device_at(command, 1), b = a < 0 ? -1 : device_at(command, 2), error = 0;
	uint64_t packets, millis, size, end;
	struct totals totals = { 0 };
	struct ringway_batch *batch;

	if (b < 0 || !keyed(command, 3, "packets", UINT64_MAX, &packets) || !keyed(command, 3, "millis", UINT64_MAX, &millis) ||
	    !keyed(command, 3, "batch", 32, &size))
		return;
	if ((packets == UINT64_MAX && millis == UINT64_MAX) || size == 0 || size > HAND_SLOTS) {
		usage("forward needs packets or millis, and a batch", command->word[0]);
		return;
	}
	if (a == b) {
		usage("forward needs two devices", command->word[2]);
		return;
	}
	batch = ringway_batch_create(memory, (uint32_t)size + JUMBO_SLOTS);
	end = millis == UINT64_MAX ? UINT64_MAX : now_ms() + millis + 1; /* now_ms() rounds down */
	for (bool back = false; !error && totals.received < packets && (end == UINT64_MAX || now_ms() < end); back = !back) {
		uint64_t left = packets - totals.received;

		batch->capacity = (uint32_t)(left < size ? left : size);
		error = back ? forward_once(devices[b], devices[a], batch, &totals)
		             : forward_once(devices[a], devices[b], batch, &totals);
	}
	ringway_batch_destroy(batch);
	if (error)
		answer_error(error);
	else
		printf("ok received=%" PRIu64 " sent=%" PRIu64 " dropped=%" PRIu64 "\n", totals.received, totals.sent,
		       totals.dropped);
}
