// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Sockets that kTLS or a sockmap has, or wants to have. */
#include <linux/in.h>
#include <linux/net.h>
#include <linux/skmsg.h>
#include <net/inet_connection_sock.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/tcp.h>
#include <uapi/linux/tls.h>

#include "kunit.h"
#include "server.h"

static const struct slick_ev_ops never_ops;

/* What an attempt to have it comes to; where it succeeds, it is let go. */
static int attempt(struct kunit *test, struct socket *sock)
{
	struct slick_fixture *fixture = test->priv;
	struct slick_ev *ev = slick_ev_add(fixture->loop, sock, &never_ops, NULL, 0);

	if (IS_ERR(ev))
		return PTR_ERR(ev);
	slick_ev_del(ev);
	return 0;
}

/* It is refused, and nobody's callbacks have changed by that. */
static void expect_refused(struct kunit *test, struct socket *sock)
{
	void (*write_space)(struct sock *sk) = sock->sk->sk_write_space;
	void (*data_ready)(struct sock *sk) = sock->sk->sk_data_ready;
	void *data = sock->sk->sk_user_data;

	KUNIT_EXPECT_EQ(test, attempt(test, sock), -EBUSY);
	KUNIT_EXPECT_PTR_EQ(test, sock->sk->sk_write_space, write_space);
	KUNIT_EXPECT_PTR_EQ(test, sock->sk->sk_data_ready, data_ready);
	KUNIT_EXPECT_PTR_EQ(test, sock->sk->sk_user_data, data);
}

static int set(struct socket *sock, int level, int name, void *value, int length)
{
	return sock->ops->setsockopt(sock, level, name, KERNEL_SOCKPTR(value), length);
}

static int attach_ktls(struct socket *sock)
{
	return set(sock, SOL_TCP, TCP_ULP, "tls", sizeof("tls"));
}

/* TLS_TX or TLS_RX, with a key of zeros. */
static int set_key(struct socket *sock, int way)
{
	struct tls12_crypto_info_aes_gcm_128 key = {
		.info = { .version = TLS_1_2_VERSION, .cipher_type = TLS_CIPHER_AES_GCM_128 },
	};

	return set(sock, SOL_TLS, way, &key, sizeof(key));
}

static void a_socket_of_ktls_is_refused(struct kunit *test)
{
	struct slick_pair *pair = &slick_first(test)->pair;
	u8 bytes[10];

	if (!IS_ENABLED(CONFIG_TLS))
		kunit_skip(test, "without CONFIG_TLS");
	KUNIT_ASSERT_EQ(test, slick_pair_open(pair), 0);
	KUNIT_ASSERT_EQ(test, attempt(test, pair->ours), 0);
	KUNIT_ASSERT_EQ(test, attach_ktls(pair->ours), 0);
	/* It leaves no other mark. */
	KUNIT_EXPECT_PTR_EQ(test, pair->ours->sk->sk_user_data, NULL);
	expect_refused(test, pair->ours);
	KUNIT_ASSERT_EQ(test, set_key(pair->ours, TLS_TX), 0);
	expect_refused(test, pair->ours);
	KUNIT_ASSERT_EQ(test, set_key(pair->ours, TLS_RX), 0);
	expect_refused(test, pair->ours);

	/* Its owner goes on with it. */
	KUNIT_ASSERT_EQ(test, attach_ktls(pair->peer), 0);
	KUNIT_ASSERT_EQ(test, set_key(pair->peer, TLS_TX), 0);
	KUNIT_ASSERT_EQ(test, slick_say(pair->peer, "encrypted", 10), 0);
	KUNIT_ASSERT_EQ(test, slick_hear(pair->ours, bytes, 10), 10);
	KUNIT_EXPECT_STREQ(test, (char *)bytes, "encrypted");
}

static enum slick_ret read_only(struct slick_server *server, struct slick_ev *ev, u32 what)
{
	size_t length;

	slick_bs_fill(&server->bs);
	slick_bs_peek(&server->bs, &length);
	slick_bs_discard(&server->bs, length);
	return SLICK_DONE;
}

