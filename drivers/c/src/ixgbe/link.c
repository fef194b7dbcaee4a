/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ixgbe/link -- bringing the link up, and looking at it (82599:4.6.4, 82599:8.2.3.22.20)
 */
#include "ixgbe.h"

/* The mode of an SFP+ card; what the EEPROM says of everything else stays. */
void ixgbe_link_start(struct steps *steps)
{
	uint32_t autoc = step_read(steps, IXGBE_AUTOC) & ~(IXGBE_AUTOC_LMS | IXGBE_AUTOC_PMA_10G_PARALLEL);

	autoc |= RINGWAY_PUT(IXGBE_AUTOC_LMS, IXGBE_AUTOC_LMS_10G_SERIAL);
	step_write(steps, IXGBE_AUTOC, autoc | IXGBE_AUTOC_RESTART_AN);
}

int ixgbe_wait_for_link(struct ringway_device *device)
{
	struct steps steps = { .bus = device->bus };

	if (device->options.link_wait_ms)
		step_wait(&steps, "LINKS", IXGBE_LINKS, IXGBE_LINKS_UP, IXGBE_LINKS_UP, device->options.link_wait_ms);
	return steps.error;
}

int ixgbe_link_read(struct ringway_device *device, struct ringway_link *link)
{
	static const uint32_t mbit[] = { 0, 100, 1000, 10000 };
	uint32_t links;
	int error = mmio_read(device->bus, IXGBE_LINKS, &links); /* a lost link stays latched until it is read once */

	if (error == 0)
		error = mmio_read(device->bus, IXGBE_LINKS, &links);
	if (error < 0)
		return error;
	link->up = links & IXGBE_LINKS_UP;
	link->mbit = link->up ? mbit[RINGWAY_GET(links, IXGBE_LINKS_SPEED)] : 0;
	return 0;
}
