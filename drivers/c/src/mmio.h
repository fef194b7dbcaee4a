/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mmio -- reading and writing registers (design: mapped or trapped, per address)
 * An address inside a mapped area is one 32-bit load or store; any other goes through the bus. Reads have acquire and
 * writes release order, so a doorbell never overtakes the descriptors that it announces; on x86 both are plain moves.
 */
#ifndef RINGWAY_SRC_MMIO_H
#define RINGWAY_SRC_MMIO_H

#include <stdint.h>

#include "bus.h"

/** The mapped word at `offset` of BAR0, or NULL if accesses to it are trapped. */
volatile uint32_t *mmio_mapped(const struct bus *bus, uint32_t offset);

/** Reads a register. Returns 0, or -EIO if the device is gone. */
int mmio_read(struct bus *bus, uint32_t offset, uint32_t *value);
/** Writes a register. */
int mmio_write(struct bus *bus, uint32_t offset, uint32_t value);
/** Sets the bits of `mask`, leaving the others as they are. */
int mmio_set(struct bus *bus, uint32_t offset, uint32_t mask);
/** Clears the bits of `mask`, leaving the others as they are. */
int mmio_clear(struct bus *bus, uint32_t offset, uint32_t mask);
/** Reads a register whose read has an effect in the device, always through the bus: a mapped page of a software
 *  device is plain memory, where a read clears nothing. */
int mmio_read_effect(struct bus *bus, uint32_t offset, uint32_t *value);
/**
 * Waits until (register & mask) == value.
 * @return 0, or -ETIMEDOUT after `deadline_ms` with a message that names `name`, the mask and the time
 */
int mmio_wait(struct bus *bus, const char *name, uint32_t offset, uint32_t mask, uint32_t value, uint32_t deadline_ms);

/** A doorbell resolved once: a store, or a message where the device maps nothing. */
struct doorbell {
	volatile uint32_t *mapped;
	struct bus *bus;
	uint32_t offset;
};

struct doorbell doorbell_at(struct bus *bus, uint32_t offset);

static inline int doorbell_ring(const struct doorbell *doorbell, uint32_t value)
{
	if (__builtin_expect(doorbell->mapped != NULL, 1)) {
		__atomic_store_n(doorbell->mapped, value, __ATOMIC_RELEASE);
		return 0;
	}
	return mmio_write(doorbell->bus, doorbell->offset, value);
}

#endif
