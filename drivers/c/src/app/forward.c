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

static int one_way(struct worker *worker, int from, int to)
{
	struct session *session = worker->session;
	struct ringway_batch *batch = worker->batch;
	int n = ringway_receive(session->device[from], worker->queue, batch), taken;

	if (n <= 0)
		return n;
	for (uint32_t i = 0; i < batch->count; i++)
		if (ringway_packet_info(session->memory, batch->slot[i])->length > TOUCHED)
			ringway_packet(session->memory, batch->slot[i])[TOUCHED]++;
	count(&worker->received, batch->count);
	taken = ringway_transmit(session->device[to], worker->queue, batch);
	if (taken < 0)
		return taken;
	count(&worker->sent, (uint32_t)taken);
	if (batch->count) {
		count(&worker->dropped[from], packets_in(batch));
		ringway_batch_release(batch);
	}
	return n;
}

static int turns(struct worker *worker)
{
	int moved = 0;

	for (uint32_t round = 0; round < ROUNDS_PER_LOOK; round++)
		for (int from = 0; from < APP_DEVICES; from++) {
			int n = one_way(worker, from, 1 - from);

			if (n < 0)
				return n;
			moved |= n;
		}
	return moved;
}

int forward(struct session *session)
{
	return workers_run(session, turns);
}
