/* Intel 82599 10 GbE controller: registers and descriptors.
 *
 * Generated from spec/ixgbe.toml; do not edit. After a change there: `cargo run -p ringway-spec -- generate`.
 *
 *   IXGBE_CTRL, IXGBE_RDT(n)          offset of a register in BAR0
 *   IXGBE_CTRL_RST                    mask of a field; get and put values by RINGWAY_GET and RINGWAY_PUT
 *   IXGBE_TX_DATA_DTYP                mask of a field in its quadword of the descriptor, which is ..._QUAD
 */
#ifndef RINGWAY_IXGBE_REGS_H
#define RINGWAY_IXGBE_REGS_H

#include <stdint.h>

/* The value of the field `mask` in `word`, and `value` at the place of the field. */
#define RINGWAY_GET(word, mask) (((word) & (mask)) / ((mask) & -(mask)))
#define RINGWAY_PUT(mask, value) (((value) * ((mask) & -(mask))) & (mask))

/* Device control. 82599:8.2.3.1.1, RW. */
#define IXGBE_CTRL 0x00000u
#define IXGBE_CTRL_GIO_DIS 0x00000004u /* 2: PCIe master disable: no new DMA; STATUS.GIO drops when all is quiet */
#define IXGBE_CTRL_LRST 0x00000008u /* 3: Link reset, clears itself */
#define IXGBE_CTRL_RST 0x04000000u /* 26: Device reset, clears itself */

/* Device status. 82599:8.2.3.1.2, RO. */
#define IXGBE_STATUS 0x00008u
#define IXGBE_STATUS_LAN_ID 0x0000000cu /* 3:2: Which of the two ports this function is */
#define IXGBE_STATUS_LINK_UP 0x00000080u /* 7: Link is up */
#define IXGBE_STATUS_NUM_VFS 0x0003fc00u /* 17:10: Number of virtual functions */
#define IXGBE_STATUS_IOV_ACTIVE 0x00040000u /* 18: Virtual functions are in use */
#define IXGBE_STATUS_GIO 0x00080000u /* 19: PCIe master enabled: drops after CTRL.GIO_DIS when the last DMA is done */

/* Extended device control. 82599:8.2.3.1.3, RW. */
#define IXGBE_CTRL_EXT 0x00018u
#define IXGBE_CTRL_EXT_PFRSTD 0x00004000u /* 14: Physical function reset done */
#define IXGBE_CTRL_EXT_NS_DIS 0x00010000u /* 16: No snoop disable */
#define IXGBE_CTRL_EXT_RO_DIS 0x00020000u /* 17: Relaxed ordering disable */
#define IXGBE_CTRL_EXT_EXTENDED_VLAN 0x04000000u /* 26: Double VLAN tags */
#define IXGBE_CTRL_EXT_DRV_LOAD 0x10000000u /* 28: A driver is loaded; told to the firmware */

/* EEPROM bit-bang and presence. 82599:8.2.3.2.1, RW. */
#define IXGBE_EEC 0x10010u
#define IXGBE_EEC_SK 0x00000001u /* 0: Clock */
#define IXGBE_EEC_CS 0x00000002u /* 1: Chip select */
#define IXGBE_EEC_DI 0x00000004u /* 2: Data into the EEPROM */
#define IXGBE_EEC_DO 0x00000008u /* 3: Data out of the EEPROM */
#define IXGBE_EEC_REQ 0x00000040u /* 6: Software wants the bus */
#define IXGBE_EEC_GNT 0x00000080u /* 7: Software has the bus */
#define IXGBE_EEC_PRES 0x00000100u /* 8: An EEPROM is present */
#define IXGBE_EEC_ARD 0x00000200u /* 9: The device has read its configuration */
#define IXGBE_EEC_ADDR_SIZE 0x00000400u /* 10: Addresses are 16 bits wide */
#define IXGBE_EEC_SIZE 0x00007800u /* 14:11: Capacity: 64 << SIZE words */

/* Receive packet buffer sizes. 82599:8.2.3.8.9, RW. */
#define IXGBE_RXPBSIZE(n) (0x03c00u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_RXPBSIZE_COUNT 8u
#define IXGBE_RXPBSIZE_SIZE 0x000ffc00u /* 19:10: KiB */

/* Transmit packet buffer sizes. 82599:8.2.3.9.13, RW. */
#define IXGBE_TXPBSIZE(n) (0x0cc00u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_TXPBSIZE_COUNT 8u
#define IXGBE_TXPBSIZE_SIZE 0x000ffc00u /* 19:10: KiB */

/* Transmit packet buffer thresholds. 82599:8.2.3.9.16, RW. */
#define IXGBE_TXPBTHRESH(n) (0x04950u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_TXPBTHRESH_COUNT 8u
#define IXGBE_TXPBTHRESH_THRESH 0x000003ffu /* 9:0: KiB */

/* Most bytes that transmit DMA may have asked for. 82599:8.2.3.9.1, RW. */
#define IXGBE_DTXMXSZRQ 0x08100u
#define IXGBE_DTXMXSZRQ_MAX_BYTES 0x00000fffu /* 11:0: Units of 256 bytes */

/* Receive threshold, high: send XOFF above. 82599:8.2.3.3.4, RW. */
#define IXGBE_FCRTH(n) (0x03260u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_FCRTH_COUNT 8u
#define IXGBE_FCRTH_RTH 0x0007ffe0u /* 18:5: Bytes in units of 32 */
#define IXGBE_FCRTH_FCEN 0x80000000u /* 31: Flow control enable */

