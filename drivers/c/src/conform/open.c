/* SPDX-License-Identifier: BSD-3-Clause */
/* open, close: devices come and go; their numbers are not used again. */
#include <stdio.h>

#include "conform.h"

static bool open_options(const struct command *command, struct ringway_options *options)
{
	uint64_t rx, tx, ring, pool, promiscuous, frame, link;

	if (!keyed(command, 2, "rx_queues", 1, &rx) || !keyed(command, 2, "tx_queues", 1, &tx) ||
	    !keyed(command, 2, "ring_slots", 512, &ring) || !keyed(command, 2, "pool_slots", 2048, &pool) ||
	    !keyed(command, 2, "promiscuous", 0, &promiscuous) || !keyed(command, 2, "max_frame", 1518, &frame) ||
	    !keyed(command, 2, "link_wait_ms", 0, &link))
		return false;
	if (pool == 0) { /* to the library 0 means its default */
		puts("error OutOfMemory a pool of 0 slots cannot fill a receive ring");
		return false;
	}
	if (!rx || !tx || !ring || !frame || rx > UINT16_MAX || tx > UINT16_MAX || (ring | pool | frame | link) > UINT32_MAX) {
		usage("option out of range", command->word[1]);
		return false;
	}
	*options = (struct ringway_options){ .rx_queues = (uint16_t)rx, .tx_queues = (uint16_t)tx,
		.ring_slots = (uint32_t)ring, .pool_slots = (uint32_t)pool, .max_frame = (uint32_t)frame,
		.link_wait_ms = (uint32_t)link, .promiscuous = promiscuous != 0 };
	return true;
}

void do_open(const struct command *command)
{
	struct ringway_options options;
	const uint8_t *mac;
	int error;

	if (command->words < 2 || device_count == DEVICES) {
		usage("open", word_at(command, 1));
		return;
	}
	if (!open_options(command, &options))
		return;
	error = ringway_open(command->word[1], memory, &options, &devices[device_count]);
	if (error < 0) {
		answer_error(error);
		return;
	}
	opened[device_count] = options;
	mac = ringway_mac(devices[device_count]);
	printf("ok device=%u mac=%02x:%02x:%02x:%02x:%02x:%02x way=%s\n", device_count, mac[0], mac[1], mac[2], mac[3], mac[4],
	       mac[5], ringway_way(devices[device_count]));
	device_count++;
}

/* Packets of a device that is about to close leave the hand first; the others keep their order. */
static void drop_from_hand(const struct ringway_device *device)
{
	struct ringway_batch *gone = ringway_batch_create(memory, HAND_SLOTS);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < hand->count; i++) {
		if (ringway_owns(device, hand->slot[i]))
			gone->slot[gone->count++] = hand->slot[i];
		else
			hand->slot[kept++] = hand->slot[i];
	}
	hand->count = kept;
	ringway_batch_destroy(gone);
}

void close_device(unsigned index)
{
	drop_from_hand(devices[index]);
	ringway_close(devices[index]);
	devices[index] = NULL;
}

void do_close(const struct command *command)
{
	int device = device_at(command, 1);

	if (device < 0)
		return;
	close_device((unsigned)device);
	puts("ok");
}
