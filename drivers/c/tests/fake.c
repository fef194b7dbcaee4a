/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ixgbe/regs.h"

static struct fake *latest;

int __real_bus_open(const char *address, struct bus **bus);
int __wrap_bus_open(const char *address, struct bus **bus);

static struct fake *of(struct bus *bus)
{
	return (struct fake *)bus;
}

/* What a healthy card says, whatever was written. */
static uint32_t as_the_card_says(const struct fake *fake, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case IXGBE_CTRL: return value & ~(IXGBE_CTRL_RST | IXGBE_CTRL_LRST);
	case IXGBE_STATUS: return fake->reg[IXGBE_CTRL / 4] & IXGBE_CTRL_GIO_DIS ? 0 : IXGBE_STATUS_GIO;
	case IXGBE_EEC: return value | IXGBE_EEC_ARD;
	case IXGBE_RDRXCTL: return value | IXGBE_RDRXCTL_DMAIDONE;
	case IXGBE_TDH(0): return fake->reg[IXGBE_TDT(0) / 4];
	case IXGBE_SECRXSTAT: return IXGBE_SECRXSTAT_RDY;
	default: return value;
	}
}

static int fake_read(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t *value)
{
	struct fake *fake = of(bus);

	if (fake->gone)
		return error_set(EIO, "fake: the device is gone");
	fake->reads++;
	*value = 0;
	if (region == BUS_CONFIG) {
		memcpy(value, (uint8_t *)fake->config + offset, width);
		return 0;
	}
	*value = as_the_card_says(fake, offset, fake->reg[offset / 4]);
	if (offset == fake->stuck_at)
		*value = (*value & ~fake->stuck_mask) | fake->stuck_value;
	return 0;
}

static int fake_write(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t value)
{
	struct fake *fake = of(bus);

	if (fake->gone)
		return error_set(EIO, "fake: the device is gone");
	if (region == BUS_CONFIG) {
		memcpy((uint8_t *)fake->config + offset, &value, width);
		return 0;
	}
	fake->reg[offset / 4] = value;
	if (fake->writes < FAKE_WRITES) {
		fake->write[fake->writes].offset = offset;
		fake->write[fake->writes++].value = value;
	}
	return 0;
}

static int map(struct bus *bus, struct ringway_memory *memory)
{
	(void)memory;
	of(bus)->mapped = true;
	return 0;
}

static int unmap(struct bus *bus, struct ringway_memory *memory)
{
	(void)memory;
	of(bus)->mapped = false;
	return 0;
}

static int alive(struct bus *bus)
{
	return of(bus)->gone ? error_set(EIO, "fake: the device is gone") : 0;
}

static void fake_close(struct bus *bus)
{
	of(bus)->closed = true;
}

struct fake *fake_begin(void)
{
	static const struct bus_ops ops = { .way = "fake", .read = fake_read, .write = fake_write, .map_memory = map,
		.unmap_memory = unmap, .alive = alive, .close = fake_close };

	latest = calloc(1, sizeof(*latest));
	latest->bus.ops = &ops;
	latest->config[0] = 0x10FB8086;
	latest->stuck_at = UINT32_MAX;
	latest->reg[IXGBE_RAL(0) / 4] = 0x33221102;
	latest->reg[IXGBE_RAH(0) / 4] = 0x80005544;
	return latest;
}

void fake_end(struct fake *fake)
{
	free(fake);
}

void fake_stick(struct fake *fake, uint32_t offset, uint32_t mask, uint32_t value)
{
	fake->stuck_at = offset;
	fake->stuck_mask = mask;
	fake->stuck_value = value;
}

int fake_find_write(const struct fake *fake, uint32_t from, uint32_t offset, uint32_t mask, uint32_t value)
{
	for (uint32_t i = from; i < fake->writes; i++)
		if (fake->write[i].offset == offset && (fake->write[i].value & mask) == value)
			return (int)i;
	return -1;
}

int __wrap_bus_open(const char *address, struct bus **bus)
{
	if (strcmp(address, "fake:") != 0)
		return __real_bus_open(address, bus);
	*bus = &latest->bus;
	return 0;
}
