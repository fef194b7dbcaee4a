/*
 * bus/vfio · linux/vfio.h
 * A PCI function bound to vfio-pci: no root once its node is ours, and an IOMMU that keeps DMA within the memory. BAR0 is
 * mapped; config space, which the kernel filters, is read and written.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "vfio.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../bus.h"
#include "../error.h"
#include "../mmio.h"
#include "region.h"
#include "wire.h"

#define ANSWER_BYTES 4096u
#define VECTORS      64u
#define REVISION     8u /* with the class, in config space */

struct vfio {
	struct bus bus; /* first: a bus pointer is a vfio pointer */
	const struct vfio_kind *kind;
	char name[sizeof(((struct pci *)NULL)->name)];
	uint32_t id;    /* for kind->leave */
	int device;
	int wanted_back; /* eventfd: the host asks for the function */
	uint64_t offset[BUS_CONFIG + 1]; /* of each region, in the device's file */
	const struct ringway_memory *mapped;
};

static struct vfio *of(struct bus *bus)
{
	return (struct vfio *)bus;
}

/* --- region accesses -------------------------------------------------------------------------------------------- */

static int failed(const struct vfio *vfio, const char *what, uint32_t offset)
{
	return error_set(EIO, "%s: the device is gone: %s at 0x%x: %s", vfio->name, what, offset, strerror(errno));
}

/* A load from a mapped register of a real card has its effects, so nothing needs to be trapped. */
static int region_read(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t *value)
{
	struct vfio *vfio = of(bus);

	if (region == BUS_BAR0 && width == 4 && mmio_mapped(bus, offset))
		return mmio_read(bus, offset, value);
	*value = 0;
	if (pread(vfio->device, value, width, (off_t)(vfio->offset[region] + offset)) != (ssize_t)width)
		return failed(vfio, "read", offset);
	return 0;
}

static int region_write(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t value)
{
	struct vfio *vfio = of(bus);

	if (region == BUS_BAR0 && width == 4 && mmio_mapped(bus, offset))
		return mmio_write(bus, offset, value);
	if (pwrite(vfio->device, &value, width, (off_t)(vfio->offset[region] + offset)) != (ssize_t)width)
		return failed(vfio, "write", offset);
	return 0;
}

union answer {
	struct wire_region_info info;
	uint8_t bytes[ANSWER_BYTES]; /* capabilities follow */
};

static int region_info(struct vfio *vfio, uint32_t region, union answer *answer)
{
	memset(answer, 0, sizeof(*answer));
	answer->info.argsz = sizeof(*answer);
	answer->info.index = region;
	if (ioctl(vfio->device, WIRE_IOCTL_DEVICE_GET_REGION_INFO, answer) < 0)
		return error_set(EIO, "%s: VFIO_DEVICE_GET_REGION_INFO: %s", vfio->name, strerror(errno));
	vfio->offset[region] = answer->info.offset;
	return 0;
}

static int find_regions(struct vfio *vfio)
{
	union answer answer;
	int error = region_info(vfio, BUS_CONFIG, &answer);

	if (!error)
		error = region_info(vfio, BUS_BAR0, &answer);
	return error ? error : region_map(&vfio->bus, vfio->name, vfio->device, answer.bytes, sizeof(answer.bytes));
}

/* --- memory, interrupts, reset ---------------------------------------------------------------------------------- */

static int map_memory(struct bus *bus, struct ringway_memory *memory)
{
	struct vfio *vfio = of(bus);
	int error = vfio_memory_map(vfio->kind, vfio->name, memory);

	vfio->mapped = error == 0 ? memory : NULL;
	return error;
}

static int unmap_memory(struct bus *bus, struct ringway_memory *memory)
{
	struct vfio *vfio = of(bus);

	vfio->mapped = NULL;
	return vfio_memory_unmap(vfio->kind, memory);
}

