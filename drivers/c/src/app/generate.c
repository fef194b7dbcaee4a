/* SPDX-License-Identifier: BSD-3-Clause */
/* generate: sends frames as fast as the ring takes them; each carries a running number behind its Ethernet header. */
#include <string.h>

#include "app.h"

#define FCS_BYTES       4u
#define HEADER_BYTES    14u
#define ROUNDS_PER_LOOK 256u

static void build(const struct session *session, uint32_t slot, uint64_t number)
{
	static const uint8_t header[HEADER_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0x88, 0xb5 };
	uint8_t *bytes = ringway_packet(session->memory, slot);
	struct ringway_packet_info *info = ringway_packet_info(session->memory, slot);

	*info = (struct ringway_packet_info){ .length = (uint16_t)(session->settings.size - FCS_BYTES) };
	memset(bytes + HEADER_BYTES, 0, info->length - HEADER_BYTES);
	memcpy(bytes, header, HEADER_BYTES);
	memcpy(bytes + 6, ringway_mac(session->device[0]), 6);
	memcpy(bytes + HEADER_BYTES, &number, sizeof(number));
}

/* How many packets this worker is to send in all. */
static uint64_t share(const struct worker *worker)
{
	const struct settings *settings = &worker->session->settings;

	if (!settings->packets)
		return UINT64_MAX;
	return settings->packets / settings->queues + (worker->queue < settings->packets % settings->queues);
}

static int send_batch(struct worker *worker)
{
	const struct session *session = worker->session;
	struct ringway_batch *batch = worker->batch;
	uint64_t sent = atomic_load_explicit(&worker->sent, memory_order_relaxed), left = share(worker) - sent;
	uint32_t first = batch->count, want = batch->capacity - first;
	int n;

	if (left < batch->capacity)
		want = left > first ? (uint32_t)left - first : 0;
	want = ringway_allocate(session->device[0], worker->queue, batch, want);
	/* workers take turns at the numbers, so that none comes twice */
	for (uint32_t i = 0; i < want; i++)
		build(session, batch->slot[first + i], (sent + first + i) * session->settings.queues + worker->queue);
	n = ringway_transmit(session->device[0], worker->queue, batch);
	if (n > 0)
		count(&worker->sent, (uint32_t)n);
	return n;
}

static int turns(struct worker *worker)
{
	int moved = 0;

	for (uint32_t round = 0; round < ROUNDS_PER_LOOK; round++) {
		int n = send_batch(worker);

		if (n < 0)
			return n;
		moved |= n;
	}
	return moved;
}

int generate(struct session *session)
{
	return workers_run(session, turns);
}
