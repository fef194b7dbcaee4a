/* SPDX-License-Identifier: BSD-3-Clause */
/* Options: defaults for what is 0, and what an 82599 cannot do is refused before anything is touched. */
#include <errno.h>

#include "../error.h"
#include "device.h"

#define MAX_FRAME 15872u /* 82599:8.2.3.22.13 */

void options_default(struct ringway_options *options)
{
	if (!options->rx_queues)
		options->rx_queues = 1;
	if (!options->tx_queues)
		options->tx_queues = 1;
	if (!options->ring_slots)
		options->ring_slots = 512;
	if (!options->pool_slots)
		options->pool_slots = 2048;
	if (!options->max_frame)
		options->max_frame = 1518;
}

int options_check(const struct ringway_options *options)
{
	if (options->rx_queues > IXGBE_RX_QUEUES || options->tx_queues > IXGBE_TX_QUEUES)
		return error_set(ENOTSUP, "%u receive and %u transmit queues: at most %u and %u", options->rx_queues,
		                 options->tx_queues, IXGBE_RX_QUEUES, IXGBE_TX_QUEUES);
	if (options->ring_slots < 64 || options->ring_slots > 4096 || options->ring_slots % 8)
		return error_set(ENOTSUP, "a ring of %u descriptors: it needs 64 to 4096, a multiple of 8", options->ring_slots);
	if (options->max_frame < 64 || options->max_frame > MAX_FRAME)
		return error_set(ENOTSUP, "frames of %u bytes: from 64 to %u are possible", options->max_frame, MAX_FRAME);
	if (options->pool_slots / options->rx_queues < options->ring_slots)
		return error_set(ENOMEM, "a pool of %u slots cannot fill %u receive rings of %u", options->pool_slots,
		                 options->rx_queues, options->ring_slots);
	return 0;
}
