// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What is due on an event: what its socket says, and what was said to the event itself. */
#include <net/tcp.h>

#include "internal.h"

/*
 * Without the socket's lock: each of these numbers is only ever set to something new before a
 * callback of the socket pokes, so that whoever looks too early looks again.
 */
static bool readable(const struct slick_ev *ev)
{
	const struct tcp_sock *tp = tcp_sk(ev->sk);
	int count = READ_ONCE(tp->rcv_nxt) - READ_ONCE(tp->copied_seq);

	/* tcp_read_sock() stops at urgent data; to ask it again and again would not help. */
	if (unlikely(tp->urg_data && ev->kind->locked))
		return tcp_inq(ev->sk) > 0;
	/* The peer's end counts as a byte until it is read. */
	return count > !!sock_flag(ev->sk, SOCK_DONE);
}

bool slick_writable(struct sock *sk)
{
	if ((1 << READ_ONCE(sk->sk_state)) & (TCPF_SYN_SENT | TCPF_SYN_RECV))
		return false;
	/* Then the end or an error is told, which says more. */
	if (READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN)
		return false;
	if (sk_stream_is_writeable(sk))
		return true;
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	/* Space that came before the bit was set has told nobody. */
	smp_mb__after_atomic();
	return sk_stream_is_writeable(sk);
}

/*
 * The end of the peer is told once, and once more when nothing is left before it: the reader that
 * has read all but the end would wait for it for ever. An error is told once.
 */
static u32 ends(struct slick_ev *ev, u32 what, u32 *told)
{
	u32 news = 0;

	if (READ_ONCE(ev->sk->sk_shutdown) & RCV_SHUTDOWN) {
		what |= SLICK_EOF;
		news |= SLICK_TOLD_EOF;
		if (!readable(ev))
			news |= SLICK_TOLD_END;
	}
	if (ev->dead || READ_ONCE(ev->sk->sk_err)) {
		what |= SLICK_ERROR;
		news |= SLICK_TOLD_ERROR;
	}
	news &= ~ev->told;
	*told = news;
	/* What was told before is repeated, but is no reason to call. */
	return news || (what & ~(SLICK_EOF | SLICK_ERROR)) ? what : 0;
}

static u32 holds(struct slick_ev *ev, u32 *told)
{
	struct sock *sk = ev->sk;
	u32 wanted = READ_ONCE(ev->wanted);
	u32 what = ev->again;

	*told = 0;
	if (wanted & SLICK_READ && readable(ev))
		what |= SLICK_READ;
	if (unlikely(wanted & SLICK_WRITE) && slick_writable(sk))
		what |= SLICK_WRITE;
	if (unlikely(test_bit(SLICK_KICKED, &ev->flags)))
		what |= SLICK_KICK;
	if (unlikely(READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN || READ_ONCE(sk->sk_err) ||
		     ev->dead))
		what = ends(ev, what, told);
	if (unlikely(test_bit(SLICK_TIMED_OUT, &ev->flags)) && !what)
		what = SLICK_TIMEOUT;
	return what;
}

u32 slick_ev_due(struct slick_ev *ev)
{
	u32 told;

	return holds(ev, &told);
}

u32 slick_ev_take_flags(struct slick_ev *ev, u32 what)
{
	/* Before the callback looks at what the kick was about. */
	if (test_and_clear_bit(SLICK_KICKED, &ev->flags)) {
		slick_count(ev->loop, SLICK_COUNT_KICKS);
		what |= SLICK_KICK;
	}
	/* Nothing else was to be told; else the time begins anew. */
	if (test_and_clear_bit(SLICK_TIMED_OUT, &ev->flags) && (!what || what == SLICK_TIMEOUT)) {
		slick_count(ev->loop, SLICK_COUNT_TIMEOUTS);
		what = SLICK_TIMEOUT;
	}
	return what;
}

u32 slick_ev_take(struct slick_ev *ev)
{
	u32 told, what = holds(ev, &told);

	ev->again = 0;
	if (unlikely(told)) {
		ev->told |= told;
		if (told & SLICK_TOLD_ERROR) {
			ev->dead = true;
			slick_count(ev->loop, SLICK_COUNT_ERRORS);
		}
	}
	if (unlikely(READ_ONCE(ev->flags)))
		what = slick_ev_take_flags(ev, what);
	return what;
}
