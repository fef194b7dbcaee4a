/* SPDX-License-Identifier: BSD-3-Clause */
/* The way down: what was handed over is sent, then reception, queues, DMA, reset (82599:4.6.7.1.2, 82599:4.6.8.1). */
#define _GNU_SOURCE
#include "../clock.h"
#include "ixgbe.h"
#include "steps.h"

#define WAIT_MS  1000u
#define DRAIN_MS 500u

int ixgbe_drain(struct ringway_device *device, uint32_t deadline_ms)
{
	const uint64_t deadline_us = clock_us() + deadline_ms * 1000ull;
	int error = 0;

	for (uint32_t q = 0; !error && q < device->options.tx_queues; q++) {
		uint64_t now_us = clock_us(), left_ms = now_us < deadline_us ? (deadline_us - now_us) / 1000 : 0;

		error = mmio_wait(device->bus, "TDH", IXGBE_TDH(q), IXGBE_TDH_TDH, device->tx[q].fill, (uint32_t)left_ms);
	}
	return error;
}

void ixgbe_stop(struct ringway_device *device)
{
	struct steps steps = { .bus = device->bus };

	step_mask_interrupts(&steps);
	step_receiver(&steps, false);
	/* A link that is down keeps what it was given: not reaching the end is no reason not to stop (82599:4.6.8.1). */
	if (!steps.error && device->started)
		ixgbe_drain(device, DRAIN_MS);
	for (uint32_t q = 0; q < device->options.rx_queues; q++) {
		step_clear(&steps, IXGBE_RXDCTL(q), IXGBE_RXDCTL_ENABLE);
		step_wait(&steps, "RXDCTL", IXGBE_RXDCTL(q), IXGBE_RXDCTL_ENABLE, 0, WAIT_MS);
	}
	for (uint32_t q = 0; q < device->options.tx_queues; q++) {
		step_clear(&steps, IXGBE_TXDCTL(q), IXGBE_TXDCTL_ENABLE);
		step_wait(&steps, "TXDCTL", IXGBE_TXDCTL(q), IXGBE_TXDCTL_ENABLE, 0, WAIT_MS);
	}
	step_clear(&steps, IXGBE_DMATXCTL, IXGBE_DMATXCTL_TE);
	step_set(&steps, IXGBE_CTRL, IXGBE_CTRL_GIO_DIS);
	step_wait(&steps, "STATUS", IXGBE_STATUS, IXGBE_STATUS_GIO, 0, WAIT_MS);
	/* A reset forgets the ring bases: nothing of the next owner's memory can be hit through them. */
	step_set(&steps, IXGBE_CTRL, IXGBE_CTRL_RST);
	if (!steps.error)
		step_pause_ms(1);
	step_wait(&steps, "CTRL", IXGBE_CTRL, IXGBE_CTRL_RST, 0, WAIT_MS);
}