/* Transmit descriptor plane control. 82599:8.2.3.10, RW. */
#define IXGBE_RTTDCS 0x04900u
#define IXGBE_RTTDCS_TDPAC 0x00000001u /* 0: Weighted arbitration between classes */
#define IXGBE_RTTDCS_VMPAC 0x00000002u /* 1: Weighted arbitration between machines */
#define IXGBE_RTTDCS_TDRM 0x00000010u /* 4: Strict priority recycle mode */
#define IXGBE_RTTDCS_ARBDIS 0x00000040u /* 6: Arbiter off; required while MTQC and TXPBSIZE change */

/* Multiple transmit queues. 82599:8.2.3.9.15, RW. */
#define IXGBE_MTQC 0x08120u
#define IXGBE_MTQC_RT_ENA 0x00000001u /* 0: DCB */
#define IXGBE_MTQC_VT_ENA 0x00000002u /* 1: Virtualization */
#define IXGBE_MTQC_NUM_TC_OR_Q 0x0000000cu /* 3:2: 0 = 64 queues and one packet buffer */

/* Receive security control. 82599:8.2.3.12, RW. */
#define IXGBE_SECRXCTRL 0x08d00u
#define IXGBE_SECRXCTRL_SECRX_DIS 0x00000001u /* 0: Security off */
#define IXGBE_SECRXCTRL_RX_DIS 0x00000002u /* 1: Stop the receive data path; SECRXSTAT.RDY answers */

/* Receive security status. 82599:8.2.3.12, RO. */
#define IXGBE_SECRXSTAT 0x08d04u
#define IXGBE_SECRXSTAT_RDY 0x00000001u /* 0: Data path is empty */

/* Highlander control 0: MAC. 82599:8.2.3.22.8, RW. */
#define IXGBE_HLREG0 0x04240u
#define IXGBE_HLREG0_TXCRCEN 0x00000001u /* 0: Append the CRC where the descriptor asks */
#define IXGBE_HLREG0_RXCRCSTRP 0x00000002u /* 1: Strip the CRC; must equal RDRXCTL.CRCSTRIP */
#define IXGBE_HLREG0_JUMBOEN 0x00000004u /* 2: Frames up to MAXFRS instead of 1518 */
#define IXGBE_HLREG0_TXPADEN 0x00000400u /* 10: Pad short frames to 64 bytes with CRC */
#define IXGBE_HLREG0_LPBK 0x00008000u /* 15: Transmit to receive loopback */
#define IXGBE_HLREG0_MDCSPD 0x00010000u /* 16: MDC at 24 MHz / 10 */
#define IXGBE_HLREG0_CONTMDC 0x00020000u /* 17: Continuous MDC */
#define IXGBE_HLREG0_PREPEND 0x00f00000u /* 23:20: Bytes to prepend, in 32 bits */
#define IXGBE_HLREG0_RXLNGTHERREN 0x08000000u /* 27: Report length errors */
#define IXGBE_HLREG0_RXPADSTRIPEN 0x10000000u /* 28: Strip padding */

/* Largest frame (MHADD). 82599:8.2.3.22.13, RW. */
#define IXGBE_MAXFRS 0x04268u
#define IXGBE_MAXFRS_MFS 0xffff0000u /* 31:16: Bytes with CRC, without VLAN tags */

/* Auto-negotiation control. 82599:8.2.3.22.19, RW. */
#define IXGBE_AUTOC 0x042a0u
#define IXGBE_AUTOC_FLU 0x00000001u /* 0: Force link up */
#define IXGBE_AUTOC_PMA_10G_PARALLEL 0x00000180u /* 8:7: 10 Gb parallel PMA: 0 XAUI */
#define IXGBE_AUTOC_PMA_10G_PARALLEL_XAUI 0u
#define IXGBE_AUTOC_PMA_10G_PARALLEL_KX4 1u
#define IXGBE_AUTOC_PMA_10G_PARALLEL_CX4 2u
#define IXGBE_AUTOC_PMA_1G 0x00000200u /* 9: 1 Gb PMA */
#define IXGBE_AUTOC_RESTART_AN 0x00001000u /* 12: Restart the link, clears itself */
#define IXGBE_AUTOC_LMS 0x0000e000u /* 15:13: Link mode select */
#define IXGBE_AUTOC_LMS_1G_NO_AN 0u
#define IXGBE_AUTOC_LMS_10G_PARALLEL_NO_AN 1u
#define IXGBE_AUTOC_LMS_1G_AN 2u
#define IXGBE_AUTOC_LMS_10G_SERIAL 3u
#define IXGBE_AUTOC_KR_SUPPORT 0x00010000u /* 16: Advertise KR */
#define IXGBE_AUTOC_KX_SUPPORT 0xc0000000u /* 31:30: Advertise KX and KX4 */

/* Link status. 82599:8.2.3.22.20, RO. */
#define IXGBE_LINKS 0x042a4u
#define IXGBE_LINKS_SPEED 0x30000000u /* 29:28: Speed of the link that is up */
#define IXGBE_LINKS_SPEED_100M 1u
#define IXGBE_LINKS_SPEED_1G 2u
#define IXGBE_LINKS_SPEED_10G 3u
#define IXGBE_LINKS_UP 0x40000000u /* 30: Link is up */
#define IXGBE_LINKS_KX_AN_COMP 0x80000000u /* 31: Backplane auto-negotiation complete */

/* Filter control. 82599:8.2.3.7.1, RW. */
#define IXGBE_FCTRL 0x05080u
#define IXGBE_FCTRL_SBP 0x00000002u /* 1: Store bad packets */
#define IXGBE_FCTRL_MPE 0x00000100u /* 8: Multicast promiscuous */
#define IXGBE_FCTRL_UPE 0x00000200u /* 9: Unicast promiscuous */
#define IXGBE_FCTRL_BAM 0x00000400u /* 10: Accept broadcast */
#define IXGBE_FCTRL_PMCF 0x00001000u /* 12: Pass MAC control frames */
#define IXGBE_FCTRL_DPF 0x00002000u /* 13: Discard pause frames */

