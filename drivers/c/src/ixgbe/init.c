/*
 * ixgbe/init · 82599:4.6.3 82599:4.6.7 82599:4.6.8
 * Nothing is assumed of what the last owner left: after the reset every register that decides something is written.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "../error.h"
#include "../ring.h"
#include "ixgbe.h"
#include "steps.h"

#define WAIT_MS        1000u
#define RX_BUFFER_KIB  512u
#define RX_HEADROOM_KIB 24u
#define TX_BUFFER_KIB  160u
#define EEC_WAIT_MS    1000u

/* --- reset (82599:4.6.3.2) --------------------------------------------------------------------------------------- */

int ixgbe_reset(struct ringway_device *device)
{
	struct steps steps = { .bus = device->bus };

	step_mask_interrupts(&steps);
	step_set(&steps, IXGBE_CTRL, IXGBE_CTRL_GIO_DIS);
	step_wait(&steps, "STATUS", IXGBE_STATUS, IXGBE_STATUS_GIO, 0, WAIT_MS);
	step_set(&steps, IXGBE_CTRL, IXGBE_CTRL_LRST | IXGBE_CTRL_RST);
	step_pause_ms(1); /* nothing may be accessed for a millisecond (82599:8.2.3.1.1) */
	step_wait(&steps, "CTRL", IXGBE_CTRL, IXGBE_CTRL_LRST | IXGBE_CTRL_RST, 0, WAIT_MS);
	if (!steps.error)
		step_pause_ms(10); /* the data sheet asks for 10 ms before anything else is touched */
	step_clear(&steps, IXGBE_CTRL, IXGBE_CTRL_GIO_DIS);
	step_mask_interrupts(&steps);
	step_wait(&steps, "EEC", IXGBE_EEC, IXGBE_EEC_ARD, IXGBE_EEC_ARD, EEC_WAIT_MS);
	step_wait(&steps, "RDRXCTL", IXGBE_RDRXCTL, IXGBE_RDRXCTL_DMAIDONE, IXGBE_RDRXCTL_DMAIDONE, WAIT_MS);
	return steps.error;
}

/* --- addresses and filters (82599:7.1.1) ------------------------------------------------------------------------- */

static void read_mac(struct steps *steps, uint8_t *mac)
{
	uint32_t low = step_read(steps, IXGBE_RAL(0)), high = step_read(steps, IXGBE_RAH(0));

	memcpy(mac, &low, 4);
	mac[4] = (uint8_t)high;
	mac[5] = (uint8_t)(high >> 8);
}

/* Tables are undefined after a reset: what nobody asked for must not match. */
static void clear_filters(struct steps *steps)
{
	for (uint32_t i = 1; i < 128; i++) {
		step_write(steps, IXGBE_RAH(i), 0);
		step_write(steps, IXGBE_RAL(i), 0);
	}
	for (uint32_t i = 0; i < 128; i++) {
		step_write(steps, IXGBE_MTA(i), 0);
		step_write(steps, IXGBE_VFTA(i), 0);
		step_write(steps, IXGBE_PFUTA(i), 0);
		step_write(steps, IXGBE_FTQF(i), 0);
	}
	for (uint32_t i = 0; i < 256; i++)
		step_write(steps, IXGBE_MPSAR(i), 0);
	step_write(steps, IXGBE_MCSTCTRL, 0);
	step_write(steps, IXGBE_VLNCTRL, RINGWAY_PUT(IXGBE_VLNCTRL_VET, 0x81u << 8));
}

static uint32_t filter_mode(bool promiscuous)
{
	return IXGBE_FCTRL_BAM | (promiscuous ? IXGBE_FCTRL_UPE | IXGBE_FCTRL_MPE : 0);
}

/* FCTRL may only change while the receiver is off (82599:8.2.3.7.1). */
int ixgbe_set_promiscuous(struct ringway_device *device, bool on)
{
	struct steps steps = { .bus = device->bus };

	step_receiver(&steps, false);
	step_write(&steps, IXGBE_FCTRL, filter_mode(on));
	step_receiver(&steps, true);
	return steps.error;
}

/* --- receive unit (82599:4.6.7) ---------------------------------------------------------------------------------- */

