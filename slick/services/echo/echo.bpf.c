// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The echo in BPF: what a socket receives is put into its own send queue, one message at a time,
 * and no process runs. The kernel does not count what waits there, so a peer that sends and never
 * reads would take memory without end; once more than `window` bytes are not acknowledged by the
 * peer, what follows is left on the socket, where it fills the receive buffer and stops the peer.
 */
#include "../bpf/brake.bpf.h"
#include "../bpf/message.bpf.h"
#include "echo_bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 chunk; /* bytes of a message at most, 0: all that the skb has */
const volatile __u64 window;

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct echo_state);
} states SEC(".maps");

/* A program knows its socket by the cookie only. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} slots SEC(".maps");

static __always_inline __u32 slot_of(struct __sk_buff *skb)
{
	__u64 cookie = bpf_get_socket_cookie(skb);
	__u32 *slot = bpf_map_lookup_elem(&slots, &cookie);

	return slot ? *slot : SLICK_BPF_NO_SLOT;
}

/*
 * Whether more than the window was given back and not acknowledged. While the gate is open the
 * process has given back what it took.
 */
static __always_inline bool crowded(struct __sk_buff *skb, const struct echo_state *state)
{
	struct bpf_sock *sk = skb->sk;
	struct tcp_sock *tcp = sk ? bpf_skc_to_tcp_sock(sk) : NULL;

	return !tcp ||
	       state->redirected + (state->gate & SLICK_BPF_BYTES) - tcp->bytes_acked > window;
}

/*
 * Whether the message goes to the process; counts it if so. Runs under the socket's lock: the
 * process is the only other writer.
 */
static __always_inline bool kept(struct __sk_buff *skb, struct echo_state *state, __u32 length)
{
	__u64 gate = state->gate;

	if (gate & SLICK_BPF_SHUT)
		return __sync_val_compare_and_swap(&state->gate, gate, gate + length) == gate;
	if (!crowded(skb, state))
		return false;
	state->gate = (gate + length) | SLICK_BPF_SHUT;
	return true;
}

/*
 * Without a parser SK_PASS is the way to the process. With one it is not: see SLICK_BPF_TO_PROCESS.
 *
 */
static __always_inline int echo(struct __sk_buff *skb, __u32 slot, __u32 length, bool parsed)
{
	struct echo_state *state = bpf_map_lookup_elem(&states, &slot);

	if (!state)
		return SK_DROP;
	if (!kept(skb, state, length)) {
		state->redirected += length;
		state->messages++;
		return bpf_sk_redirect_map(skb, &sockets, slot, 0);
	}
	if ((state->gate & SLICK_BPF_BYTES) - state->taken > SLICK_BPF_OVERRUN) {
		state->overrun = 1;
		return SK_DROP;
	}
	return parsed ? bpf_sk_redirect_map(skb, &sockets, slot, SLICK_BPF_TO_PROCESS) : SK_PASS;
}

/*
 * A message is what is there, up to `chunk` bytes: never one that is still awaited, so no byte is
 * held back and no size is too large. While the gate is shut it is the whole skb, because each
 * message is charged to the socket with the size of the skb it lies in.
 */
SEC("sk_skb/stream_parser")
int echo_parser(struct __sk_buff *skb)
{
	struct echo_state *state;
	struct strp_msg message = {};
	__u32 slot = slot_of(skb);
	__u32 length;

	slick_message(skb, &message);
	length = skb->len - message.offset;
	skb->priority = slot; /* the verdict gets the same skb and need not look for it again */
	state = bpf_map_lookup_elem(&states, &slot);
	if (state && !(state->gate & SLICK_BPF_SHUT) && chunk && chunk < length)
		return chunk;
	return length < SLICK_BPF_MESSAGE ? length : SLICK_BPF_MESSAGE;
}

SEC("sk_skb/stream_verdict")
int echo_message(struct __sk_buff *skb)
{
	struct strp_msg message = {};

	slick_message(skb, &message);
	return echo(skb, skb->priority, message.full_len, true);
}

/* Without a parser: the whole skb, as it came. The peer's FIN is an empty one. */
SEC("sk_skb")
int echo_skb(struct __sk_buff *skb)
{
	return skb->len ? echo(skb, slot_of(skb), skb->len, false) : SK_DROP;
}

SEC("socket")
int echo_brake(struct __sk_buff *skb)
{
	__u32 slot = slot_of(skb);
	struct echo_state *state = bpf_map_lookup_elem(&states, &slot);

	return state ? slick_brake(skb, state->gate, state->taken) : skb->len;
}
