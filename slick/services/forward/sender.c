// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

/* Of a sender's own buffer of notices and answers: above it nothing more is read from it. */
#define NOTICES_HIGH (16 * 1024)
#define NOTICES_LOW (4 * 1024)
#define NOTICES_LIMIT (64 * 1024)
#define LINGER_PATIENCE 2000		/* milliseconds without a byte */
#define LINGER_MOST (4 * 1024 * 1024)	/* bytes that are read only to be dropped */

#define MESSAGES_OF_READ 16 /* as far as the budget is concerned */

void sender_tell(struct forward_sender *sender, const u8 *frame, s64 length)
{
	if (length < 0 || slick_ts_write(&sender->ts, frame, length)) {
		sender->closing = true;
		slick_ev_kick(sender->ev);
	}
}

void sender_failed(struct forward_sender *sender, s32 key, const char *reason)
{
	u8 frame[PROTOCOL_FRAME_MOST];

	if (!sender->ended)
		sender_tell(sender, frame, protocol_failed(frame, key, reason));
}

/* Takes the sender out of all lists; what it has to say is gone with it. */
static void detach(struct forward_sender *sender)
{
	if (sender->ended)
		return;
	sender->ended = true;
	sender->forward->stats.senders--;
	list_del_init(&sender->waiting);
	routes_free_sender(sender);
	if (sender->commands)
		backend_forget_asker(sender->forward, sender);
}

/* Sends what it has given to backends; the pages that some of it lay in are free then. */
static void sender_settle(struct forward_sender *sender)
{
	backends_flush(sender->forward);
	take_free(sender);
}

static enum slick_ret end(struct forward_sender *sender)
{
	detach(sender);
	return SLICK_CLOSE;
}

/*
 * Nothing more is served; the connection ends behind the notices that wait, and when the peer has
 * ended too: to close while bytes of it are unread would reset the connection, and the peer might
 * never see the notice. It gets a little time for that.
 */
static enum slick_ret finish(struct forward_sender *sender)
{
	struct slick_bs *bs = &sender->ts.bs;
	size_t rest;
	ssize_t got;

	if (!sender->lingering) {
		sender->closing = true;
		sender->lingering = true;
		slick_bs_pause(bs, false);
		slick_ev_timeout(sender->ev, LINGER_PATIENCE);
	}
	slick_bs_shut(bs);
	while (!bs->eof) {
		slick_bs_peek(bs, &rest);
		slick_bs_discard(bs, rest);
		sender->dropped += rest;
		if (sender->dropped > LINGER_MOST)
			return end(sender);
		got = slick_bs_fill(bs);
		if (got == -EAGAIN)
			return SLICK_DONE;
		if (got < 0)
			return end(sender);
	}
	return slick_bs_waiting(bs) ? SLICK_DONE : end(sender);
}

static enum slick_ret read_on(struct forward_sender *sender, bool *read, bool *ends)
{
	struct slick_bs *bs = &sender->ts.bs;
	ssize_t got = take_more(sender, ends);
	size_t half;

	*read = got > 0;
	if (got > 0)
		return SLICK_AGAIN;
	if (got == -EAGAIN)
		return SLICK_DONE;
	slick_bs_peek(bs, &half);
	if (half) {
		sender->forward->stats.half++;
		sender_failed(sender, NO_KEY, "the last frame has no end");
	}
	return got == 0 ? finish(sender) : end(sender);
}

/*
 * Sends on what so many reads have brought: `reads` of them were begun since the last time, and
 * another one begins.
 */
static u32 batch(struct forward_sender *sender, u32 reads)
{
	if (reads < sender->forward->cfg.reads)
		return reads + 1;
	sender_settle(sender);
	return 1;
}

/*
 * Serves until nothing is left, the backend is stalled, or others should have their turn. `budget`
 * counts messages where each is sent at once, and reads where a read is the unit.
 */
static enum slick_ret serve(struct forward_sender *sender, u32 budget)
{
	const bool each = !sender->forward->cfg.reads;
	bool read, ends = true;
	enum slick_ret ret;
	u32 reads = 0;

