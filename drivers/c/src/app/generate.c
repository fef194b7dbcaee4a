/* SPDX-License-Identifier: BSD-3-Clause */
/* generate: sends frames as fast as the ring takes them; each carries a running number behind its Ethernet header. */
#include <string.h>

#include "app.h"

#define FCS_BYTES       4u
#define HEADER_BYTES    14u
#define ROUNDS_PER_LOOK 256u

static void build(struct session *session, uint32_t slot, uint64_t number)
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

static int send_batch(struct session *session)
{
	struct ringway_batch *batch = session->batch;
	uint64_t left = session->settings.packets ? session->settings.packets - session->sent : UINT64_MAX;
	uint32_t first = batch->count, want = batch->capacity - first;
	int n;

	if (left < batch->capacity)
		want = left > first ? (uint32_t)left - first : 0;
	want = ringway_allocate(session->device[0], 0, batch, want);
	for (uint32_t i = 0; i < want; i++)
		build(session, batch->slot[first + i], session->sent + first + i);
	n = ringway_transmit(session->device[0], 0, batch);
	if (n > 0)
		session->sent += (uint32_t)n;
	return n;
}

int generate(struct session *session)
{
	do {
		for (uint32_t round = 0; round < ROUNDS_PER_LOOK; round++) {
			int n = send_batch(session);

			if (n < 0)
				return session_fail(session, n, EXIT_DEVICE_FAILED);
		}
	} while (session_goes_on(session));
	return EXIT_DONE;
}
