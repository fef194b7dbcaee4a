// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The forwarder in BPF, with admission: a message goes straight to the backend of its key as long
 * as no more than `window` bytes are on the way to that backend, in the kernel's queues or on the
 * wire. All that is not so simple goes to the process: a message that finds no room, a key without
 * a backend, a long frame, and what is no message at all. From then on the sender's bytes are the
 * process's, until it has taken them all; so nothing is overtaken.
 */
#include "../bpf/brake.bpf.h"
#include "../bpf/message.bpf.h"
#include <bpf/bpf_endian.h>
#include "forward_bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/*
 * In skb->priority, from the parser to the verdict: the slot, above 0, and whether it is no frame.
 *
 */
#define RAW (1u << 31)

const volatile __u64 window;

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} senders SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sender_state);
} sender_states SEC(".maps");

/* By the cookie of the sender's socket. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, FORWARD_BACKENDS);
	__type(key, __u32);
	__type(value, __u64);
} backends SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, FORWARD_BACKENDS);
	__type(key, __u32);
	__type(value, struct backend_state);
} backend_states SEC(".maps");

/* The backend of a key, as its place in the two maps above. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, FORWARD_BACKENDS);
	__type(key, __s32);
	__type(value, __u32);
} routes SEC(".maps");

static __always_inline __u32 slot_of(struct __sk_buff *skb)
{
	__u64 cookie = bpf_get_socket_cookie(skb);
	__u32 *slot = bpf_map_lookup_elem(&slots, &cookie);

	return slot ? *slot : SLICK_BPF_NO_SLOT;
}

/* The frame as Apache Thrift writes it for oneway msg(1: i32 key, 2: string payload). */
struct frame {
	__be32 length;
	__be32 version, name_length;
	__u8 name[3];
	__u8 sequence[4];
	__u8 type1, id1[2], key[4];
	__u8 type2, id2[2], payload_length[4];
} __attribute__((packed));

#define FRAME_LEAST (sizeof(struct frame) + 1) /* an empty payload and the STOP behind it */

static __always_inline __u32 be32(const __u8 *at)
{
	return (__u32)at[0] << 24 | (__u32)at[1] << 16 | (__u32)at[2] << 8 | at[3];
}

/* Whether it is exactly that; other ways to say the same are the process's to read. */
static __always_inline bool is_msg(const struct frame *frame, __u32 length)
{
	return frame->version == bpf_htonl(0x80010004) && frame->name_length == bpf_htonl(3) &&
	       frame->name[0] == 'm' && frame->name[1] == 's' && frame->name[2] == 'g' &&
	       frame->type1 == 8 && frame->id1[0] == 0 && frame->id1[1] == 1 &&
	       frame->type2 == 11 && frame->id2[0] == 0 && frame->id2[1] == 2 &&
	       be32(frame->payload_length) == length - FRAME_LEAST;
}

/*
 * Puts `length` bytes on the account of a backend if it has room. First they are added and then the
 * gate is looked at, because the process shuts the gate first and then looks at the sum.
 */
static __always_inline bool admitted(__u32 slot, struct backend_state *backend, __u32 length)
{
	__u64 sum = __sync_fetch_and_add(&backend->redirected, length) + length + backend->sent;
	struct bpf_sock *sk = backend->shut ? NULL : bpf_map_lookup_elem(&backends, &slot);
	struct tcp_sock *tcp;
	bool room = false;

	if (sk) {
		tcp = bpf_skc_to_tcp_sock(sk);
		if (tcp)
			room = sum - (tcp->bytes_acked - backend->base) <= window;
		bpf_sk_release(sk);
	}
	if (!room)
		__sync_fetch_and_add(&backend->redirected, -(__u64)length);
	return room;
}

static __always_inline bool redirected(struct __sk_buff *skb, struct sender_state *state,
				       const struct strp_msg *message)
{
	struct backend_state *backend;
	struct frame frame;
	__u32 length = message->full_len, slot, *found;
	__u8 stop = 1;
	__s32 key;

	if (bpf_skb_load_bytes(skb, message->offset, &frame, sizeof(frame)) ||
	    bpf_skb_load_bytes(skb, message->offset + length - 1, &stop, 1))
		return false;
	if (!is_msg(&frame, length) || stop)
		return false;
	key = be32(frame.key);
	found = bpf_map_lookup_elem(&routes, &key);
	if (!found)
		return false;
	slot = *found;
	backend = bpf_map_lookup_elem(&backend_states, &slot);
	if (!backend || !admitted(slot, backend, length))
		return false;
	if (bpf_sk_redirect_map(skb, &backends, slot, 0) != SK_PASS) {
		__sync_fetch_and_add(&backend->redirected, -(__u64)length);
		return false;
	}
	state->redirected += length;
	state->messages++;
	state->used |= 1ull << (slot & (FORWARD_BACKENDS - 1));
	return true;
}

/* To the process, and whatever follows with it. */
static __always_inline int keep(struct __sk_buff *skb, struct sender_state *state, __u32 slot,
				__u32 length)
{
	__u64 gate = state->gate;

	/* The process may open the gate at this moment; then it is shut anew. */
	if (!(gate & SLICK_BPF_SHUT) ||
	    __sync_val_compare_and_swap(&state->gate, gate, gate + length) != gate)
		state->gate = ((gate & SLICK_BPF_BYTES) + length) | SLICK_BPF_SHUT;
	if ((state->gate & SLICK_BPF_BYTES) - state->taken > SLICK_BPF_OVERRUN) {
		state->overrun = 1;
		return SK_DROP;
	}
	return bpf_sk_redirect_map(skb, &senders, slot, SLICK_BPF_TO_PROCESS);
}

SEC("sk_skb/stream_parser")
int forward_parser(struct __sk_buff *skb)
{
	struct sender_state *state;
	struct strp_msg message = {};
	__u32 slot = slot_of(skb), there, raw, length;
	__be32 header;

	slick_message(skb, &message);
	there = skb->len - message.offset;
	raw = there < SLICK_BPF_MESSAGE ? there : SLICK_BPF_MESSAGE;
	skb->priority = (slot + 1) | RAW;
	state = bpf_map_lookup_elem(&sender_states, &slot);
	if (!state || state->gate & SLICK_BPF_SHUT)
		return raw;
	if (there < sizeof(header))
		return 0;
	if (bpf_skb_load_bytes(skb, message.offset, &header, sizeof(header)))
		return raw;
	length = bpf_ntohl(header);
	if (length > FORWARD_FAST_FRAME || length + sizeof(header) < FRAME_LEAST)
		return raw;
	skb->priority = slot + 1;
	return length + sizeof(header);
}

SEC("sk_skb/stream_verdict")
int forward_message(struct __sk_buff *skb)
{
	struct strp_msg message = {};
	struct sender_state *state;
	__u32 mark = skb->priority, slot;

	/* A message that began in a long skb comes in a new one, without the mark. */
	slot = mark ? (mark & ~RAW) - 1 : slot_of(skb);
	slick_message(skb, &message);
	state = bpf_map_lookup_elem(&sender_states, &slot);
	if (!state)
		return SK_DROP;
	if (!(mark & RAW) && !(state->gate & SLICK_BPF_SHUT) && redirected(skb, state, &message))
		return SK_PASS;
	return keep(skb, state, slot, message.full_len);
}

SEC("socket")
int forward_brake(struct __sk_buff *skb)
{
	__u32 slot = slot_of(skb);
	struct sender_state *state = bpf_map_lookup_elem(&sender_states, &slot);

	return state ? slick_brake(skb, state->gate, state->taken) : skb->len;
}
