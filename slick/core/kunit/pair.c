// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "pair.h"

#include <linux/in.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/uio.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "kunit.h"

/* A machine that has just booted may not have its loopback up. */
static int loopback_up(void)
{
	int error;

	rtnl_lock();
	error = dev_open(init_net.loopback_dev, NULL);
	rtnl_unlock();
	return error;
}

static struct socket *new_socket(void)
{
	struct socket *sock;
	int error = sock_create_kern(&init_net, AF_INET, SOCK_STREAM, IPPROTO_TCP, &sock);

	if (error)
		return ERR_PTR(error);
	sock->sk->sk_rcvtimeo = SLICK_PATIENCE;
	sock->sk->sk_sndtimeo = SLICK_PATIENCE;
	tcp_sock_set_nodelay(sock->sk);
	return sock;
}

struct socket *slick_new_listener(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct socket *sock = new_socket();
	int error;

	if (IS_ERR(sock))
		return sock;
	error = kernel_bind(sock, (struct sockaddr *)&address, sizeof(address));
	if (!error)
		error = kernel_listen(sock, 8);
	if (!error)
		return sock;
	sock_release(sock);
	return ERR_PTR(error);
}

struct socket *slick_connect_to(const struct socket *listener, int window)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = inet_sk(listener->sk)->inet_sport,
	};
	struct socket *sock = new_socket();
	int error;

	if (IS_ERR(sock))
		return sock;
	if (window) {
		sock->sk->sk_rcvbuf = window;
		sock->sk->sk_userlocks |= SOCK_RCVBUF_LOCK;
	}
	error = kernel_connect(sock, (struct sockaddr *)&address, sizeof(address), 0);
	if (!error)
		return sock;
	sock_release(sock);
	return ERR_PTR(error);
}

int slick_pair_open(struct slick_pair *pair)
{
	struct socket *listener, *peer;
	int error = loopback_up();

	if (error)
		return error;
	listener = slick_new_listener();
	if (IS_ERR(listener))
		return PTR_ERR(listener);
	peer = slick_connect_to(listener, pair->window);
	error = PTR_ERR_OR_ZERO(peer);
	if (error)
		goto release;
	error = kernel_accept(listener, &pair->ours, 0);
	if (error) {
		sock_release(peer);
		goto release;
	}
	pair->peer = peer;
	tcp_sock_set_nodelay(pair->ours->sk);
release:
	sock_release(listener);
	return error;
}

void slick_pair_close(struct slick_pair *pair)
{
	if (pair->ours)
		sock_release(pair->ours);
	if (pair->peer)
		sock_release(pair->peer);
	pair->ours = NULL;
	pair->peer = NULL;
}

int slick_say(struct socket *sock, void *bytes, size_t length)
{
	while (length) {
		struct kvec vec = { .iov_base = bytes, .iov_len = length };
		struct msghdr msg = { .msg_flags = MSG_NOSIGNAL };
		int sent = kernel_sendmsg(sock, &msg, &vec, 1, length);

		if (sent < 0)
			return sent;
		bytes += sent;
		length -= sent;
	}
	return 0;
}

int slick_hear(struct socket *sock, void *bytes, size_t length)
{
	size_t heard = 0;

	while (heard < length) {
		struct kvec vec = { .iov_base = bytes + heard, .iov_len = length - heard };
		struct msghdr msg = { };
		int got = kernel_recvmsg(sock, &msg, &vec, 1, vec.iov_len, 0);

		if (got < 0)
			return got;
		if (!got)
			break;
		heard += got;
	}
	return heard;
}
