/* SPDX-License-Identifier: BSD-3-Clause */
/* open and close: reach the function, see that it is an 82599, lend it the memory, start it; and all of that backwards. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../error.h"
#include "device.h"

#define PCI_IDS           0u
#define PCI_COMMAND       4u
#define PCI_MEMORY_MASTER 6u /* memory space and bus master enable */
#define VENDOR_INTEL      0x8086u

static const uint16_t supported[] = { 0x10FB, 0x10F8, 0x154D, 0x1528 };

/* --- the devices that share a memory --------------------------------------------------------------------------------- */

static int enlist(struct ringway_memory *memory, struct ringway_device *device)
{
	for (uint32_t i = 0; i < DMA_DEVICES; i++) {
		if (!memory->devices[i]) {
			memory->devices[i] = device;
			return 0;
		}
	}
	return error_set(ENOMEM, "%u devices already share this memory", DMA_DEVICES);
}

static void discharge(struct ringway_memory *memory, const struct ringway_device *device)
{
	for (uint32_t i = 0; i < DMA_DEVICES; i++)
		if (memory->devices[i] == device)
			memory->devices[i] = NULL;
}

/* --- open, close ----------------------------------------------------------------------------------------------------- */

static int check_identity(struct bus *bus, const char *address)
{
	uint32_t ids;
	int error = bus->ops->read(bus, BUS_CONFIG, PCI_IDS, 4, &ids);

	if (error < 0)
		return error;
	for (size_t i = 0; i < sizeof(supported) / sizeof(supported[0]); i++)
		if (ids == ((uint32_t)supported[i] << 16 | VENDOR_INTEL))
			return 0;
	return error_set(ENOTSUP, "%s: device %04x:%04x is no Intel 82599", address, ids & 0xFFFF, ids >> 16);
}

static int enable(struct bus *bus)
{
	uint32_t command;
	int error = bus->ops->read(bus, BUS_CONFIG, PCI_COMMAND, 2, &command);

	return error < 0 ? error : bus->ops->write(bus, BUS_CONFIG, PCI_COMMAND, 2, command | PCI_MEMORY_MASTER);
}

/* Until it is claimed nothing of the function has changed: it may be somebody's disk. */
static int reach(struct ringway_device *device, const char *address)
{
	int error = bus_open(address, &device->bus);

	if (!error)
		error = check_identity(device->bus, address);
	if (!error && device->bus->ops->claim)
		error = device->bus->ops->claim(device->bus, device->memory);
	return error ? error : enable(device->bus);
}

static int bring_up(struct ringway_device *device, const char *address)
{
	int error = reach(device, address);

	if (!error)
		error = queues_create(device);
	if (!error)
		error = device->bus->ops->map_memory(device->bus, device->memory);
	if (error)
		return error;
	device->memory_mapped = true;
	error = ixgbe_reset(device);
	if (!error)
		error = ixgbe_init(device);
	if (!error)
		error = ixgbe_start(device);
	return error ? error : ixgbe_wait_for_link(device);
}

int ringway_open(const char *address, struct ringway_memory *memory, const struct ringway_options *options,
                 struct ringway_device **out)
{
	struct ringway_device *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return error_set(ENOMEM, "out of memory");
	device->memory = memory;
	if (options)
		device->options = *options;
	options_default(&device->options);
	error = options_check(&device->options);
	if (error < 0) {
		free(device);
		return error;
	}
	error = enlist(memory, device);
	if (error == 0)
		error = bring_up(device, address);
	if (error < 0) {
		char *cause = strdup(ringway_error()); /* closing may fail too, and would be the less interesting error */

		ringway_close(device);
		if (cause)
			error_set(-error, "%s", cause);
		free(cause);
		return error;
	}
	*out = device;
	return 0;
}

void ringway_close(struct ringway_device *device)
{
	if (!device)
		return;
	if (device->memory_mapped && !device->dead) {
		ixgbe_stop(device);
		device->bus->ops->unmap_memory(device->bus, device->memory);
	}
	queues_destroy(device);
	if (device->bus)
		device->bus->ops->close(device->bus);
	discharge(device->memory, device);
	free(device);
}
