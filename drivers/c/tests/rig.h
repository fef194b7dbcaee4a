/* SPDX-License-Identifier: BSD-3-Clause */
/* An open device on the fake bus, and the part of the card: descriptors written by hand. */
#ifndef RINGWAY_TESTS_RIG_H
#define RINGWAY_TESTS_RIG_H

#include "fake.h"
#include "ixgbe/ixgbe.h"

#define RIG_RING 64u

struct rig {
	struct fake *fake;
	struct ringway_memory *memory;
	struct ringway_device *device;
	struct ringway_batch *batch;
	uint32_t rx_at; /* where the card writes its next receive descriptor */
	uint32_t tx_at; /* first transmit descriptor that the card has not sent */
};

/** A device with rings of 64, frames of up to 4 slots, and a batch of `batch` slots. */
void rig_begin(struct rig *rig, uint32_t pool_slots, uint32_t batch);
void rig_end(struct rig *rig);
/** The card receives `length` bytes: its next descriptor is done, with `status` beside DD. False if it has none left. */
bool rig_receives(struct rig *rig, uint32_t length, uint64_t status);
/** The card sends everything up to the tail, and reports where it was asked to. Returns the descriptors sent. */
uint32_t rig_sends(struct rig *rig);
/** Fails unless every slot of the pool is accounted for. */
void rig_lost_nothing(struct rig *rig);

#endif