	sender->left = each ? budget : (u32)-1;
	budget = budget / (each ? 1 : MESSAGES_OF_READ) + 1;
	while (budget && sender->left) {
		if (sender->closing)
			return finish(sender);
		if (sender->ts.bs.full) {
			slick_bs_pause(&sender->ts.bs, true);
			return SLICK_DONE;
		}
		switch (sender_step(sender)) {
		case STEP_TAKEN:
			sender->left -= each ? 1 : 0;
			break;
		case STEP_WAIT:
			return SLICK_DONE;
		case STEP_CLOSE:
			return finish(sender);
		case STEP_HUNGRY:
			if (ends)
				reads = batch(sender, reads);
			ret = read_on(sender, &read, &ends);
			if (!read)
				return ret;
			if (each)
				sender_settle(sender);
			budget -= each ? 0 : 1;
			break;
		}
	}
	return SLICK_AGAIN;
}

static enum slick_ret sender_event(struct slick_ev *ev, u32 what)
{
	struct forward_sender *sender = slick_ev_data(ev);
	struct slick_bs *bs = &sender->ts.bs;
	enum slick_ret ret;
	int error = 0;

	if (slick_bs_waiting(bs))
		error = slick_bs_flush(bs);
	if (error && error != -EAGAIN)
		return end(sender);
	if (sender->closing)
		return what & (SLICK_ERROR | SLICK_TIMEOUT) ? end(sender) : finish(sender);
	if (!list_empty(&sender->waiting))
		return what & SLICK_ERROR ? end(sender) : SLICK_DONE;
	ret = serve(sender, slick_loop_budget(sender->forward->loop));
	sender_settle(sender);
	/* What a reset connection had brought is served; what then waits for a backend is not. */
	if (ret == SLICK_DONE && what & SLICK_ERROR)
		return end(sender);
	return ret;
}

static void sender_release(struct slick_ev *ev)
{
	struct forward_sender *sender = slick_ev_data(ev);

	detach(sender);
	slick_sock_close(slick_ev_sock(ev));
	slick_ts_free(&sender->ts);
	slick_free(sender);
}

static const struct slick_ev_ops sender_ops = {
	.event = sender_event,
	.release = sender_release,
};

static void notices_mark(struct slick_bs *bs, bool full, void *data)
{
	struct forward_sender *sender = data;

	/* A backend may have more of a say. */
	if (full || sender->closing || !list_empty(&sender->waiting))
		return;
	slick_bs_pause(bs, false);
	slick_ev_kick(sender->ev);
}

static struct forward_sender *sender_new(struct slick_forward *forward)
{
	const struct slick_forward_cfg *cfg = &forward->cfg;
	const struct slick_bs_cfg buffers = {
		.in_size = FORWARD_READ,
		.out_size = PROTOCOL_FRAME_MOST, .out_limit = NOTICES_LIMIT,
		.chunk = cfg->chunk,
	};
	const struct slick_thrift_limits limits = { .max_frame = cfg->max_frame };
	struct forward_sender *sender = slick_alloc(sizeof(*sender));
	u32 bucket;

	if (!sender)
		return NULL;
	memset(sender, 0, sizeof(*sender));
	if (slick_ts_init(&sender->ts, NULL, &buffers, &limits)) {
		slick_free(sender);
		return NULL;
	}
	slick_bs_watermarks(&sender->ts.bs, NOTICES_HIGH, NOTICES_LOW, notices_mark, sender);
	sender->forward = forward;
	INIT_LIST_HEAD(&sender->routes);
	INIT_LIST_HEAD(&sender->waiting);
	INIT_LIST_HEAD(&sender->copies);
	for (bucket = 0; bucket < ROUTE_BUCKETS; bucket++)
		INIT_LIST_HEAD(&sender->buckets[bucket]);
	return sender;
}

static int accept_as(struct slick_loop *loop, slick_sock_t sock, struct slick_forward *forward,
		     bool commands)
{
	struct forward_sender *sender = sender_new(forward);
	struct slick_transport transport;

	if (!sender) {
		slick_sock_close(sock);
		return -ENOMEM;
	}
	sender->commands = commands;
	sender->ev = slick_ev_add(loop, sock, &sender_ops, sender, SLICK_READ);
	if (IS_ERR(sender->ev)) {
		int error = PTR_ERR(sender->ev);

		slick_sock_close(sock);
		slick_ts_free(&sender->ts);
		slick_free(sender);
		return error;
	}
	slick_ev_transport(sender->ev, &transport);
	slick_bs_attach(&sender->ts.bs, &transport);
	forward->stats.senders++;
	return 0;
}

int sender_accept(struct slick_loop *loop, slick_sock_t sock, void *forward)
{
	return accept_as(loop, sock, forward, false);
}

int commander_accept(struct slick_loop *loop, slick_sock_t sock, void *forward)
{
	return accept_as(loop, sock, forward, true);
}