/* VLAN control. 82599:8.2.3.7.2, RW. */
#define IXGBE_VLNCTRL 0x05088u
#define IXGBE_VLNCTRL_VET 0x0000ffffu /* 15:0: Ethertype of a tag */
#define IXGBE_VLNCTRL_CFI 0x10000000u /* 28: Value that CFI must have */
#define IXGBE_VLNCTRL_CFIEN 0x20000000u /* 29: Compare CFI */
#define IXGBE_VLNCTRL_VFE 0x40000000u /* 30: Filter by VFTA */
#define IXGBE_VLNCTRL_VME 0x80000000u /* 31: 82598 only; the 82599 strips by RXDCTL.VME */

/* Multicast control. 82599:8.2.3.7.3, RW. */
#define IXGBE_MCSTCTRL 0x05090u
#define IXGBE_MCSTCTRL_MO 0x00000003u /* 1:0: Which 12 bits of the address are the hash */
#define IXGBE_MCSTCTRL_MO_BITS_47_36 0u
#define IXGBE_MCSTCTRL_MO_BITS_46_35 1u
#define IXGBE_MCSTCTRL_MO_BITS_45_34 2u
#define IXGBE_MCSTCTRL_MO_BITS_43_32 3u
#define IXGBE_MCSTCTRL_MFE 0x00000004u /* 2: Filter multicast by MTA */

/* Receive checksum control. 82599:8.2.3.7.5, RW. */
#define IXGBE_RXCSUM 0x05000u
#define IXGBE_RXCSUM_IPPCSE 0x00001000u /* 12: Checksum of IP fragments in the descriptor */
#define IXGBE_RXCSUM_PCSD 0x00002000u /* 13: 1: RSS hash in the descriptor; 0: IP id and fragment checksum */

/* Receive filter control. 82599:8.2.3.7.6, RW. */
#define IXGBE_RFCTL 0x05008u
#define IXGBE_RFCTL_RSC_DIS 0x00000020u /* 5: Receive side coalescing off */
#define IXGBE_RFCTL_NFSW_DIS 0x00000040u /* 6: NFS write filter off */
#define IXGBE_RFCTL_NFSR_DIS 0x00000080u /* 7: NFS read filter off */

/* Multicast table: 4096 bits, word = hash >> 5, bit = hash & 31. 82599:8.2.3.7.7, RW. */
#define IXGBE_MTA(n) (0x05200u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_MTA_COUNT 128u

/* Receive address, bytes 0 to 3 (byte 0 lowest). 82599:8.2.3.7.8, RW. */
#define IXGBE_RAL(n) (0x0a200u + 8u * ((uint32_t)(n) - 0u))
#define IXGBE_RAL_COUNT 128u

/* Receive address, bytes 4 and 5. 82599:8.2.3.7.9, RW. */
#define IXGBE_RAH(n) (0x0a204u + 8u * ((uint32_t)(n) - 0u))
#define IXGBE_RAH_COUNT 128u
#define IXGBE_RAH_ADDRESS 0x0000ffffu /* 15:0: Bytes 4 and 5 (byte 4 lowest) */
#define IXGBE_RAH_AV 0x80000000u /* 31: Address valid */

/* Pools of each receive address: 64-bit map, low word at even numbers. 82599:8.2.3.7.10, RW. */
#define IXGBE_MPSAR(n) (0x0a600u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_MPSAR_COUNT 256u

/* VLAN filter: 4096 bits, word = id >> 5, bit = id & 31. 82599:8.2.3.7.11, RW. */
#define IXGBE_VFTA(n) (0x0a000u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_VFTA_COUNT 128u

/* Unicast table: 4096 bits. 82599:8.2.3.27, RW. */
#define IXGBE_PFUTA(n) (0x0f400u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_PFUTA_COUNT 128u

/* Multiple receive queues. 82599:8.2.3.7.12, RW. */
#define IXGBE_MRQC 0x0ec80u
#define IXGBE_MRQC_MRQE 0x0000000fu /* 3:0: How packets find their queue */
#define IXGBE_MRQC_MRQE_NONE 0u
#define IXGBE_MRQC_MRQE_RSS 1u
#define IXGBE_MRQC_MRQE_DCB_8TC 2u
#define IXGBE_MRQC_MRQE_DCB_4TC 3u
#define IXGBE_MRQC_MRQE_DCB_8TC_RSS 4u
#define IXGBE_MRQC_MRQE_DCB_4TC_RSS 5u
#define IXGBE_MRQC_MRQE_VMDQ 8u
#define IXGBE_MRQC_MRQE_VMDQ_RSS_32 10u
#define IXGBE_MRQC_MRQE_VMDQ_RSS_64 11u
#define IXGBE_MRQC_TCP_IPV4 0x00010000u /* 16: Hash TCP over IPv4 by addresses and ports */
#define IXGBE_MRQC_IPV4 0x00020000u /* 17: Hash IPv4 by addresses */
#define IXGBE_MRQC_TCP_IPV6_EX 0x00040000u /* 18: Hash TCP over IPv6 with extension headers */
#define IXGBE_MRQC_IPV6_EX 0x00080000u /* 19: Hash IPv6 with extension headers */
#define IXGBE_MRQC_IPV6 0x00100000u /* 20: Hash IPv6 by addresses */
#define IXGBE_MRQC_TCP_IPV6 0x00200000u /* 21: Hash TCP over IPv6 by addresses and ports */
#define IXGBE_MRQC_UDP_IPV4 0x00400000u /* 22: Hash UDP over IPv4 by addresses and ports */
#define IXGBE_MRQC_UDP_IPV6 0x00800000u /* 23: Hash UDP over IPv6 by addresses and ports */
#define IXGBE_MRQC_UDP_IPV6_EX 0x01000000u /* 24: Hash UDP over IPv6 with extension headers */