static void init_rss(struct steps *steps, uint32_t queues)
{
	/* Any key spreads; this one is the one of every test suite, so hashes can be compared. */
	static const uint8_t key[40] = {
		0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
		0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
	};
	uint32_t word;

	for (uint32_t i = 0; i < 10; i++) {
		memcpy(&word, key + i * sizeof(word), sizeof(word));
		step_write(steps, IXGBE_RSSRK(i), word);
	}
	for (uint32_t i = 0; i < 32; i++)
		step_write(steps, IXGBE_RETA(i), RINGWAY_PUT(IXGBE_RETA_ENTRY0, (i * 4) % queues) |
		           RINGWAY_PUT(IXGBE_RETA_ENTRY1, (i * 4 + 1) % queues) | RINGWAY_PUT(IXGBE_RETA_ENTRY2, (i * 4 + 2) % queues) |
		           RINGWAY_PUT(IXGBE_RETA_ENTRY3, (i * 4 + 3) % queues));
	step_write(steps, IXGBE_MRQC, queues == 1 ? 0 : RINGWAY_PUT(IXGBE_MRQC_MRQE, IXGBE_MRQC_MRQE_RSS) | IXGBE_MRQC_TCP_IPV4 |
	           IXGBE_MRQC_TCP_IPV6 | IXGBE_MRQC_UDP_IPV4 | IXGBE_MRQC_UDP_IPV6);
}

static void init_rx_queue(struct ringway_device *device, struct steps *steps, uint32_t q)
{
	struct ixgbe_rx *rx = &device->rx[q];
	uint64_t base = dma_iova(device->memory, rx->ring);
	/* Without DROP_EN a queue that nobody reads would stop all the others; a single one had better wait. */
	uint32_t drop = device->options.rx_queues > 1 ? IXGBE_SRRCTL_DROP_EN : 0;

	step_clear(steps, IXGBE_RXDCTL(q), IXGBE_RXDCTL_ENABLE);
	step_write(steps, IXGBE_RDBAL(q), (uint32_t)base);
	step_write(steps, IXGBE_RDBAH(q), (uint32_t)(base >> 32));
	step_write(steps, IXGBE_RDLEN(q), rx->slots * (uint32_t)sizeof(struct descriptor));
	step_write(steps, IXGBE_RDH(q), 0);
	step_write(steps, IXGBE_RDT(q), 0);
	step_write(steps, IXGBE_SRRCTL(q), RINGWAY_PUT(IXGBE_SRRCTL_BSIZEPACKET, RINGWAY_SLOT_BYTES / 1024) |
	           RINGWAY_PUT(IXGBE_SRRCTL_BSIZEHEADER, 4) |
	           RINGWAY_PUT(IXGBE_SRRCTL_DESCTYPE, IXGBE_SRRCTL_DESCTYPE_ADV_ONE_BUFFER) | drop);
	step_write(steps, IXGBE_RSCCTL(q), 0);
	step_clear(steps, IXGBE_DCA_RXCTRL(q), IXGBE_DCA_RXCTRL_RESERVED_CLEAR);
}

static void init_rx_unit(struct ringway_device *device, struct steps *steps)
{
	uint32_t max_frame = device->options.max_frame, rdrxctl, hlreg0;

	step_write(steps, IXGBE_RXCTRL, 0);
	step_write(steps, IXGBE_FCTRL, filter_mode(device->options.promiscuous));
	for (uint32_t i = 0; i < 8; i++)
		step_write(steps, IXGBE_RXPBSIZE(i), i == 0 ? RX_BUFFER_KIB << 10 : 0);
	/* Where "full" is matters without flow control too (82599:8.2.3.3.4) */
	step_write(steps, IXGBE_FCRTH(0), (RX_BUFFER_KIB - RX_HEADROOM_KIB) * 1024);
	step_write(steps, IXGBE_RXCSUM, IXGBE_RXCSUM_PCSD);
	step_write(steps, IXGBE_RFCTL, IXGBE_RFCTL_RSC_DIS | IXGBE_RFCTL_NFSW_DIS | IXGBE_RFCTL_NFSR_DIS);
	init_rss(steps, device->options.rx_queues);

	/* HLREG0 and RDRXCTL must agree on stripping the CRC (82599:8.2.3.22.8, 82599:8.2.3.8.8) */
	hlreg0 = step_read(steps, IXGBE_HLREG0) | IXGBE_HLREG0_RXCRCSTRP;
	hlreg0 = max_frame > 1518 ? hlreg0 | IXGBE_HLREG0_JUMBOEN : hlreg0 & ~IXGBE_HLREG0_JUMBOEN;
	step_write(steps, IXGBE_HLREG0, hlreg0 & ~IXGBE_HLREG0_LPBK);
	step_write(steps, IXGBE_MAXFRS, RINGWAY_PUT(IXGBE_MAXFRS_MFS, max_frame));
	rdrxctl = step_read(steps, IXGBE_RDRXCTL) & ~IXGBE_RDRXCTL_RSCFRSTSIZE;
	step_write(steps, IXGBE_RDRXCTL, rdrxctl | IXGBE_RDRXCTL_CRCSTRIP | IXGBE_RDRXCTL_RSCACKC | IXGBE_RDRXCTL_FCOE_WRFIX);

	for (uint32_t q = 0; q < device->options.rx_queues; q++)
		init_rx_queue(device, steps, q);
	step_set(steps, IXGBE_CTRL_EXT, IXGBE_CTRL_EXT_NS_DIS);
}

