/*
 * ixgbe/stats · 82599:8.2.3.23
 * The device's counters clear when they are read; what was read is added to 64-bit ones. All of them are counted at the
 * port, outside the doorbell pages, so that a read is always an access that the device sees.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "../error.h"
#include "ixgbe.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const uint32_t error_counters[] = { IXGBE_CRCERRS, IXGBE_RUC, IXGBE_RFC, IXGBE_ROC, IXGBE_RJC };

static int add(struct ringway_device *device, uint32_t offset, uint64_t *sum)
{
	uint32_t value;
	int error = mmio_read_effect(device->bus, offset, &value);

	if (error == 0)
		*sum += value;
	return error;
}

/* 36-bit counters: the low word first; reading the high one clears the pair. */
static int add_pair(struct ringway_device *device, uint32_t low, uint32_t high, uint64_t *sum)
{
	uint64_t low_part = 0, high_part = 0;
	int error = add(device, low, &low_part);

	if (error == 0)
		error = add(device, high, &high_part);
	*sum += low_part | (high_part & 0xF) << 32;
	return error;
}

int ixgbe_stats_read(struct ringway_device *device)
{
	struct ringway_stats *stats = &device->stats;
	int error = add(device, IXGBE_GPRC, &stats->rx_packets);

	if (error == 0)
		error = add(device, IXGBE_GPTC, &stats->tx_packets);
	if (error == 0)
		error = add_pair(device, IXGBE_GORCL, IXGBE_GORCH, &stats->rx_bytes);
	if (error == 0)
		error = add_pair(device, IXGBE_GOTCL, IXGBE_GOTCH, &stats->tx_bytes);
	for (uint32_t i = 0; error == 0 && i < 8; i++)
		error = add(device, IXGBE_MPC(i), &stats->rx_missed);
	for (uint32_t i = 0; error == 0 && i < 16; i++)
		error = add(device, IXGBE_QPRDC(i), &stats->rx_missed);
	for (uint32_t i = 0; error == 0 && i < COUNT_OF(error_counters); i++)
		error = add(device, error_counters[i], &stats->rx_errors);
	return error;
}

int ixgbe_stats_clear(struct ringway_device *device)
{
	int error = ixgbe_stats_read(device);

	device->stats = (struct ringway_stats){ 0 };
	return error;
}