/* Redirection table: 128 entries, four in a register, lowest first. 82599:8.2.3.7.15, RW. */
#define IXGBE_RETA(n) (0x0eb00u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_RETA_COUNT 32u
#define IXGBE_RETA_ENTRY0 0x0000000fu /* 3:0: Queue of hash & 127 = 4n */
#define IXGBE_RETA_ENTRY1 0x00000f00u /* 11:8: Queue of 4n + 1 */
#define IXGBE_RETA_ENTRY2 0x000f0000u /* 19:16: Queue of 4n + 2 */
#define IXGBE_RETA_ENTRY3 0x0f000000u /* 27:24: Queue of 4n + 3 */

/* RSS key, 40 bytes, lowest first. 82599:8.2.3.7.14, RW. */
#define IXGBE_RSSRK(n) (0x0eb80u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_RSSRK_COUNT 10u

/* Five-tuple filter: protocol and enable. 82599:8.2.3.7.19, RW. */
#define IXGBE_FTQF(n) (0x0e600u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_FTQF_COUNT 128u
#define IXGBE_FTQF_ENABLE 0x80000000u /* 31: Filter is on */

/* Receive ring base, low. 82599:8.2.3.8.1, RW. */
#define IXGBE_RDBAL(n) ((uint32_t)(n) < 64 ? 0x01000u + 64u * ((uint32_t)(n) - 0u) : 0x0d000u + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_RDBAL_COUNT 128u
#define IXGBE_RDBAL_BASE 0xffffff80u /* 31:7: Bits 31:7 of the address; 128-byte aligned */

/* Receive ring base, high. 82599:8.2.3.8.2, RW. */
#define IXGBE_RDBAH(n) ((uint32_t)(n) < 64 ? 0x01004u + 64u * ((uint32_t)(n) - 0u) : 0x0d004u + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_RDBAH_COUNT 128u

/* Receive ring length. 82599:8.2.3.8.3, RW. */
#define IXGBE_RDLEN(n) ((uint32_t)(n) < 64 ? 0x01008u + 64u * ((uint32_t)(n) - 0u) : 0x0d008u + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_RDLEN_COUNT 128u
#define IXGBE_RDLEN_LEN 0x000fff80u /* 19:7: Bytes in units of 128 (8 descriptors) */

/* Receive DCA control. 82599:8.2.3.11.1, RW. */
#define IXGBE_DCA_RXCTRL(n) ((uint32_t)(n) < 64 ? 0x0100cu + 64u * ((uint32_t)(n) - 0u) : 0x0d00cu + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_DCA_RXCTRL_COUNT 128u
#define IXGBE_DCA_RXCTRL_RESERVED_CLEAR 0x00001000u /* 12: Set after reset, software must clear it */
#define IXGBE_DCA_RXCTRL_DATA_WRITE_RO 0x00002000u /* 13: Relaxed ordering of data writes */
#define IXGBE_DCA_RXCTRL_HEADER_RO 0x00008000u /* 15: Relaxed ordering of header writes */

/* Receive head: owned by hardware. 82599:8.2.3.8.4, RW. */
#define IXGBE_RDH(n) ((uint32_t)(n) < 64 ? 0x01010u + 64u * ((uint32_t)(n) - 0u) : 0x0d010u + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_RDH_COUNT 128u
#define IXGBE_RDH_RDH 0x0000ffffu /* 15:0: Next descriptor that hardware fills */

/* Split and replication receive control. 82599:8.2.3.8.7, RW. */
#define IXGBE_SRRCTL(n) ((uint32_t)(n) < 64 ? 0x01014u + 64u * ((uint32_t)(n) - 0u) : 0x0d014u + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_SRRCTL_COUNT 128u
#define IXGBE_SRRCTL_BSIZEPACKET 0x0000007fu /* 6:0: Packet buffer, KiB (hardware uses bits 4:0) */
#define IXGBE_SRRCTL_BSIZEHEADER 0x00003f00u /* 13:8: Header buffer, units of 64 bytes */
#define IXGBE_SRRCTL_RDMTS 0x01c00000u /* 24:22: Minimum threshold interrupt */
#define IXGBE_SRRCTL_DESCTYPE 0x0e000000u /* 27:25: Descriptor format */
#define IXGBE_SRRCTL_DESCTYPE_LEGACY 0u
#define IXGBE_SRRCTL_DESCTYPE_ADV_ONE_BUFFER 1u
#define IXGBE_SRRCTL_DESCTYPE_SPLIT 2u
#define IXGBE_SRRCTL_DESCTYPE_SPLIT_ALWAYS 5u
#define IXGBE_SRRCTL_DROP_EN 0x10000000u /* 28: Drop when no descriptor is left, instead of blocking the packet buffer */

/* Receive tail: the doorbell. 82599:8.2.3.8.5, RW. */
#define IXGBE_RDT(n) ((uint32_t)(n) < 64 ? 0x01018u + 64u * ((uint32_t)(n) - 0u) : 0x0d018u + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_RDT_COUNT 128u
#define IXGBE_RDT_RDT 0x0000ffffu /* 15:0: First descriptor that hardware may not use */

/* Receive descriptor control. 82599:8.2.3.8.6, RW. */
#define IXGBE_RXDCTL(n) ((uint32_t)(n) < 64 ? 0x01028u + 64u * ((uint32_t)(n) - 0u) : 0x0d028u + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_RXDCTL_COUNT 128u
#define IXGBE_RXDCTL_RLPML 0x00007fffu /* 14:0: Longest packet (unusable on the 82599) */
#define IXGBE_RXDCTL_RLPML_EN 0x00008000u /* 15: Obey RLPML (unusable on the 82599) */
#define IXGBE_RXDCTL_ENABLE 0x02000000u /* 25: Queue enable; reads back 1 when ready, 0 when quiet */
#define IXGBE_RXDCTL_SWFLSH 0x04000000u /* 26: Write finished descriptors back now */
#define IXGBE_RXDCTL_VME 0x40000000u /* 30: Strip VLAN tags */