/*
 * Nothing in the kernel keeps who has the socket from doing that. What he then reads is his affair;
 * the event ends as any other, and the socket too.
 */
static void an_event_survives_that_ktls_comes_later(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	u8 bytes[100] = { };

	if (!IS_ENABLED(CONFIG_TLS))
		kunit_skip(test, "without CONFIG_TLS");
	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, read_only), 0);
	KUNIT_ASSERT_EQ(test, attach_ktls(server->pair.ours), 0);
	KUNIT_ASSERT_EQ(test, set_key(server->pair.ours, TLS_TX), 0);
	KUNIT_ASSERT_EQ(test, set_key(server->pair.ours, TLS_RX), 0);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, bytes, sizeof(bytes)), 0);
	msleep(20);
	slick_server_del(server);
	KUNIT_EXPECT_TRUE(test, completion_done(&server->released));
	KUNIT_EXPECT_PTR_EQ(test, server->pair.ours->sk->sk_user_data, NULL);
	/* kTLS still knows our callback, which finds no event. */
	slick_say(server->pair.peer, bytes, sizeof(bytes));
	sock_release(server->pair.ours);
	server->pair.ours = NULL;
}

#if IS_ENABLED(CONFIG_NET_SOCK_MSG) && IS_ENABLED(CONFIG_BPF_SYSCALL)

/* As a sockmap does it that has no programs. The socket's lock is not held. */
static struct sk_psock *put_into_sockmap(struct sock *sk)
{
	struct sk_psock *psock;
	int error;

	lock_sock(sk);
	psock = sk_psock_init(sk, NUMA_NO_NODE);
	if (!IS_ERR(psock)) {
		psock->psock_update_sk_prot = sk->sk_prot->psock_update_sk_prot;
		error = psock->psock_update_sk_prot(sk, psock, false);
		if (error) {
			sk_psock_put(sk, psock);
			psock = ERR_PTR(error);
		}
	}
	release_sock(sk);
	return psock;
}

static void a_socket_in_a_sockmap_is_refused(struct kunit *test)
{
	struct slick_pair *pair = &slick_first(test)->pair;
	struct sk_psock *psock;
	u8 byte;

	KUNIT_ASSERT_EQ(test, slick_pair_open(pair), 0);
	psock = put_into_sockmap(pair->ours->sk);
	KUNIT_ASSERT_EQ(test, PTR_ERR_OR_ZERO(psock), 0);
	expect_refused(test, pair->ours);
	KUNIT_ASSERT_EQ(test, slick_say(pair->peer, "a", 1), 0);
	KUNIT_EXPECT_EQ(test, slick_hear(pair->ours, &byte, 1), 1);
	sk_psock_put(pair->ours->sk, psock);
	KUNIT_EXPECT_EQ(test, attempt(test, pair->ours), 0);
}

static void a_sockmap_cannot_have_what_is_ours(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	struct sk_psock *psock;
	u8 byte = 0;

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_echo), 0);
	psock = put_into_sockmap(server->pair.ours->sk);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(psock), -EBUSY);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, "a", 1), 0);
	KUNIT_EXPECT_EQ(test, slick_hear(server->pair.peer, &byte, 1), 1);
	KUNIT_EXPECT_EQ(test, byte, (u8)'a');
	slick_server_del(server);
}

/* What it inherits is a mark without an owner. */
static void a_connection_of_a_listener_in_a_sockmap_is_free(struct kunit *test)
{
	struct slick_pair *pair = &slick_first(test)->pair, other = { };
	struct socket *listener;
	struct sk_psock *psock;

	/* For the loopback to be up. */
	KUNIT_ASSERT_EQ(test, slick_pair_open(pair), 0);
	listener = slick_new_listener();
	KUNIT_ASSERT_EQ(test, PTR_ERR_OR_ZERO(listener), 0);
	psock = put_into_sockmap(listener->sk);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(psock), 0);
	if (IS_ERR(psock))
		goto release;
	other.peer = slick_connect_to(listener, 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(other.peer), 0);
	if (IS_ERR(other.peer))
		other.peer = NULL;
	else if (!kernel_accept(listener, &other.ours, 0))
		KUNIT_EXPECT_EQ(test, attempt(test, other.ours), 0);
	KUNIT_EXPECT_NOT_NULL(test, other.ours);
	slick_pair_close(&other);
	sk_psock_put(listener->sk, psock);
