// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The two transports of a BufferedSocket: from a process, and with the socket's lock held. */
#include <linux/net.h>
#include <linux/uio.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "compat.h"
#include "internal.h"

static void want(void *context, u32 what)
{
	slick_ev_want(context, what);
}

/*
 * The protocol's own function, as slick_hook() has seen that it is TCP's: what the socket layer
 * does besides is for processes.
 */
static ssize_t process_recv(void *context, void *bytes, size_t length)
{
	struct slick_ev *ev = context;
	struct kvec vec = { .iov_base = bytes, .iov_len = length };
	struct msghdr msg = { };
	int address_length = 0;

	sock_rps_record_flow(ev->sk);
	iov_iter_kvec(&msg.msg_iter, ITER_DEST, &vec, 1, length);
	return ev->sk->sk_prot->recvmsg(ev->sk, &msg, length, MSG_DONTWAIT, &address_length);
}

/* MSG_NOSIGNAL: whoever is current has done nothing wrong. */
static inline void prepare(struct msghdr *msg, struct kvec *vec, bool more)
{
	msg->msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL | (more ? MSG_MORE : 0);
	iov_iter_kvec(&msg->msg_iter, ITER_SOURCE, vec, 1, vec->iov_len);
}

static ssize_t process_send(void *context, const void *bytes, size_t length, bool more)
{
	struct slick_ev *ev = context;
	struct kvec vec = { .iov_base = (void *)bytes, .iov_len = length };
	struct msghdr msg = { };

	prepare(&msg, &vec, more);
	return ev->sk->sk_prot->sendmsg(ev->sk, &msg, length);
}

static void process_shut(void *context)
{
	struct slick_ev *ev = context;

	kernel_sock_shutdown(ev->sock, SHUT_WR);
}

const struct slick_transport_ops slick_process_transport = {
	.recv = process_recv,
	.send = process_send,
	.want = want,
	.shut = process_shut,
#ifndef CONFIG_HIGHMEM
	.walk = slick_process_walk,
	.walked = slick_process_walked,
	.sendv = slick_process_sendv,
#endif
};

static int copy_out(read_descriptor_t *desc, struct sk_buff *skb, unsigned int offset,
		    size_t length)
{
	if (length > desc->count)
		length = desc->count;
	if (!length)
		return 0;
	if (skb_copy_bits(skb, offset, desc->arg.data, length))
		return -EFAULT;
	desc->arg.data += length;
	desc->count -= length;
	return length;
}

static ssize_t locked_recv(void *context, void *bytes, size_t length)
{
	struct slick_ev *ev = context;
	struct sock *sk = ev->sk;
	read_descriptor_t desc = { .arg.data = bytes, .count = length };
	int got = tcp_read_sock(sk, &desc, copy_out);

	if (likely(got))
		return got;
	if (sk->sk_err)
		return sock_error(sk);
	return sk->sk_shutdown & RCV_SHUTDOWN ? 0 : -EAGAIN;
}

static ssize_t locked_send(void *context, const void *bytes, size_t length, bool more)
{
	struct slick_ev *ev = context;
	struct kvec vec = { .iov_base = (void *)bytes, .iov_len = length };
	struct msghdr msg = { };

	prepare(&msg, &vec, more);
	return tcp_sendmsg_locked(ev->sk, &msg, length);
}

static void locked_shut(void *context)
{
	struct sock *sk = ((struct slick_ev *)context)->sk;

	sk->sk_shutdown |= SEND_SHUTDOWN;
	sk->sk_prot->shutdown(sk, SEND_SHUTDOWN);
}

const struct slick_transport_ops slick_locked_transport = {
	.recv = locked_recv,
	.send = locked_send,
	.want = want,
	.shut = locked_shut,
};