/* Receive side coalescing. 82599:8.2.3.8.13, RW. */
#define IXGBE_RSCCTL(n) ((uint32_t)(n) < 64 ? 0x0102cu + 64u * ((uint32_t)(n) - 0u) : 0x0d02cu + 64u * ((uint32_t)(n) - 64u))
#define IXGBE_RSCCTL_COUNT 128u
#define IXGBE_RSCCTL_RSCEN 0x00000001u /* 0: Coalesce */

/* Receive DMA control. 82599:8.2.3.8.8, RW. */
#define IXGBE_RDRXCTL 0x02f00u
#define IXGBE_RDRXCTL_CRCSTRIP 0x00000002u /* 1: The CRC is stripped; must equal HLREG0.RXCRCSTRP */
#define IXGBE_RDRXCTL_DMAIDONE 0x00000008u /* 3: DMA is initialised */
#define IXGBE_RDRXCTL_RSCFRSTSIZE 0x003e0000u /* 21:17: Must be written 0 */
#define IXGBE_RDRXCTL_RSCACKC 0x02000000u /* 25: Must be set with RSC */
#define IXGBE_RDRXCTL_FCOE_WRFIX 0x04000000u /* 26: Must be set with FCoE */

/* Receive control. 82599:8.2.3.8.10, RW. */
#define IXGBE_RXCTRL 0x03000u
#define IXGBE_RXCTRL_RXEN 0x00000001u /* 0: Receive enable, master switch */

/* Transmit DMA control. 82599:8.2.3.9.2, RW. */
#define IXGBE_DMATXCTL 0x04a80u
#define IXGBE_DMATXCTL_TE 0x00000001u /* 0: Transmit enable, master switch */
#define IXGBE_DMATXCTL_GDV 0x00000008u /* 3: Global double VLAN */
#define IXGBE_DMATXCTL_VT 0xffff0000u /* 31:16: Ethertype of inserted tags */

/* Transmit ring base, low. 82599:8.2.3.9.5, RW. */
#define IXGBE_TDBAL(n) (0x06000u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_TDBAL_COUNT 128u
#define IXGBE_TDBAL_BASE 0xffffff80u /* 31:7: Bits 31:7 of the address; 128-byte aligned */

/* Transmit ring base, high. 82599:8.2.3.9.6, RW. */
#define IXGBE_TDBAH(n) (0x06004u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_TDBAH_COUNT 128u

/* Transmit ring length. 82599:8.2.3.9.7, RW. */
#define IXGBE_TDLEN(n) (0x06008u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_TDLEN_COUNT 128u
#define IXGBE_TDLEN_LEN 0x000fff80u /* 19:7: Bytes in units of 128 (8 descriptors) */

/* Transmit DCA control. 82599:8.2.3.11.2, RW. */
#define IXGBE_DCA_TXCTRL(n) (0x0600cu + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_DCA_TXCTRL_COUNT 128u
#define IXGBE_DCA_TXCTRL_WRITEBACK_RO 0x00000800u /* 11: Relaxed ordering of write-backs; drivers clear it */

/* Transmit head: owned by hardware. 82599:8.2.3.9.8, RW. */
#define IXGBE_TDH(n) (0x06010u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_TDH_COUNT 128u
#define IXGBE_TDH_TDH 0x0000ffffu /* 15:0: Next descriptor that hardware reads */

/* Transmit tail: the doorbell. 82599:8.2.3.9.9, RW. */
#define IXGBE_TDT(n) (0x06018u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_TDT_COUNT 128u
#define IXGBE_TDT_TDT 0x0000ffffu /* 15:0: First descriptor that is not ready */

/* Transmit descriptor control. 82599:8.2.3.9.10, RW. */
#define IXGBE_TXDCTL(n) (0x06028u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_TXDCTL_COUNT 128u
#define IXGBE_TXDCTL_PTHRESH 0x0000007fu /* 6:0: Prefetch when fewer descriptors are cached */
#define IXGBE_TXDCTL_HTHRESH 0x00007f00u /* 14:8: and at least so many are ready in memory */
#define IXGBE_TXDCTL_WTHRESH 0x007f0000u /* 22:16: Write back so many at once; 0 each */
#define IXGBE_TXDCTL_ENABLE 0x02000000u /* 25: Queue enable; reads back 1 when ready, 0 when quiet */
#define IXGBE_TXDCTL_SWFLSH 0x04000000u /* 26: Write finished descriptors back now */

/* Head write-back address, low. 82599:8.2.3.9.11, RW. */
#define IXGBE_TDWBAL(n) (0x06038u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_TDWBAL_COUNT 128u
#define IXGBE_TDWBAL_HEAD_WB_EN 0x00000001u /* 0: Write the head to memory instead of the descriptors */
#define IXGBE_TDWBAL_ADDRESS 0xfffffffcu /* 31:2: Bits 31:2 of the address; keep it 16-byte aligned */

/* Frames with a wrong CRC. 82599:8.2.3.23, RC. */
#define IXGBE_CRCERRS 0x04000u

/* Good packets received. 82599:8.2.3.23, RC. */
#define IXGBE_GPRC 0x04074u

/* Good packets transmitted. 82599:8.2.3.23, RC. */
#define IXGBE_GPTC 0x04080u

/* Good octets received, low; read before GORCH. 82599:8.2.3.23.25, RC. */
#define IXGBE_GORCL 0x04088u

