/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Where the kernels that this is built for differ. Nothing else asks for a version. */
#ifndef SLICK_COMPAT_H
#define SLICK_COMPAT_H

#include <linux/kthread.h>
#include <linux/skbuff.h>
#include <linux/version.h>
#include <net/sock.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
#include <net/rps.h> /* sock_rps_record_flow(), in net/sock.h before */
#endif

/* 6.14 gave the function that also starts the thread a name of its own. */
static inline struct kthread_worker *slick_worker_on_cpu(int cpu)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
	return kthread_create_worker_on_cpu(cpu, 0, "slick/%u", cpu);
#else
	return kthread_run_worker_on_cpu(cpu, 0, "slick/%u");
#endif
}

/* Since 6.12 an skb may have pages that no processor can read. */
static inline bool slick_skb_readable(const struct sk_buff *skb)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	return skb_frags_readable(skb);
#else
	return true;
#endif
}

/*
 * Makes a kernel's socket hold its network namespace, which the caller holds meanwhile. The
 * kernel's own function for it was also given to trees that are older than it.
 */
static inline void slick_sock_hold_net(struct sock *sk)
{
#ifdef SLICK_NET_REFCNT_UPGRADE
	sk_net_refcnt_upgrade(sk);
#else
	sk->sk_net_refcnt = 1;
	get_net_track(sock_net(sk), &sk->ns_tracker, GFP_KERNEL);
	sock_inuse_add(sock_net(sk), 1);
#endif
}

#endif
