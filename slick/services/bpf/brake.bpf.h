/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The brake of a connection: a socket filter. What a program leaves to the process waits in a queue
 * of the kernel's that no receive buffer counts, so that TCP goes on offering room. Once too much
 * waits there, the payload of what comes is cut off; the acknowledgement in the header still
 * counts, and the peer sends the bytes again, more slowly.
 */
#ifndef SLICK_BRAKE_BPF_H
#define SLICK_BRAKE_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include "shared.h"

#define SLICK_TCP_OFFSET 12 /* in the header: the byte whose upper half is its length in words */
#define SLICK_TCP_FIN 0x01

/* How many bytes of the packet may pass. */
static __always_inline int slick_brake(struct __sk_buff *skb, __u64 gate, __u64 taken)
{
	__u8 header[2];

	if (!(gate & SLICK_BPF_SHUT) || (gate & SLICK_BPF_BYTES) - taken <= SLICK_BPF_BRAKE)
		return skb->len;
	if (bpf_skb_load_bytes(skb, SLICK_TCP_OFFSET, header, sizeof(header)))
		return 0;
	/* A FIN behind bytes that are gone would end the stream too early. */
	return header[1] & SLICK_TCP_FIN ? 0 : (header[0] >> 4) * 4;
}

#endif