/* Good octets received, bits 35:32. 82599:8.2.3.23.26, RC. */
#define IXGBE_GORCH 0x0408cu
#define IXGBE_GORCH_HIGH 0x0000000fu /* 3:0: Bits 35:32 */

/* Good octets transmitted, low; read before GOTCH. 82599:8.2.3.23, RC. */
#define IXGBE_GOTCL 0x04090u

/* Good octets transmitted, bits 35:32. 82599:8.2.3.23, RC. */
#define IXGBE_GOTCH 0x04094u
#define IXGBE_GOTCH_HIGH 0x0000000fu /* 3:0: Bits 35:32 */

/* Undersize: shorter than 64 bytes, good CRC. 82599:8.2.3.23, RC. */
#define IXGBE_RUC 0x040a4u

/* Fragments: shorter than 64 bytes, wrong CRC. 82599:8.2.3.23, RC. */
#define IXGBE_RFC 0x040a8u

/* Oversize: longer than the largest frame, good CRC. 82599:8.2.3.23, RC. */
#define IXGBE_ROC 0x040acu

/* Jabber: longer than the largest frame, wrong CRC. 82599:8.2.3.23, RC. */
#define IXGBE_RJC 0x040b0u

/* Missed: no packet buffer space. 82599:8.2.3.23, RC. */
#define IXGBE_MPC(n) (0x03fa0u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_MPC_COUNT 8u

/* Packets dropped for want of a descriptor, by counter set. 82599:8.2.3.23.75, RC. */
#define IXGBE_QPRDC(n) (0x01430u + 64u * ((uint32_t)(n) - 0u))
#define IXGBE_QPRDC_COUNT 16u

/* Counter set of receive queues 4n to 4n + 3. 82599:8.2.3.23.71, RW. */
#define IXGBE_RQSMR(n) (0x02300u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_RQSMR_COUNT 32u
#define IXGBE_RQSMR_MAP0 0x0000000fu /* 3:0: Set of queue 4n */
#define IXGBE_RQSMR_MAP1 0x00000f00u /* 11:8: Set of queue 4n + 1 */
#define IXGBE_RQSMR_MAP2 0x000f0000u /* 19:16: Set of queue 4n + 2 */
#define IXGBE_RQSMR_MAP3 0x0f000000u /* 27:24: Set of queue 4n + 3 */

/* Counter set of transmit queues 4n to 4n + 3. 82599:8.2.3.23.73, RW. */
#define IXGBE_TQSM(n) (0x08600u + 4u * ((uint32_t)(n) - 0u))
#define IXGBE_TQSM_COUNT 32u
#define IXGBE_TQSM_MAP0 0x0000000fu /* 3:0: Set of queue 4n */
#define IXGBE_TQSM_MAP1 0x00000f00u /* 11:8: Set of queue 4n + 1 */
#define IXGBE_TQSM_MAP2 0x000f0000u /* 19:16: Set of queue 4n + 2 */
#define IXGBE_TQSM_MAP3 0x0f000000u /* 27:24: Set of queue 4n + 3 */

/* Interrupt mask clear: ones clear bits of EIMS. 82599:8.2.3.5.4, W1C. */
#define IXGBE_EIMC 0x00888u
#define IXGBE_EIMC_RTXQ 0x0000ffffu /* 15:0: Queues */
#define IXGBE_EIMC_OTHERS 0x7fff0000u /* 30:16: The other causes, as in EICR */

