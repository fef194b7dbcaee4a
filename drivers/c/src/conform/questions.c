/* SPDX-License-Identifier: BSD-3-Clause */
/* stats, link, slots, promiscuous. */
#include <inttypes.h>
#include <stdio.h>

#include "conform.h"

void do_stats(const struct command *command)
{
	int device = device_at(command, 1), error;
	struct ringway_stats stats;

	if (device < 0)
		return;
	error = ringway_stats(devices[device], &stats);
	if (error < 0)
		answer_error(error);
	else
		printf("ok rx_packets=%" PRIu64 " tx_packets=%" PRIu64 " rx_bytes=%" PRIu64 " tx_bytes=%" PRIu64
		       " rx_missed=%" PRIu64 " rx_errors=%" PRIu64 "\n", stats.rx_packets, stats.tx_packets, stats.rx_bytes,
		       stats.tx_bytes, stats.rx_missed, stats.rx_errors);
}

void do_link(const struct command *command)
{
	int device = device_at(command, 1), error;
	struct ringway_link link;

	if (device < 0)
		return;
	error = ringway_link(devices[device], &link);
	if (error < 0)
		answer_error(error);
	else
		printf("ok up=%d mbit=%" PRIu32 "\n", link.up, link.mbit);
}

void do_slots(const struct command *command)
{
	int device = device_at(command, 1);
	struct ringway_slots slots;
	uint32_t held = 0;

	if (device < 0)
		return;
	ringway_slots(devices[device], &slots);
	for (uint32_t i = 0; i < hand->count; i++)
		held += ringway_owns(devices[device], hand->slot[i]);
	printf("ok pool=%" PRIu32 " hand=%" PRIu32 " rx=%" PRIu32 " tx=%" PRIu32 " total=%" PRIu32 "\n", slots.pool, held,
	       slots.rx, slots.tx, slots.total);
}

void do_promiscuous(const struct command *command)
{
	int device = device_at(command, 1), error;
	uint64_t on;

	if (device < 0 || !numeric(command, 2, &on))
		return;
	if (on > 1) {
		usage("neither 0 nor 1", command->word[2]);
		return;
	}
	error = ringway_promiscuous(devices[device], on != 0);
	if (error < 0)
		answer_error(error);
	else
		puts("ok");
}
