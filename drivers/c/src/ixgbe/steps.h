/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ixgbe/steps -- a sequence of register accesses that ends at its first error
 * Initialisation is a list of steps; checking each one would bury the list. After an error the rest does nothing.
 */
#ifndef RINGWAY_SRC_IXGBE_STEPS_H
#define RINGWAY_SRC_IXGBE_STEPS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "../mmio.h"
#include "regs.h"

#define STEP_SECURITY_WAIT_MS 1000u

struct steps {
	struct bus *bus;
	int error;
};

static inline void step_write(struct steps *steps, uint32_t offset, uint32_t value)
{
	if (!steps->error)
		steps->error = mmio_write(steps->bus, offset, value);
}

static inline uint32_t step_read(struct steps *steps, uint32_t offset)
{
	uint32_t value = 0;

	if (!steps->error)
		steps->error = mmio_read(steps->bus, offset, &value);
	return value;
}

static inline void step_set(struct steps *steps, uint32_t offset, uint32_t mask)
{
	if (!steps->error)
		steps->error = mmio_set(steps->bus, offset, mask);
}

static inline void step_clear(struct steps *steps, uint32_t offset, uint32_t mask)
{
	if (!steps->error)
		steps->error = mmio_clear(steps->bus, offset, mask);
}

static inline void step_wait(struct steps *steps, const char *name, uint32_t offset, uint32_t mask, uint32_t value,
                             uint32_t deadline_ms)
{
	if (!steps->error)
		steps->error = mmio_wait(steps->bus, name, offset, mask, value, deadline_ms);
}

/** Reads STATUS: everything written before has reached the device when it returns. */
static inline void step_flush(struct steps *steps)
{
	step_read(steps, IXGBE_STATUS);
}

/** Bit 31 is reserved and stays 0 (82599:8.2.3.5.6). */
static inline void step_mask_interrupts(struct steps *steps)
{
	step_write(steps, IXGBE_EIMC, IXGBE_EIMC_RTXQ | IXGBE_EIMC_OTHERS);
	step_flush(steps);
}

static inline void step_pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/** Switches the receiver, with the path to it closed while it happens. */
static inline void step_receiver(struct steps *steps, bool on)
{
	step_set(steps, IXGBE_SECRXCTRL, IXGBE_SECRXCTRL_RX_DIS);
	step_wait(steps, "SECRXSTAT", IXGBE_SECRXSTAT, IXGBE_SECRXSTAT_RDY, IXGBE_SECRXSTAT_RDY, STEP_SECURITY_WAIT_MS);
	if (on)
		step_set(steps, IXGBE_RXCTRL, IXGBE_RXCTRL_RXEN);
	else
		step_clear(steps, IXGBE_RXCTRL, IXGBE_RXCTRL_RXEN);
	step_clear(steps, IXGBE_SECRXCTRL, IXGBE_SECRXCTRL_RX_DIS);
}

#endif
