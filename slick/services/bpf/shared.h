/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the BPF programs of a service and its process both know. The types are vmlinux.h's there and
 * the kernel's headers' here.
 */
#ifndef SLICK_BPF_SHARED_H
#define SLICK_BPF_SHARED_H

/*
 * The gate of a connection: who gets its bytes. Shut, they go to the process: SLICK_BPF_SHUT and
 * how many bytes those were so far. Only the program shuts it, only the process opens it, and only
 * by a compare-and-swap that no byte has overtaken; so nothing is reordered.
 */
#define SLICK_BPF_SHUT (1ull << 63)
#define SLICK_BPF_BYTES (SLICK_BPF_SHUT - 1)

/*
 * How a parsed message gets to the process: redirected into its own socket's receive queue. SK_PASS
 * looks like the same, but since Linux 6.14 (and 6.12.17, 6.6.80, 6.1.130) tcp_bpf_strp_read_sock()
 * counts bytes that were passed in an earlier round and not read yet as read, and bytes that come
 * after wake nobody.
 */
#define SLICK_BPF_TO_PROCESS BPF_F_INGRESS

/*
 * What may wait for the process on a connection before the brake is on (brake.bpf.h). It acts on
 * packets; what was taken before it and not parsed yet comes on top. Where more waits than OVERRUN
 * all the same, the connection is given up instead of the memory.
 */
#define SLICK_BPF_BRAKE (4u << 20)
#define SLICK_BPF_OVERRUN (32u << 20)

/* A stream whose parser asks for more than sk_rcvbuf is ended by the kernel: neither goes there. */
#define SLICK_BPF_MESSAGE 65536u
#define SLICK_BPF_LEAST_ROOM SLICK_BPF_MESSAGE /* the kernel doubles it */

#define SLICK_BPF_NO_SLOT 0xffffffffu

#endif
