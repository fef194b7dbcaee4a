// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* When a sender is done with, and what is done for one that stands still. */
#include "forward_bpf_server.h"

#define WIDEN_AFTER 500000000ull
#define WIDEN_MOST 8
#define END_PATIENCE 60000000000ull
#define HALF_PATIENCE 1000000000ull /* for bytes that the parser may still let go */

/* How long nothing has moved; a sender whose segments were dropped is helped. */
u64 sender_still(struct server *server, struct sender *sender,
		 const struct slick_bpf_progress *progress)
{
	const struct sender_state *state = sender_state(server, sender);
	u64 mark = 1 + progress->acked + progress->received + state->taken + state->redirected +
		   slick_buf_used(&sender->out);
	u64 time = now();

	if (mark != sender->mark) {
		sender->mark = mark;
		sender->since = time;
		server->moved = true;
	}
	time -= sender->since;
	if (state->gate & SLICK_BPF_SHUT && sender->widened < WIDEN_MOST &&
	    time > (sender->widened + 1) * WIDEN_AFTER) {
		sender->widened++;
		sender->room = slick_bpf_wider(sender->fd,
					       (state->gate & SLICK_BPF_BYTES) - state->taken);
		slick_bpf_room(sender->fd, sender->room);
	}
	return time;
}

/* Whether a peer that has ended has nothing more to give and to get. */
bool sender_finished(struct server *server, struct sender *sender,
		     const struct slick_bpf_progress *progress, u64 time)
{
	const struct sender_state *state = sender_state(server, sender);
	u64 gate = state->gate & SLICK_BPF_BYTES;
	struct slick_thrift_msg msg;

	if (time > END_PATIENCE)
		return true;
	if (slick_buf_used(&sender->out) || progress->written != progress->acked)
		return false;
	if (slick_buf_used(&sender->in) &&
	    slick_thrift_parse(slick_buf_peek(&sender->in), slick_buf_used(&sender->in),
			       &server->limits, &msg))
		return false;
	if (sender->copied || sender->commands) {
		server->half += slick_buf_used(&sender->in) > 0;
		return true;
	}
	if (state->taken != gate)
		return false;
	if (progress->received == state->redirected + gate && !slick_buf_used(&sender->in))
		return true;
	/* The parser keeps half a frame to itself and drops it. */
	if (time < HALF_PATIENCE)
		return false;
	server->half++;
	return true;
}

/* Closing with bytes unread would be a reset, and the answer lost: the peer's bytes go nowhere. */
bool sender_linger(struct sender *sender, const struct slick_bpf_progress *progress, u64 time)
{
	char bytes[4096];

	while (recv(sender->fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	if (slick_buf_used(&sender->out) || progress->written != progress->acked)
		return time > HALF_PATIENCE;
	if (!sender->parsed) {
		sender->parsed = 1;
		shutdown(sender->fd, SHUT_WR);
	}
	return progress->ended || time > HALF_PATIENCE;
}