/* Has vectors of one interrupt kind signalled by eventfds; with none, turns all of them off. */
static int bind(const struct vfio *vfio, uint32_t kind, uint32_t first, const int *eventfds, uint32_t count)
{
	struct {
		struct wire_irq_set set;
		int32_t fd[VECTORS];
	} call = { .set = { .flags = WIRE_IRQ_SET_FLAGS_ACTION_TRIGGER |
	                    (count ? WIRE_IRQ_SET_FLAGS_DATA_EVENTFD : WIRE_IRQ_SET_FLAGS_DATA_NONE),
		.index = kind, .start = first, .count = count } };

	if (count > VECTORS)
		return error_set(ENOTSUP, "%s: %u interrupt vectors: an 82599 has %u", vfio->name, count, VECTORS);
	call.set.argsz = (uint32_t)(sizeof(call.set) + count * sizeof(call.fd[0]));
	if (count)
		memcpy(call.fd, eventfds, count * sizeof(call.fd[0]));
	if (ioctl(vfio->device, WIRE_IOCTL_DEVICE_SET_IRQS, &call) < 0)
		return error_set(EIO, "%s: VFIO_DEVICE_SET_IRQS: %s", vfio->name, strerror(errno));
	return 0;
}

static int bind_vectors(struct bus *bus, uint32_t first, const int *eventfds, uint32_t count)
{
	return bind(of(bus), WIRE_IRQ_MSIX, first, eventfds, count);
}

/* Kernels from before this kind of interrupt can do without: then whoever removes the function waits until it is closed. */
static int watch_for_removal(struct vfio *vfio)
{
	vfio->wanted_back = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (vfio->wanted_back < 0)
		return error_set(errno, "%s: cannot make an eventfd: %s", vfio->name, strerror(errno));
	bind(vfio, WIRE_IRQ_REQ, 0, &vfio->wanted_back, 1);
	return 0;
}

static int function_reset(struct bus *bus)
{
	if (ioctl(of(bus)->device, WIRE_IOCTL_DEVICE_RESET) < 0)
		return error_set(EIO, "%s: VFIO_DEVICE_RESET: %s", of(bus)->name, strerror(errno));
	return 0;
}

/* A function that was pulled out reads as ones, also where it has its class. Its ids will not do: vfio-pci remembers them. */
static int alive(struct bus *bus)
{
	struct vfio *vfio = of(bus);
	struct pollfd wanted = { .fd = vfio->wanted_back, .events = POLLIN };
	uint32_t class;
	int error;

	if (poll(&wanted, 1, 0) == 1)
		return error_set(EIO, "%s: the device is gone: the host wants it back, it is being unbound or removed", vfio->name);
	error = region_read(bus, BUS_CONFIG, REVISION, 4, &class);
	return error == 0 && class == UINT32_MAX ? error_set(EIO, "%s: the device is gone: it was removed", vfio->name) : error;
}

static void vfio_close(struct bus *bus)
{
	struct vfio *vfio = of(bus);

	if (vfio->mapped) /* the device is gone, but others may go on in the same address space */
		vfio_memory_unmap(vfio->kind, vfio->mapped);
	region_unmap(bus);
	if (vfio->device >= 0) {
		close(vfio->device);
		vfio->kind->leave(vfio->id);
	}
	if (vfio->wanted_back >= 0)
		close(vfio->wanted_back);
	free(vfio);
}

static const struct bus_ops vfio_ops = {
	.way = "vfio",
	.read = region_read,
	.write = region_write,
	.map_memory = map_memory,
	.unmap_memory = unmap_memory,
	.bind_vectors = bind_vectors,
	.reset = function_reset,
	.alive = alive,
	.close = vfio_close,
};

int vfio_open(const struct pci *pci, struct bus **bus)
{
	struct vfio *vfio = calloc(1, sizeof(*vfio));
	int error;

	if (!vfio)
		return error_set(ENOMEM, "out of memory");
	vfio->bus.ops = &vfio_ops;
	vfio->kind = vfio_iommufd_is_there(pci) ? &vfio_iommufd : &vfio_group;
	memcpy(vfio->name, pci->name, sizeof(vfio->name));
	vfio->wanted_back = -1;
	vfio->device = vfio->kind->join(pci, &vfio->id);
	error = vfio->device < 0 ? vfio->device : find_regions(vfio);
	if (!error)
		error = watch_for_removal(vfio);
	if (error < 0) {
		vfio_close(&vfio->bus);
		return error;
	}
	*bus = &vfio->bus;
	return 0;
}
