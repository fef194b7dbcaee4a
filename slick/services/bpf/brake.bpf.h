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

/*
 * Whether the receive buffer is about to be full. The worker fills it behind TCP's back, so that
 * TCP drops whole segments which it had offered room for, and takes back the offer; then it drops
 * acknowledgements too, as they lie beyond it, and both directions may stand still for good.
 */
static __always_inline bool slick_full(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct tcp_sock *tcp = sk ? bpf_skc_to_tcp_sock(sk) : NULL;
	struct sock *sock;

	if (!tcp)
		return false;
	sock = &tcp->inet_conn.icsk_inet.sk;
	return sock->sk_backlog.rmem_alloc.counter + (int)SLICK_BPF_MESSAGE > sock->sk_rcvbuf;
}

/* How many bytes of the packet may pass. */
static __always_inline int slick_brake(struct __sk_buff *skb, __u64 gate, __u64 taken)
{
	__u8 header[2];

	if (!(gate & SLICK_BPF_SHUT))
		return skb->len;
	if ((gate & SLICK_BPF_BYTES) - taken <= SLICK_BPF_BRAKE && !slick_full(skb))
		return skb->len;
	if (bpf_skb_load_bytes(skb, SLICK_TCP_OFFSET, header, sizeof(header)))
		return 0;
	/* A FIN behind bytes that are gone would end the stream too early. */
	return header[1] & SLICK_TCP_FIN ? 0 : (header[0] >> 4) * 4;
}

#endif
