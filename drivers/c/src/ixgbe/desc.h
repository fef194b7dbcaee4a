/*
 * ixgbe/desc · 82599:7.1.6 82599:7.2.3.2
 * One pair of words with two meanings: what the driver writes, and what the device writes over it.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 *  receive, read form          63                                                                    0
 *                       word 0 | buffer address                                                      |
 *                       word 1 | header address: 0, because its bit 0 is where DD will appear        |
 *  receive, write-back         63      48 47      32 31      20 19            0
 *                       word 1 | VLAN    | LENGTH   | errors   | status: DD EOP |
 *  transmit, data              63           46 45   40 39 38 36 35  32 31   24 23  20 19    16 15     0
 *                       word 1 | PAYLEN       | POPTS | CC| IDX | STA | DCMD  | DTYP |         | DTALEN |
 */
#ifndef RINGWAY_SRC_IXGBE_DESC_H
#define RINGWAY_SRC_IXGBE_DESC_H

#include <stdint.h>

#include "regs.h"

struct descriptor {
	uint64_t word[2];
};
_Static_assert(sizeof(struct descriptor) == 16, "the device counts in 16 bytes");

/* Errors that make a packet worthless, valid with EOP. */
#define RX_FATAL IXGBE_RX_WRITEBACK_RXE

/** The status word, as the device left it; acquire, so that what it describes is read after it. */
static inline uint64_t desc_status(const struct descriptor *descriptor)
{
	return __atomic_load_n(&descriptor->word[1], __ATOMIC_ACQUIRE);
}

/** Arms a receive descriptor. Word 1 first becomes 0: the device may not see an old DD with a new buffer. */
static inline void desc_rx_arm(struct descriptor *descriptor, uint64_t buffer)
{
	descriptor->word[1] = 0;
	descriptor->word[0] = buffer;
}

/** Fills a transmit descriptor. */
static inline void desc_tx_fill(struct descriptor *descriptor, uint64_t buffer, uint64_t command)
{
	descriptor->word[0] = buffer;
	descriptor->word[1] = command;
}

#endif