release:
	sock_release(listener);
}

struct slow_door {
	struct completion open;
	atomic_t accepted;
};

/* The first has to wait, and who comes behind it waits to be accepted. */
static int accept_slowly(struct slick_loop *loop, slick_sock_t sock, void *data)
{
	struct slow_door *door = data;

	if (atomic_inc_return(&door->accepted) == 1)
		wait_for_completion_timeout(&door->open, SLICK_PATIENCE);
	slick_sock_close(sock);
	return 0;
}

static struct sock *first_waiting(const struct slick_ev *listener)
{
	struct sock *sk = slick_ev_sock(listener)->sk;
	struct request_sock *req = READ_ONCE(inet_csk(sk)->icsk_accept_queue.rskq_accept_head);

	return req ? req->sk : NULL;
}

/* What a BPF program does that watches for new connections (sockops). */
static void take_while_it_waits(struct kunit *test, struct slick_ev *listener,
				struct slow_door *door)
{
	struct socket *first = slick_connect_to(slick_ev_sock(listener), 0), *second;
	struct sk_psock *psock = NULL;
	struct sock *waiting = NULL;
	u8 byte;

	KUNIT_ASSERT_EQ(test, PTR_ERR_OR_ZERO(first), 0);
	KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE(atomic_read(&door->accepted) == 1));
	second = slick_connect_to(slick_ev_sock(listener), 0);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(second), 0);
	if (!IS_ERR(second))
		KUNIT_EXPECT_TRUE(test, SLICK_COMES_TRUE((waiting = first_waiting(listener))));
	if (waiting) {
		psock = put_into_sockmap(waiting);
		KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(psock), 0);
		/* Tells the socket, which still has the listener's callback. */
		KUNIT_EXPECT_EQ(test, slick_say(second, "b", 1), 0);
	}
	complete(&door->open);
	if (!IS_ERR(second)) {
		KUNIT_EXPECT_LE(test, slick_hear(second, &byte, 1), 0);
		sock_release(second);
	}
	if (!IS_ERR_OR_NULL(psock))
		sk_psock_put(waiting, psock);
	sock_release(first);
}

static void a_connection_that_is_taken_while_it_waits_is_refused(struct kunit *test)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct slick_fixture *fixture = test->priv;
	struct slow_door door = { };
	struct slick_ev *listener;

	init_completion(&door.open);
	KUNIT_ASSERT_EQ(test, slick_serve(test, slick_first(test), 0, slick_serve_nothing), 0);
	listener = slick_listen(fixture->loop, (struct sockaddr *)&address, sizeof(address), 8,
				accept_slowly, &door);
	KUNIT_ASSERT_EQ(test, PTR_ERR_OR_ZERO(listener), 0);
	take_while_it_waits(test, listener, &door);
	KUNIT_EXPECT_EQ(test, atomic_read(&door.accepted), 1);
	slick_ev_del(listener);
}

#endif

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(a_socket_of_ktls_is_refused, slick_context_gen_params),
	KUNIT_CASE_PARAM(an_event_survives_that_ktls_comes_later, slick_context_gen_params),
#if IS_ENABLED(CONFIG_NET_SOCK_MSG) && IS_ENABLED(CONFIG_BPF_SYSCALL)
	KUNIT_CASE_PARAM(a_socket_in_a_sockmap_is_refused, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_sockmap_cannot_have_what_is_ours, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_connection_of_a_listener_in_a_sockmap_is_free, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_connection_that_is_taken_while_it_waits_is_refused,
			 slick_context_gen_params),
#endif
	{ }
};

struct kunit_suite slick_taken_suite = {
	.name = "slick_taken",
	.init = slick_fixture_begin,
	.exit = slick_fixture_end,
	.test_cases = cases,
};
