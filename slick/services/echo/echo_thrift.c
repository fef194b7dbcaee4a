// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The echo of Thrift messages: each that is whole and well formed comes back by itself. */
#include "echo_connection.h"

int echo_thrift_init(struct echo_connection *connection, enum slick_context context)
{
	/*
	 * A softirq cannot wait for memory: all that a frame of the limit needs is there from the
	 * start. Elsewhere it comes when such a frame does.
	 */
	const u32 most = context == SLICK_SOFTIRQ ? ECHO_MOST : 0;
	const struct slick_bs_cfg cfg = {
		.in_size = ECHO_MOST, .in_limit = most,
		.out_size = ECHO_MOST, .out_limit = most,
	};

	return slick_ts_init(&connection->ts, NULL, &cfg, &connection->cfg->limits);
}

/* All of its fields are looked at: 0, or what is wrong with one. */
static int judge(const struct slick_thrift_msg *msg)
{
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	int ret;

	slick_thrift_fields(msg, &iter);
	do {
		ret = slick_thrift_next(&iter, &field);
	} while (ret > 0);
	return ret;
}

/* 1: the message at the front was answered; 0: there is no whole one; an error. */
static int answer(struct slick_ts *ts)
{
	struct slick_thrift_msg msg;
	int ret = slick_ts_next(ts, &msg);

	if (ret <= 0)
		return ret;
	ret = judge(&msg);
	if (!ret)
		ret = slick_ts_write(ts, msg.frame, msg.frame_length);
	if (ret)
		return ret;
	slick_ts_discard(ts, &msg);
	return 1;
}

/* What stands behind bytes that are no message cannot be found; the answers before it are sent. */
static enum slick_ret end(struct echo_connection *connection, int error)
{
	if (error == -EPROTO || error == -ELOOP || error == -EMSGSIZE)
		slick_echo_count(connection->cfg->counts, error);
	if (!connection->ts.bs.error)
		slick_bs_shut(&connection->ts.bs);
	return SLICK_CLOSE;
}

enum slick_ret echo_thrift_serve(struct echo_connection *connection, u32 budget)
{
	struct slick_bs *bs = &connection->ts.bs;
	ssize_t got;
	int ret;

	while (budget) {
		ret = answer(&connection->ts);
		if (ret < 0)
			return end(connection, ret);
		if (ret) {
			budget--;
			/* As with chunks: who does not take its answers is not read. */
			if (slick_bs_waiting(bs)) {
				slick_bs_pause(bs, true);
				return SLICK_DONE;
			}
			continue;
		}
		got = slick_bs_fill(bs);
		if (got == -EAGAIN)
			return SLICK_DONE;
		if (got <= 0)
			return end(connection, (int)got);
	}
	return SLICK_AGAIN;
}
