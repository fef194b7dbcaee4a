/* SPDX-License-Identifier: BSD-3-Clause */
/* transmit, send, release: out of the pool or the hand. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conform.h"

static int nibble(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool packet_is_legal(const char *hex, uint32_t max_frame)
{
	size_t digits = strlen(hex);

	if (digits % 2 || digits / 2 < 14 || digits / 2 > max_frame - 4)
		return false;
	for (size_t i = 0; i < digits; i++)
		if (nibble(hex[i]) < 0)
			return false;
	return true;
}

/* Builds a packet from hex at the end of the batch; false if the pool has too few slots. */
static bool build(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch, const char *hex)
{
	uint32_t length = (uint32_t)strlen(hex) / 2, slots = (length + RINGWAY_SLOT_BYTES - 1) / RINGWAY_SLOT_BYTES;
	uint32_t first = batch->count;

	if (ringway_allocate(device, queue, batch, slots) < slots)
		return false;
	for (uint32_t i = 0; i < slots; i++) {
		uint32_t part = length < RINGWAY_SLOT_BYTES ? length : RINGWAY_SLOT_BYTES;
		uint8_t *bytes = ringway_packet(memory, batch->slot[first + i]);

		*ringway_packet_info(memory, batch->slot[first + i]) =
			(struct ringway_packet_info){ .length = (uint16_t)part, .flags = i + 1 < slots ? RINGWAY_MORE : 0 };
		for (uint32_t b = 0; b < part; b++, hex += 2)
			bytes[b] = (uint8_t)(nibble(hex[0]) << 4 | nibble(hex[1]));
		length -= part;
	}
	return true;
}

/* Sends the batch once and answers with the number of packets taken. */
static void transmit_and_answer(int device, uint16_t queue, struct ringway_batch *batch)
{
	uint32_t before = packets_in(batch, 0);
	int n = ringway_transmit(devices[device], queue, batch);

	if (n < 0)
		answer_error(n);
	else
		printf("ok n=%" PRIu32 "\n", before - packets_in(batch, 0));
}

void do_transmit(const struct command *command)
{
	int device = device_at(command, 1), queue;
	struct ringway_batch *batch;

	if (device < 0 || (queue = queue_at(command, 2, opened[device].tx_queues)) < 0)
		return;
	for (int i = 3; i < command->words; i++) {
		if (!packet_is_legal(command->word[i], opened[device].max_frame)) {
			usage("not a packet that can be sent", command->word[i]);
			return;
		}
	}
	batch = ringway_batch_create(memory, HAND_SLOTS);
	for (int i = 3; i < command->words; i++)
		if (!build(devices[device], (uint16_t)queue, batch, command->word[i]))
			break;
	transmit_and_answer(device, (uint16_t)queue, batch);
	ringway_batch_destroy(batch);
}

void do_send(const struct command *command)
{
	int device = device_at(command, 1), queue;
	uint64_t count;
	uint32_t slots = 0, tail;
	struct ringway_batch *batch;

	if (device < 0 || (queue = queue_at(command, 2, opened[device].tx_queues)) < 0)
		return;
	count = packets_in(hand, 0);
	if (command->words > 3 && !numeric(command, 3, &count))
		return;
	for (uint64_t packets = 0; slots < hand->count && packets < count; slots++)
		packets += !(ringway_packet_info(memory, hand->slot[slots])->flags & RINGWAY_MORE);

	batch = ringway_batch_create(memory, HAND_SLOTS);
	memcpy(batch->slot, hand->slot, slots * sizeof(hand->slot[0]));
	batch->count = slots;
	transmit_and_answer(device, (uint16_t)queue, batch);
	tail = hand->count - slots; /* what the ring did not take goes back to the front */
	memmove(hand->slot + batch->count, hand->slot + slots, tail * sizeof(hand->slot[0]));
	memcpy(hand->slot, batch->slot, batch->count * sizeof(hand->slot[0]));
	hand->count = batch->count + tail;
	batch->count = 0;
	ringway_batch_destroy(batch);
}

void do_release(const struct command *command)
{
	(void)command;
	printf("ok n=%" PRIu32 "\n", packets_in(hand, 0));
	ringway_batch_release(hand);
}
