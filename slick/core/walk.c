// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The bytes of a socket, looked at in the pages they came in. In process context. */
#include <linux/skbuff.h>
#include <linux/uio.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "compat.h"
#include "internal.h"

struct walk {
	struct slick_ev *ev;
	slick_walk_fn fn;
	void *data;
	size_t most;	/* bytes that may still be taken */
	bool stopped;	/* fn() took less than there was */
};

/* One part of an skb; `skip` bytes of it are behind us. How many were taken. */
static size_t walk_part(struct walk *walk, const u8 *bytes, size_t length)
{
	size_t taken;

	if (length > walk->most)
		length = walk->most;
	if (!length)
		return 0;
	taken = walk->fn(walk->data, bytes, length);
	walk->most -= taken;
	walk->stopped = taken < length || !walk->most;
	return taken;
}

static size_t walk_parts(struct walk *walk, struct sk_buff *skb, size_t offset)
{
	size_t head = skb_headlen(skb), taken = 0;
	int i;

	if (offset < head) {
		taken = walk_part(walk, skb->data + offset, head - offset);
		offset = head;
	}
	offset -= head;
	for (i = 0; i < skb_shinfo(skb)->nr_frags && !walk->stopped; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];
		size_t size = skb_frag_size(frag);

		if (offset >= size) {
			offset -= size;
			continue;
		}
		taken += walk_part(walk, (u8 *)skb_frag_address(frag) + offset, size - offset);
		offset = 0;
	}
	return taken;
}

/*
 * What others may still write to cannot be judged now and sent later: such bytes, of sendfile(2)
 * and the like, have to be copied first.
 */
static bool lends(const struct sk_buff *skb)
{
	return !skb_has_frag_list(skb) && !skb_has_shared_frag(skb) && slick_skb_readable(skb);
}

static int walk_skb(read_descriptor_t *desc, struct sk_buff *skb, unsigned int offset,
		    size_t length)
{
	struct walk *walk = desc->arg.data;
	struct sk_buff *kept;
	size_t taken;

	if (walk->stopped || !lends(skb))
		return 0;
	/* The skb itself is freed when all of it was taken; this keeps its pages. */
	kept = skb_clone(skb, GFP_KERNEL);
	if (!kept)
		return 0;
	taken = walk_parts(walk, skb, offset);
	if (!taken) {
		consume_skb(kept);
		return 0;
	}
	__skb_queue_tail(&walk->ev->lent, kept);
	return taken;
}

ssize_t slick_process_walk(void *context, size_t most, slick_walk_fn fn, void *data)
{
	struct slick_ev *ev = context;
	struct walk walk = { .ev = ev, .fn = fn, .data = data, .most = most };
	read_descriptor_t desc = { .arg.data = &walk, .count = 1 };
	struct sock *sk = ev->sk;
	int taken;

	lock_sock(sk);
	taken = tcp_read_sock(sk, &desc, walk_skb);
	release_sock(sk);
	/* What else there is to say, recv() says. */
	return taken > 0 ? taken : 0;
}

void slick_process_walked(void *context)
{
	struct slick_ev *ev = context;

	__skb_queue_purge(&ev->lent);
}

ssize_t slick_process_sendv(void *context, const struct slick_piece *pieces, unsigned int number)
{
	struct slick_ev *ev = context;
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL };
	size_t length = 0;
	unsigned int i;

	BUILD_BUG_ON(sizeof(struct slick_piece) != sizeof(struct kvec));
	BUILD_BUG_ON(offsetof(struct slick_piece, bytes) != offsetof(struct kvec, iov_base));
	BUILD_BUG_ON(offsetof(struct slick_piece, length) != offsetof(struct kvec, iov_len));
	for (i = 0; i < number; i++)
		length += pieces[i].length;
	iov_iter_kvec(&msg.msg_iter, ITER_SOURCE, (const struct kvec *)pieces, number, length);
	return ev->sk->sk_prot->sendmsg(ev->sk, &msg, length);
}
