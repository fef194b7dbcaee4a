/*
 * mmio · facts of vfio-user's mapped pages
 * A register is one load or store where its address is mapped, and a call of the bus where not; every wait has a deadline.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "mmio.h"

#include <errno.h>
#include <time.h>

#include "clock.h"
#include "error.h"

volatile uint32_t *mmio_mapped(const struct bus *bus, uint32_t offset)
{
	for (uint32_t i = 0; i < bus->areas; i++) {
		const struct bus_area *area = &bus->area[i];

		if (offset >= area->offset && offset - area->offset < area->bytes)
			return (volatile uint32_t *)(area->base + (offset - area->offset));
	}
	return NULL;
}

/* All ones is what a card that was pulled out reads as, and what hardly any register does: worth a question. */
static int doubt(struct bus *bus, uint32_t value)
{
	return __builtin_expect(value == UINT32_MAX, 0) ? bus->ops->alive(bus) : 0;
}

int mmio_read(struct bus *bus, uint32_t offset, uint32_t *value)
{
	volatile uint32_t *mapped = mmio_mapped(bus, offset);

	if (!mapped)
		return mmio_read_effect(bus, offset, value);
	*value = __atomic_load_n(mapped, __ATOMIC_ACQUIRE);
	return doubt(bus, *value);
}

int mmio_write(struct bus *bus, uint32_t offset, uint32_t value)
{
	volatile uint32_t *mapped = mmio_mapped(bus, offset);

	if (!mapped)
		return bus->ops->write(bus, BUS_BAR0, offset, 4, value);
	__atomic_store_n(mapped, value, __ATOMIC_RELEASE);
	return 0;
}

int mmio_set(struct bus *bus, uint32_t offset, uint32_t mask)
{
	uint32_t value;
	int error = mmio_read(bus, offset, &value);

	return error < 0 ? error : mmio_write(bus, offset, value | mask);
}

int mmio_clear(struct bus *bus, uint32_t offset, uint32_t mask)
{
	uint32_t value;
	int error = mmio_read(bus, offset, &value);

	return error < 0 ? error : mmio_write(bus, offset, value & ~mask);
}

int mmio_read_effect(struct bus *bus, uint32_t offset, uint32_t *value)
{
	int error = bus->ops->read(bus, BUS_BAR0, offset, 4, value);

	return error < 0 ? error : doubt(bus, *value);
}

struct doorbell doorbell_at(struct bus *bus, uint32_t offset)
{
	return (struct doorbell){ .mapped = mmio_mapped(bus, offset), .bus = bus, .offset = offset };
}

int mmio_wait(struct bus *bus, const char *name, uint32_t offset, uint32_t mask, uint32_t value, uint32_t deadline_ms)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	const uint64_t start = clock_us();
	uint32_t seen;

	for (;;) {
		uint64_t waited;
		/* Never from a mapped page: there the driver's own write reads back before the device has looked. */
		int error = mmio_read_effect(bus, offset, &seen);

		if (error < 0)
			return error;
		if ((seen & mask) == value)
			return 0;
		waited = clock_us() - start;
		if (waited > deadline_ms * 1000ull)
			return error_set(ETIMEDOUT, "%s: waited %llu ms for 0x%08x under mask 0x%08x, it reads 0x%08x", name,
			                 (unsigned long long)(waited / 1000), value, mask, seen);
		nanosleep(&pause, NULL);
	}
}