/* Receive descriptor as the NIC gives it back. 82599:7.1.6.2. */
#define IXGBE_RX_WRITEBACK_RSS_TYPE UINT64_C(0x000000000000000f) /* 3:0: What was hashed */
#define IXGBE_RX_WRITEBACK_RSS_TYPE_QUAD 0
#define IXGBE_RX_WRITEBACK_RSS_TYPE_NONE UINT64_C(0)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_TCP_IPV4 UINT64_C(1)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_IPV4 UINT64_C(2)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_TCP_IPV6 UINT64_C(3)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_IPV6_EX UINT64_C(4)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_IPV6 UINT64_C(5)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_TCP_IPV6_EX UINT64_C(6)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_UDP_IPV4 UINT64_C(7)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_UDP_IPV6 UINT64_C(8)
#define IXGBE_RX_WRITEBACK_RSS_TYPE_UDP_IPV6_EX UINT64_C(9)
#define IXGBE_RX_WRITEBACK_PACKET_TYPE UINT64_C(0x000000000000fff0) /* 15:4: What was recognised, a bit each (PACKET_*) */
#define IXGBE_RX_WRITEBACK_PACKET_TYPE_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_IPV4 UINT64_C(0x0000000000000010) /* 4: IPv4 */
#define IXGBE_RX_WRITEBACK_PACKET_IPV4_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_IPV4_OPTIONS UINT64_C(0x0000000000000020) /* 5: IPv4 with options */
#define IXGBE_RX_WRITEBACK_PACKET_IPV4_OPTIONS_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_IPV6 UINT64_C(0x0000000000000040) /* 6: IPv6 */
#define IXGBE_RX_WRITEBACK_PACKET_IPV6_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_IPV6_EXT UINT64_C(0x0000000000000080) /* 7: IPv6 with extension headers */
#define IXGBE_RX_WRITEBACK_PACKET_IPV6_EXT_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_TCP UINT64_C(0x0000000000000100) /* 8: TCP */
#define IXGBE_RX_WRITEBACK_PACKET_TCP_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_UDP UINT64_C(0x0000000000000200) /* 9: UDP */
#define IXGBE_RX_WRITEBACK_PACKET_UDP_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_SCTP UINT64_C(0x0000000000000400) /* 10: SCTP */
#define IXGBE_RX_WRITEBACK_PACKET_SCTP_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_NFS UINT64_C(0x0000000000000800) /* 11: NFS */
#define IXGBE_RX_WRITEBACK_PACKET_NFS_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_ESP UINT64_C(0x0000000000001000) /* 12: IPsec ESP */
#define IXGBE_RX_WRITEBACK_PACKET_ESP_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_AH UINT64_C(0x0000000000002000) /* 13: IPsec AH */
#define IXGBE_RX_WRITEBACK_PACKET_AH_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_LINKSEC UINT64_C(0x0000000000004000) /* 14: LinkSec */
#define IXGBE_RX_WRITEBACK_PACKET_LINKSEC_QUAD 0
#define IXGBE_RX_WRITEBACK_PACKET_L2 UINT64_C(0x0000000000008000) /* 15: Ethertype filter matched; bits 6:4 name it */
#define IXGBE_RX_WRITEBACK_PACKET_L2_QUAD 0
#define IXGBE_RX_WRITEBACK_RSC_COUNT UINT64_C(0x00000000001e0000) /* 20:17: Coalesced packets */
#define IXGBE_RX_WRITEBACK_RSC_COUNT_QUAD 0
#define IXGBE_RX_WRITEBACK_HEADER_LENGTH UINT64_C(0x000000007fe00000) /* 30:21: Bytes of header */
#define IXGBE_RX_WRITEBACK_HEADER_LENGTH_QUAD 0
#define IXGBE_RX_WRITEBACK_SPH UINT64_C(0x0000000080000000) /* 31: Header was split off */
#define IXGBE_RX_WRITEBACK_SPH_QUAD 0
#define IXGBE_RX_WRITEBACK_RSS_HASH UINT64_C(0xffffffff00000000) /* 63:32: Hash, with RXCSUM.PCSD = 1 */
#define IXGBE_RX_WRITEBACK_RSS_HASH_QUAD 0
#define IXGBE_RX_WRITEBACK_IP_ID UINT64_C(0x0000ffff00000000) /* 47:32: IP identification, with RXCSUM.PCSD = 0 */
#define IXGBE_RX_WRITEBACK_IP_ID_QUAD 0
#define IXGBE_RX_WRITEBACK_FRAGMENT_CHECKSUM UINT64_C(0xffff000000000000) /* 63:48: Checksum of the fragment, with RXCSUM.PCSD = 0 */
#define IXGBE_RX_WRITEBACK_FRAGMENT_CHECKSUM_QUAD 0
#define IXGBE_RX_WRITEBACK_STATUS UINT64_C(0x00000000000fffff) /* 19:0: All status bits */
#define IXGBE_RX_WRITEBACK_STATUS_QUAD 1
#define IXGBE_RX_WRITEBACK_DD UINT64_C(0x0000000000000001) /* 0: Descriptor done */
#define IXGBE_RX_WRITEBACK_DD_QUAD 1
#define IXGBE_RX_WRITEBACK_EOP UINT64_C(0x0000000000000002) /* 1: End of packet */
#define IXGBE_RX_WRITEBACK_EOP_QUAD 1
#define IXGBE_RX_WRITEBACK_FLM UINT64_C(0x0000000000000004) /* 2: Flow director match */
#define IXGBE_RX_WRITEBACK_FLM_QUAD 1
#define IXGBE_RX_WRITEBACK_VP UINT64_C(0x0000000000000008) /* 3: VLAN tag was present */
#define IXGBE_RX_WRITEBACK_VP_QUAD 1
#define IXGBE_RX_WRITEBACK_UDPCS UINT64_C(0x0000000000000010) /* 4: UDP checksum was checked */
#define IXGBE_RX_WRITEBACK_UDPCS_QUAD 1
#define IXGBE_RX_WRITEBACK_L4CS UINT64_C(0x0000000000000020) /* 5: L4 checksum was checked */
#define IXGBE_RX_WRITEBACK_L4CS_QUAD 1
#define IXGBE_RX_WRITEBACK_IPCS UINT64_C(0x0000000000000040) /* 6: IPv4 checksum was checked */
#define IXGBE_RX_WRITEBACK_IPCS_QUAD 1
#define IXGBE_RX_WRITEBACK_PIF UINT64_C(0x0000000000000080) /* 7: Passed an inexact filter */
#define IXGBE_RX_WRITEBACK_PIF_QUAD 1
#define IXGBE_RX_WRITEBACK_VEXT UINT64_C(0x0000000000000200) /* 9: Outer VLAN tag */
#define IXGBE_RX_WRITEBACK_VEXT_QUAD 1
#define IXGBE_RX_WRITEBACK_UDPV UINT64_C(0x0000000000000400) /* 10: Fragment checksum is valid */
#define IXGBE_RX_WRITEBACK_UDPV_QUAD 1
#define IXGBE_RX_WRITEBACK_LLINT UINT64_C(0x0000000000000800) /* 11: Low latency interrupt */
#define IXGBE_RX_WRITEBACK_LLINT_QUAD 1
#define IXGBE_RX_WRITEBACK_TS UINT64_C(0x0000000000010000) /* 16: Time stamped */
#define IXGBE_RX_WRITEBACK_TS_QUAD 1
#define IXGBE_RX_WRITEBACK_SECP UINT64_C(0x0000000000020000) /* 17: Security was processed */
#define IXGBE_RX_WRITEBACK_SECP_QUAD 1
#define IXGBE_RX_WRITEBACK_LB UINT64_C(0x0000000000040000) /* 18: Loopback */
#define IXGBE_RX_WRITEBACK_LB_QUAD 1
#define IXGBE_RX_WRITEBACK_ERRORS UINT64_C(0x00000000fff00000) /* 31:20: All error bits; valid with EOP */
#define IXGBE_RX_WRITEBACK_ERRORS_QUAD 1
#define IXGBE_RX_WRITEBACK_FDIR_ERROR UINT64_C(0x0000000000700000) /* 22:20: Flow director error */
#define IXGBE_RX_WRITEBACK_FDIR_ERROR_QUAD 1
#define IXGBE_RX_WRITEBACK_HBO UINT64_C(0x0000000000800000) /* 23: Header buffer overflow */
#define IXGBE_RX_WRITEBACK_HBO_QUAD 1
#define IXGBE_RX_WRITEBACK_SEC_ERROR UINT64_C(0x0000000018000000) /* 28:27: Security error */
#define IXGBE_RX_WRITEBACK_SEC_ERROR_QUAD 1
#define IXGBE_RX_WRITEBACK_RXE UINT64_C(0x0000000020000000) /* 29: MAC error: CRC, length, size, symbol */
#define IXGBE_RX_WRITEBACK_RXE_QUAD 1
#define IXGBE_RX_WRITEBACK_L4E UINT64_C(0x0000000040000000) /* 30: L4 checksum wrong */
#define IXGBE_RX_WRITEBACK_L4E_QUAD 1
#define IXGBE_RX_WRITEBACK_IPE UINT64_C(0x0000000080000000) /* 31: IPv4 checksum wrong */
#define IXGBE_RX_WRITEBACK_IPE_QUAD 1
#define IXGBE_RX_WRITEBACK_LENGTH UINT64_C(0x0000ffff00000000) /* 47:32: Bytes in this buffer */
#define IXGBE_RX_WRITEBACK_LENGTH_QUAD 1
#define IXGBE_RX_WRITEBACK_VLAN UINT64_C(0xffff000000000000) /* 63:48: Stripped VLAN tag */
#define IXGBE_RX_WRITEBACK_VLAN_QUAD 1

