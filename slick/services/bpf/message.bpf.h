/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Where a message lies in the skb. A parser and a verdict see the whole skb, which may hold many
 * messages; which of them is meant stands in the kernel's skb->cb and nowhere in struct __sk_buff.
 * The kfunc that leads there came with Linux 6.2.
 */
#ifndef SLICK_MESSAGE_BPF_H
#define SLICK_MESSAGE_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

extern void *bpf_cast_to_kern_ctx(void *context) __ksym;

static __always_inline void slick_message(struct __sk_buff *context, struct strp_msg *message)
{
	struct sk_buff *skb = bpf_cast_to_kern_ctx(context);

	bpf_probe_read_kernel(message, sizeof(*message),
			      (void *)skb->cb + bpf_core_field_offset(struct sk_skb_cb, strp.strp));
}

#endif
