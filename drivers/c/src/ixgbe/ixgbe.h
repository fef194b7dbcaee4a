/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ixgbe -- the state of an open 82599, shared by init, rx, tx and stats
 * The fields that a batch touches come first in each queue and fit into two cache lines.
 */
#ifndef RINGWAY_SRC_IXGBE_IXGBE_H
#define RINGWAY_SRC_IXGBE_IXGBE_H

#include <stdatomic.h>

#include "../mmio.h"
#include "../packet.h"
#include "../ring.h"
#include "../watch.h"
#include "desc.h"
#include "steps.h"

#define IXGBE_RX_QUEUES 16u
#define IXGBE_TX_QUEUES 32u
#define IXGBE_FCS_BYTES 4u

struct ixgbe_rx {
	struct descriptor *ring;
	uint32_t *slot;        /* slot lent to each descriptor */
	struct pool *pool;
	struct ringway_memory *memory;
	uint32_t slots;        /* length of the ring */
	uint32_t take;         /* next descriptor to look at */
	uint32_t fill;         /* next descriptor to lend a slot to; [fill, take) have none */
	uint32_t pending;      /* lent, but not yet told to the device */
	uint32_t longest;      /* most slots that a packet may have */
	bool hash;             /* the device reports RSS hashes */
	bool vector;           /* four at a time where that is possible (vector.h) */
	uint32_t skip;         /* descriptors of a hopeless packet still to be thrown away: 1 until its EOP */
	_Atomic uint64_t thrown; /* packets that the driver threw away; another thread may look */
	struct doorbell tail;
	struct watch watch;
};

struct ixgbe_tx {
	struct descriptor *ring;
	uint32_t *slot;
	uint16_t *group_end;   /* by first descriptor of a group: its last, the one with RS */
	struct ringway_memory *memory;
	uint32_t slots;
	uint32_t clean;        /* first descriptor that is not reclaimed */
	uint32_t fill;         /* next descriptor to write */
	uint32_t group;        /* first descriptor since the last RS */
	bool vector;           /* as in ixgbe_rx */
	struct doorbell tail;
	struct watch watch;
};

struct ringway_device {
	struct bus *bus;
	struct ringway_memory *memory;
	struct ringway_options options;
	struct ixgbe_rx rx[IXGBE_RX_QUEUES];
	struct ixgbe_tx tx[IXGBE_TX_QUEUES];
	struct pool *pool[IXGBE_RX_QUEUES]; /* pool of each receive queue; transmit queues share them by number */
	struct ringway_stats stats;
	bool memory_mapped;
	bool started; /* the queues have been enabled, so that what is in them can leave */
	atomic_bool dead; /* the peer is gone; no register is touched any more. Any thread may notice */
	uint8_t mac[6];
};

/* init.c, stop.c: from an unknown state to running queues, and back */
int ixgbe_reset(struct ringway_device *device);
int ixgbe_init(struct ringway_device *device);
int ixgbe_start(struct ringway_device *device);
/** Waits until all transmit queues have been read to their ends: 0, -ETIMEDOUT after `deadline_ms`, -EIO. */
int ixgbe_drain(struct ringway_device *device, uint32_t deadline_ms);
void ixgbe_stop(struct ringway_device *device);
int ixgbe_set_promiscuous(struct ringway_device *device, bool on);

/* rx.c */
int ixgbe_receive(struct ringway_device *device, struct ixgbe_rx *rx, struct ringway_batch *batch);
/** Lends free slots to empty descriptors and tells the device. */
int ixgbe_rx_refill(struct ixgbe_rx *rx, uint32_t publish_at);

/* tx.c */
int ixgbe_transmit(struct ringway_device *device, struct ixgbe_tx *tx, struct ringway_batch *batch);
/** Takes back the slots of every group that has been sent. */
void ixgbe_tx_reclaim(struct ixgbe_tx *tx);

#define TX_GROUP_SLOTS    32u /* descriptors of a group; three more if it was filled in fours */
#define TX_SHORTEST_BYTES 17u /* the device takes nothing shorter (82599:7.2.1.1) */
/** What every data descriptor says. */
#define TX_COMMAND (RINGWAY_PUT(IXGBE_TX_DATA_DTYP, IXGBE_TX_DATA_DTYP_DATA) | IXGBE_TX_DATA_DEXT | IXGBE_TX_DATA_IFCS)
/** Asks for completion at `last`, which ends the group. */
static inline void tx_end_group(struct ixgbe_tx *tx, uint32_t last)
{
	tx->ring[last].word[1] |= IXGBE_TX_DATA_RS;
	tx->group_end[tx->group] = (uint16_t)last;
	tx->group = ring_next(last, tx->slots);
}

/* stats.c */
int ixgbe_stats_clear(struct ringway_device *device);
int ixgbe_stats_read(struct ringway_device *device);

/* link.c */
void ixgbe_link_start(struct steps *steps);
int ixgbe_wait_for_link(struct ringway_device *device);
int ixgbe_link_read(struct ringway_device *device, struct ringway_link *link);

#endif
