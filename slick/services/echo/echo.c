// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "echo_connection.h"

#define ECHO_BACKLOG 128

struct slick_echo {
	struct slick_ev *listener;
	struct slick_echo_cfg cfg;
};

/*
 * Reads only where nothing waits to be sent: a peer that does not take its answers is not asked for
 * more, so that a connection never keeps more than one read.
 */
static enum slick_ret echo_serve(struct slick_bs *bs, u32 budget)
{
	const u8 *bytes;
	size_t length;
	ssize_t got;

	while (budget--) {
		got = slick_bs_fill(bs);
		if (got == -EAGAIN)
			return SLICK_DONE;
		if (got < 0)
			return SLICK_CLOSE;
		if (got == 0) {
			slick_bs_shut(bs);
			return SLICK_CLOSE;
		}
		bytes = slick_bs_peek(bs, &length);
		if (slick_bs_write_all(bs, bytes, length))
			return SLICK_CLOSE;
		slick_bs_discard(bs, length);
		if (slick_bs_waiting(bs)) {
			slick_bs_pause(bs, true);
			return SLICK_DONE;
		}
	}
	return SLICK_AGAIN;
}

static enum slick_ret echo_event(struct slick_ev *ev, u32 what)
{
	struct echo_connection *connection = slick_ev_data(ev);
	struct slick_bs *bs = &connection->ts.bs;
	const u32 budget = slick_loop_budget(slick_ev_loop(ev));
	struct slick_transport transport;
	int error;

	/*
	 * Not where it was accepted: the first event may come before slick_ev_add() has returned.
	 */
	if (!connection->begun) {
		connection->begun = true;
		slick_ev_transport(ev, &transport);
		slick_bs_attach(bs, &transport);
	}
	if (what & SLICK_ERROR)
		return SLICK_CLOSE;
	if (slick_bs_waiting(bs)) {
		error = slick_bs_flush(bs);
		if (error == -EAGAIN)
			return SLICK_DONE;
		if (error)
			return SLICK_CLOSE;
		slick_bs_pause(bs, false);
	}
	return unlikely(connection->cfg->thrift) ? echo_thrift_serve(connection, budget) :
						   echo_serve(bs, budget);
}

static void echo_release(struct slick_ev *ev)
{
	struct echo_connection *connection = slick_ev_data(ev);

	slick_sock_close(slick_ev_sock(ev));
	slick_bs_free(&connection->ts.bs);
	slick_free(connection);
}

static const struct slick_ev_ops echo_ops = {
	.event = echo_event,
	.release = echo_release,
};

static int echo_init(struct echo_connection *connection)
{
	const u32 chunk = connection->cfg->chunk ? connection->cfg->chunk : ECHO_MOST;
	/* Whole from the start: a softirq cannot wait for memory. */
	const struct slick_bs_cfg cfg = {
		.in_size = chunk, .in_limit = chunk,
		.out_size = chunk, .out_limit = chunk,
		.chunk = chunk,
	};

	return slick_bs_init(&connection->ts.bs, NULL, &cfg);
}

static struct echo_connection *echo_connection(const struct slick_echo_cfg *cfg,
					       enum slick_context context)
{
	struct echo_connection *connection = slick_alloc(sizeof(*connection));
	int error;

	if (!connection)
		return NULL;
	connection->cfg = cfg;
	connection->begun = false;
	error = cfg->thrift ? echo_thrift_init(connection, context) : echo_init(connection);
	if (!error)
		return connection;
	slick_free(connection);
	return NULL;
}

static int echo_accept(struct slick_loop *loop, slick_sock_t sock, void *data)
{
	struct slick_echo *echo = data;
	struct echo_connection *connection;
	struct slick_ev *ev;

	connection = echo_connection(&echo->cfg, slick_loop_context(loop));
	if (!connection) {
		slick_sock_close(sock);
		return -ENOMEM;
	}
	ev = slick_ev_add(loop, sock, &echo_ops, connection, SLICK_READ);
	if (IS_ERR(ev)) {
		slick_sock_close(sock);
		slick_bs_free(&connection->ts.bs);
		slick_free(connection);
		return PTR_ERR(ev);
	}
	return 0;
}

struct slick_echo *slick_echo_start(struct slick_loop *loop, const struct sockaddr *address,
				    int length, const struct slick_echo_cfg *cfg)
{
	struct slick_echo *echo = slick_alloc(sizeof(*echo));
	struct slick_ev *listener;

	if (!echo)
		return ERR_PTR(-ENOMEM);
	echo->cfg = *cfg;
	listener = slick_listen(loop, address, length, ECHO_BACKLOG, echo_accept, echo);
	if (IS_ERR(listener)) {
		slick_free(echo);
		return ERR_PTR(PTR_ERR(listener));
	}
	echo->listener = listener;
	return echo;
}

slick_sock_t slick_echo_sock(const struct slick_echo *echo)
{
	return slick_ev_sock(echo->listener);
}

void slick_echo_free(struct slick_echo *echo)
{
	slick_free(echo);
}
