// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Receive buffers that hold a whole message. The strparser takes a message from the socket when all
 * of it is there, and gives the connection up whose message is longer than sk_rcvbuf; so the buffer
 * has to be as large as the service's own limit, which is the one that is to hold. It is a bound
 * and no memory: what comes is accounted as ever.
 */
#include <net/tcp.h>

#include "strp_internal.h"

static void widen(struct sock *sk, int size)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 window = tcp_win_from_space(sk, size);

	WRITE_ONCE(sk->sk_rcvbuf, size);
	/* What the peer is offered at a time was bounded by the buffer that there was. */
	if (window > tp->window_clamp)
		WRITE_ONCE(tp->window_clamp, window);
}

/* Twice, as half of what a buffer takes is overhead until TCP knows better. */
void strp_room_begin(struct sock *sk, u32 longest)
{
	int size = 2 * longest;

	if (size > sk->sk_rcvbuf)
		widen(sk, size);
}

/*
 * A buffer holds skbs, with all of their memory: a packet may take two pages for a few bytes of the
 * message. A buffer that is full of those closes the window, and the strparser would wait for ever
 * for what the peer may not send. So the space stays ahead of what is missing, up to a bound that
 * only who sends in the smallest of packets gets to.
 */
bool strp_room_for(struct sock *sk, u32 missing, u32 longest)
{
	const s64 most = (s64)longest * SLICK_STRP_ROOM;
	int space = tcp_space(sk);
	s64 size;

	if (likely(space >= (int)missing))
		return true;
	/* Where it is still too little, the next packet comes here again. */
	size = min(most, sk->sk_rcvbuf + 2 * ((s64)missing - space));
	if (size > sk->sk_rcvbuf) {
		widen(sk, size);
		return true;
	}
	/* The window closes at a sixteenth. */
	return space > tcp_full_space(sk) / 8;
}
