/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: from A to B and back, byte 48 of each packet + 1; what the other side does not take is dropped and counted. */
#include "app.h"

#define TOUCHED         48u
#define ROUNDS_PER_LOOK 1024u /* between two looks at clock and signals */

static uint32_t packets_in(const struct ringway_batch *batch)
{
	uint32_t packets = 0;

	for (uint32_t i = 0; i < batch->count; i++)
		packets += !(ringway_packet_info(batch->memory, batch->slot[i])->flags & RINGWAY_MORE);
	return packets;
}

static int one_way(struct session *session, int from, int to)
{
	struct ringway_batch *batch = session->batch;
	int n = ringway_receive(session->device[from], 0, batch);

	if (n <= 0)
		return n;
	for (uint32_t i = 0; i < batch->count; i++)
		if (ringway_packet_info(session->memory, batch->slot[i])->length > TOUCHED)
			ringway_packet(session->memory, batch->slot[i])[TOUCHED]++;
	session->received += batch->count;
	n = ringway_transmit(session->device[to], 0, batch);
	if (n < 0)
		return n;
	session->sent += (uint32_t)n;
	if (batch->count) {
		session->dropped[from] += packets_in(batch);
		ringway_batch_release(batch);
	}
	return 0;
}

int forward(struct session *session)
{
	int error = 0;

	do {
		for (uint32_t round = 0; !error && round < ROUNDS_PER_LOOK; round++) {
			error = one_way(session, 0, 1);
			if (!error)
				error = one_way(session, 1, 0);
		}
		if (error)
			return session_fail(session, error, EXIT_DEVICE_FAILED);
	} while (session_goes_on(session));
	return EXIT_DONE;
}