/* Transmit data descriptor as the driver hands it over. 82599:7.2.3.2.4. */
#define IXGBE_TX_DATA_BUFFER UINT64_C(0xffffffffffffffff) /* 63:0: Address of the data */
#define IXGBE_TX_DATA_BUFFER_QUAD 0
#define IXGBE_TX_DATA_DTALEN UINT64_C(0x000000000000ffff) /* 15:0: Bytes in this buffer */
#define IXGBE_TX_DATA_DTALEN_QUAD 1
#define IXGBE_TX_DATA_LINKSEC UINT64_C(0x0000000000040000) /* 18: Apply LinkSec */
#define IXGBE_TX_DATA_LINKSEC_QUAD 1
#define IXGBE_TX_DATA_TSTAMP UINT64_C(0x0000000000080000) /* 19: IEEE 1588 time stamp */
#define IXGBE_TX_DATA_TSTAMP_QUAD 1
#define IXGBE_TX_DATA_DTYP UINT64_C(0x0000000000f00000) /* 23:20: Kind of descriptor */
#define IXGBE_TX_DATA_DTYP_QUAD 1
#define IXGBE_TX_DATA_DTYP_DATA UINT64_C(3)
#define IXGBE_TX_DATA_EOP UINT64_C(0x0000000001000000) /* 24: End of packet */
#define IXGBE_TX_DATA_EOP_QUAD 1
#define IXGBE_TX_DATA_IFCS UINT64_C(0x0000000002000000) /* 25: Insert the CRC */
#define IXGBE_TX_DATA_IFCS_QUAD 1
#define IXGBE_TX_DATA_RS UINT64_C(0x0000000008000000) /* 27: Report status: write DD back */
#define IXGBE_TX_DATA_RS_QUAD 1
#define IXGBE_TX_DATA_DEXT UINT64_C(0x0000000020000000) /* 29: Advanced format */
#define IXGBE_TX_DATA_DEXT_QUAD 1
#define IXGBE_TX_DATA_VLE UINT64_C(0x0000000040000000) /* 30: Insert the VLAN tag of the context */
#define IXGBE_TX_DATA_VLE_QUAD 1
#define IXGBE_TX_DATA_TSE UINT64_C(0x0000000080000000) /* 31: TCP segmentation */
#define IXGBE_TX_DATA_TSE_QUAD 1
#define IXGBE_TX_DATA_STA UINT64_C(0x0000000f00000000) /* 35:32: Status, written back */
#define IXGBE_TX_DATA_STA_QUAD 1
#define IXGBE_TX_DATA_IDX UINT64_C(0x0000007000000000) /* 38:36: Context to use */
#define IXGBE_TX_DATA_IDX_QUAD 1
#define IXGBE_TX_DATA_CC UINT64_C(0x0000008000000000) /* 39: Check context */
#define IXGBE_TX_DATA_CC_QUAD 1
#define IXGBE_TX_DATA_IXSM UINT64_C(0x0000010000000000) /* 40: Insert the IPv4 checksum */
#define IXGBE_TX_DATA_IXSM_QUAD 1
#define IXGBE_TX_DATA_TXSM UINT64_C(0x0000020000000000) /* 41: Insert the L4 checksum */
#define IXGBE_TX_DATA_TXSM_QUAD 1
#define IXGBE_TX_DATA_IPSEC UINT64_C(0x0000040000000000) /* 42: IPsec */
#define IXGBE_TX_DATA_IPSEC_QUAD 1
#define IXGBE_TX_DATA_PAYLEN UINT64_C(0xffffc00000000000) /* 63:46: Bytes of the packet (with TSE: of the L4 payload) */
#define IXGBE_TX_DATA_PAYLEN_QUAD 1

/* Transmit descriptor as the NIC gives it back. 82599:7.2.3.2.4. */
#define IXGBE_TX_WRITEBACK_DD UINT64_C(0x0000000100000000) /* 32: Descriptor done; all else is undefined */
#define IXGBE_TX_WRITEBACK_DD_QUAD 1

#endif