/* --- transmit unit (82599:4.6.8) --------------------------------------------------------------------------------- */

static void init_tx_queue(struct ringway_device *device, struct steps *steps, uint32_t q)
{
	struct ixgbe_tx *tx = &device->tx[q];
	uint64_t base = dma_iova(device->memory, tx->ring);

	step_clear(steps, IXGBE_DCA_TXCTRL(q), IXGBE_DCA_TXCTRL_WRITEBACK_RO);
	step_write(steps, IXGBE_TDBAL(q), (uint32_t)base);
	step_write(steps, IXGBE_TDBAH(q), (uint32_t)(base >> 32));
	step_write(steps, IXGBE_TDLEN(q), tx->slots * (uint32_t)sizeof(struct descriptor));
	step_write(steps, IXGBE_TDWBAL(q), 0);
	step_write(steps, IXGBE_TDH(q), 0);
	step_write(steps, IXGBE_TDT(q), 0);
	/* WTHRESH stays 0: with RS on few descriptors each one is wanted at once (82599:7.2.3.4) */
	step_write(steps, IXGBE_TXDCTL(q), RINGWAY_PUT(IXGBE_TXDCTL_PTHRESH, 36) | RINGWAY_PUT(IXGBE_TXDCTL_HTHRESH, 8));
}

static void init_tx_unit(struct ringway_device *device, struct steps *steps)
{
	step_set(steps, IXGBE_HLREG0, IXGBE_HLREG0_TXCRCEN | IXGBE_HLREG0_TXPADEN);
	step_set(steps, IXGBE_RTTDCS, IXGBE_RTTDCS_ARBDIS);
	step_write(steps, IXGBE_MTQC, 0);
	for (uint32_t i = 0; i < 8; i++) {
		step_write(steps, IXGBE_TXPBSIZE(i), i == 0 ? TX_BUFFER_KIB << 10 : 0);
		step_write(steps, IXGBE_TXPBTHRESH(i), i == 0 ? TX_BUFFER_KIB - 10 : 0);
	}
	step_write(steps, IXGBE_DTXMXSZRQ, IXGBE_DTXMXSZRQ_MAX_BYTES);
	step_clear(steps, IXGBE_RTTDCS, IXGBE_RTTDCS_ARBDIS);
	for (uint32_t q = 0; q < device->options.tx_queues; q++)
		init_tx_queue(device, steps, q);
	step_set(steps, IXGBE_DMATXCTL, IXGBE_DMATXCTL_TE);
}

int ixgbe_init(struct ringway_device *device)
{
	struct steps steps = { .bus = device->bus };
	int error;

	read_mac(&steps, device->mac);
	ixgbe_link_start(&steps);
	error = steps.error ? steps.error : ixgbe_stats_clear(device);
	if (error < 0)
		return error;
	clear_filters(&steps);
	for (uint32_t i = 0; i < 32; i++) {
		step_write(&steps, IXGBE_RQSMR(i), 0);
		step_write(&steps, IXGBE_TQSM(i), 0);
	}
	init_rx_unit(device, &steps);
	init_tx_unit(device, &steps);
	return steps.error;
}

/* --- starting (82599:4.6.7.1, 82599:4.6.8.1); the way down is in stop.c ------------------------------------------- */

int ixgbe_start(struct ringway_device *device)
{
	struct steps steps = { .bus = device->bus };

	for (uint32_t q = 0; q < device->options.tx_queues; q++) {
		step_set(&steps, IXGBE_TXDCTL(q), IXGBE_TXDCTL_ENABLE);
		step_wait(&steps, "TXDCTL", IXGBE_TXDCTL(q), IXGBE_TXDCTL_ENABLE, IXGBE_TXDCTL_ENABLE, WAIT_MS);
	}
	for (uint32_t q = 0; q < device->options.rx_queues; q++) {
		step_set(&steps, IXGBE_RXDCTL(q), IXGBE_RXDCTL_ENABLE);
		step_wait(&steps, "RXDCTL", IXGBE_RXDCTL(q), IXGBE_RXDCTL_ENABLE, IXGBE_RXDCTL_ENABLE, WAIT_MS);
	}
	/* In a mapped page ENABLE reads back before the device has looked; a trapped read does not return earlier. */
	step_flush(&steps);
	for (uint32_t q = 0; !steps.error && q < device->options.rx_queues; q++)
		steps.error = ixgbe_rx_refill(&device->rx[q], 1);
	step_receiver(&steps, true);
	device->started = !steps.error;
	return steps.error;
}
