// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The echo service without a copy: nothing is kept of a connection but what the peer does not take.
 */
#include <linux/module.h>
#include <linux/skbuff.h>
#include <slick/tstrp.h>

#include "echo_kern.h"

#define ECHO_BACKLOG 128

/* A message is what came, at most a chunk of it: half a chunk has to come back as well. */
static int echo_frame(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
		      unsigned int available)
{
	const struct slick_echo_cfg *cfg = slick_ev_data(ev);

	return cfg->chunk && cfg->chunk < available ? cfg->chunk : available;
}

static enum slick_ret echo_message(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
				   unsigned int length)
{
	return slick_strp_send(ev, skb, offset, length) ? SLICK_CLOSE : SLICK_DONE;
}

static int thrift_frame(struct slick_ev *ev, struct sk_buff *skb, unsigned int offset,
			unsigned int available)
{
	const struct slick_echo_cfg *cfg = slick_ev_data(ev);
	int length = slick_tstrp_frame(&cfg->limits, skb, offset, available);

	if (unlikely(length < 0))
		slick_echo_count(cfg->counts, length);
	return length;
}

/* As in echo_thrift.c: all of its fields are looked at. */
static int judge(const struct slick_thrift_source *source,
		 const struct slick_thrift_limits *limits)
{
	struct slick_thrift_place place;
	struct slick_thrift_head head;
	struct slick_thrift_walk walk;
	int ret = slick_thrift_read_head(source, limits, &head);

	if (ret <= 0)
		return ret ?: -EPROTO;
	slick_thrift_places(source, &head, &walk);
	do {
		ret = slick_thrift_next_place(&walk, &place);
	} while (ret > 0);
	return ret;
}

static enum slick_ret thrift_message(struct slick_ev *ev, struct sk_buff *skb,
				     unsigned int offset, unsigned int length)
{
	const struct slick_echo_cfg *cfg = slick_ev_data(ev);
	struct slick_tstrp walk;
	int error;

	slick_tstrp_source(&walk, skb, offset, length);
	error = judge(&walk.source, &cfg->limits);
	if (unlikely(error)) {
		slick_echo_count(cfg->counts, error);
		slick_strp_end(ev, error);
		return SLICK_DONE;
	}
	return slick_strp_send_whole(ev, skb, offset, length) ? SLICK_CLOSE : SLICK_DONE;
}

static enum slick_ret echo_event(struct slick_ev *ev, u32 what)
{
	return what & (SLICK_EOF | SLICK_ERROR) ? SLICK_CLOSE : SLICK_DONE;
}

static void echo_release(struct slick_ev *ev)
{
	slick_sock_close(slick_ev_sock(ev));
}

static const struct slick_ev_ops echo_ops = {
	.event = echo_event,
	.release = echo_release,
};

static const struct slick_strp_ops echo_strp_ops = {
	.frame = echo_frame,
	.message = echo_message,
};

static const struct slick_strp_ops thrift_strp_ops = {
	.frame = thrift_frame,
	.message = thrift_message,
};

static int echo_accept(struct slick_loop *loop, slick_sock_t sock, void *data)
{
	struct slick_echo_cfg *cfg = data;
	struct slick_ev *ev;

	if (cfg->thrift)
		ev = slick_ev_add_tstrp(loop, sock, &echo_ops, &thrift_strp_ops, cfg, &cfg->limits);
	else
		ev = slick_ev_add_strp(loop, sock, &echo_ops, &echo_strp_ops, cfg);
	if (!IS_ERR(ev))
		return 0;
	slick_sock_close(sock);
	return PTR_ERR(ev);
}

struct slick_ev *slick_echo_strp_listen(struct slick_loop *loop, const struct sockaddr *address,
					int length, struct slick_echo_cfg *cfg)
{
	return slick_listen(loop, address, length, ECHO_BACKLOG, echo_accept, cfg);
}
