/* SPDX-License-Identifier: BSD-3-Clause */
/* receive: into the hand, and onto the line of the answer. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conform.h"

uint32_t packets_in(const struct ringway_batch *batch, uint32_t first)
{
	uint32_t packets = 0;

	for (uint32_t i = first; i < batch->count; i++)
		packets += !(ringway_packet_info(memory, batch->slot[i])->flags & RINGWAY_MORE);
	return packets;
}

static void print_packets(const struct ringway_batch *batch, uint32_t first)
{
	static const char digit[] = "0123456789abcdef";

	for (uint32_t i = first; i < batch->count; i++) {
		const struct ringway_packet_info *info = ringway_packet_info(memory, batch->slot[i]);
		const uint8_t *bytes = ringway_packet(memory, batch->slot[i]);

		for (uint16_t b = 0; b < info->length; b++) {
			putchar(digit[bytes[b] >> 4]);
			putchar(digit[bytes[b] & 15]);
		}
		if (!(info->flags & RINGWAY_MORE) && i + 1 < batch->count)
			putchar(',');
	}
}

static void print_hashes(const struct ringway_batch *batch, uint32_t first)
{
	const char *separator = " hashes=";

	for (uint32_t i = first; i < batch->count; i++) {
		const struct ringway_packet_info *info = ringway_packet_info(memory, batch->slot[i]);

		if (info->flags & RINGWAY_MORE)
			continue;
		printf("%s%" PRIu32, separator, info->hash);
		separator = ",";
	}
}

static void append(struct ringway_batch *to, struct ringway_batch *from)
{
	memcpy(to->slot + to->count, from->slot, from->count * sizeof(from->slot[0]));
	to->count += from->count;
	from->count = 0;
}

/* One packet of several slots: the smallest batch that takes it, so that nothing else comes along. */
int receive_long(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch)
{
	int n = -EMSGSIZE;

	for (batch->capacity = 2; n == -EMSGSIZE && batch->capacity <= JUMBO_SLOTS; batch->capacity++)
		n = ringway_receive(device, queue, batch);
	return n;
}

void do_receive(const struct command *command)
{
	int device = device_at(command, 1), queue, n = 0;
	uint64_t count, size;
	uint32_t before = hand->count;
	struct ringway_batch *batch;

	if (device < 0 || (queue = queue_at(command, 2, opened[device].rx_queues)) < 0 || !numeric(command, 3, &count) ||
	    !keyed(command, 4, "batch", 32, &size))
		return;
	if (size == 0 || size > HAND_SLOTS) {
		usage("batch out of range", word_at(command, 4));
		return;
	}
	batch = ringway_batch_create(memory, (uint32_t)size + JUMBO_SLOTS);
	for (uint32_t got = 0; got < count; got = packets_in(hand, before)) {
		batch->capacity = (uint32_t)(count - got < size ? count - got : size);
		n = ringway_receive(devices[device], (uint16_t)queue, batch);
		if (n == -EMSGSIZE)
			n = receive_long(devices[device], (uint16_t)queue, batch);
		if (n <= 0)
			break;
		append(hand, batch);
	}
	ringway_batch_destroy(batch);
	if (n < 0 && hand->count == before) {
		answer_error(n);
		return;
	}
	printf("ok n=%" PRIu32, packets_in(hand, before));
	if (hand->count > before) {
		fputs(" packets=", stdout);
		print_packets(hand, before);
		if (opened[device].rx_queues > 1)
			print_hashes(hand, before);
	}
	putchar('\n');
}
