// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* How events begin and end: refused, deleted from outside and inside, gone with their loop. */
#include <linux/in.h>
#include <linux/net.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "kunit.h"
#include "server.h"

static const struct slick_ev_ops never_ops;

static void a_deleted_event_leaves_the_socket_as_it_was(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	void (*data_ready)(struct sock *sk);
	struct sock *sk;
	int calls;
	u8 byte;

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_echo), 0);
	sk = server->pair.ours->sk;
	data_ready = server->pair.peer->sk->sk_data_ready;
	KUNIT_EXPECT_PTR_NE(test, sk->sk_data_ready, data_ready);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, "a", 1), 0);
	KUNIT_ASSERT_EQ(test, slick_hear(server->pair.peer, &byte, 1), 1);
	slick_server_del(server);
	KUNIT_EXPECT_TRUE(test, completion_done(&server->released));
	KUNIT_EXPECT_PTR_EQ(test, sk->sk_data_ready, data_ready);
	KUNIT_EXPECT_PTR_EQ(test, sk->sk_user_data, NULL);
	calls = atomic_read(&server->calls);
	/* It can be used as before. */
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, "b", 1), 0);
	KUNIT_ASSERT_EQ(test, slick_hear(server->pair.ours, &byte, 1), 1);
	KUNIT_EXPECT_EQ(test, byte, (u8)'b');
	KUNIT_EXPECT_EQ(test, atomic_read(&server->calls), calls);
}

static void a_deletion_in_the_middle_of_traffic_is_final(struct kunit *test)
{
	struct slick_fixture *fixture = test->priv;
	u8 *bytes = kunit_kzalloc(test, 2000, GFP_KERNEL);
	int calls[SLICK_SERVERS], i;

	for (i = 0; i < SLICK_SERVERS; i++) {
		struct slick_server *server = &fixture->servers[i];

		KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_echo), 0);
		KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, bytes, 2000), 0);
		slick_server_del(server);
		calls[i] = atomic_read(&server->calls);
		slick_say(server->pair.peer, bytes, 100);
	}
	msleep(50);
	for (i = 0; i < SLICK_SERVERS; i++)
		KUNIT_EXPECT_EQ(test, atomic_read(&fixture->servers[i].calls), calls[i]);
}

static enum slick_ret delete_itself(struct slick_server *server, struct slick_ev *ev, u32 what)
{
	slick_ev_del_async(ev);
	return SLICK_DONE;
}

static void an_event_may_delete_itself(struct kunit *test)
{
	struct slick_server *server = slick_first(test);

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, delete_itself), 0);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, "a", 1), 0);
	KUNIT_EXPECT_TRUE(test, slick_server_released(server));
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, "b", 1), 0);
	msleep(20);
	KUNIT_EXPECT_EQ(test, atomic_read(&server->calls), 1);
}

/*
 * Two would call it: the loop for a kick, which has to wait for the lock, and whoever the bytes
 * come to meanwhile.
 */
static void an_event_that_deletes_itself_is_not_called_again(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	struct sock *sk;

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, delete_itself), 0);
	/* The first look. */
	msleep(20);
	sk = server->pair.ours->sk;
	/* The peer's, taken below, is of the same class. */
	lock_sock_nested(sk, SINGLE_DEPTH_NESTING);
	slick_ev_kick(server->ev);
	msleep(20);
	KUNIT_EXPECT_EQ(test, slick_say(server->pair.peer, "a", 1), 0);
	msleep(20);
	release_sock(sk);
	KUNIT_EXPECT_TRUE(test, slick_server_released(server));
	KUNIT_EXPECT_EQ(test, atomic_read(&server->calls), 1);
}

/* While it is looked at for the first time, on another processor. */
static void a_deletion_may_follow_at_once(struct kunit *test)
{
	struct slick_pair *pair = &slick_first(test)->pair;
	struct slick_fixture *fixture = test->priv;
	struct slick_ev *ev;
	int i;

	KUNIT_ASSERT_EQ(test, slick_pair_open(pair), 0);
	for (i = 0; i < 2000; i++) {
		ev = slick_ev_add(fixture->loop, pair->ours, &never_ops, NULL, 0);
		KUNIT_ASSERT_EQ(test, PTR_ERR_OR_ZERO(ev), 0);
		if (i & 1)
			udelay(i % 40);
		slick_ev_del(ev);
	}
}

static enum slick_ret close_at_once(struct slick_server *server, struct slick_ev *ev, u32 what)
{
	return SLICK_CLOSE;
}

static void an_event_may_ask_to_be_closed(struct kunit *test)
{
	struct slick_server *server = slick_first(test);

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, close_at_once), 0);
	KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, "a", 1), 0);
	KUNIT_EXPECT_TRUE(test, slick_server_released(server));
	KUNIT_EXPECT_EQ(test, atomic_read(&server->calls), 1);
}

static void the_test_may_delete_without_waiting(struct kunit *test)
{
	struct slick_server *server = slick_first(test);

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_nothing), 0);
	slick_ev_del_async(server->ev);
	KUNIT_EXPECT_TRUE(test, slick_server_released(server));
}

static void a_loop_takes_its_events_along(struct kunit *test)
{
	struct slick_fixture *fixture = test->priv;
	int calls[SLICK_SERVERS], i;
	u8 bytes[100] = { };

	for (i = 0; i < SLICK_SERVERS; i++) {
		struct slick_server *server = &fixture->servers[i];

		KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_echo), 0);
		slick_ev_timeout(server->ev, 1);
		KUNIT_ASSERT_EQ(test, slick_say(server->pair.peer, bytes, 100), 0);
	}
	slick_loop_destroy(fixture->loop);
	fixture->loop = NULL;
	for (i = 0; i < SLICK_SERVERS; i++) {
		KUNIT_EXPECT_TRUE(test, completion_done(&fixture->servers[i].released));
		calls[i] = atomic_read(&fixture->servers[i].calls);
		slick_say(fixture->servers[i].pair.peer, bytes, 100);
	}
	msleep(50);
	for (i = 0; i < SLICK_SERVERS; i++)
		KUNIT_EXPECT_EQ(test, atomic_read(&fixture->servers[i].calls), calls[i]);
}

static void a_socket_of_somebody_else_is_refused(struct kunit *test)
{
	struct slick_server *server = slick_first(test);
	struct slick_fixture *fixture = test->priv;
	struct sock *sk;
	struct slick_ev *ev;
	int somebody;

	KUNIT_ASSERT_EQ(test, slick_serve(test, server, SLICK_READ, slick_serve_nothing), 0);
	ev = slick_ev_add(fixture->loop, server->pair.ours, &never_ops, NULL, SLICK_READ);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(ev), -EBUSY);
	sk = server->pair.peer->sk;
	rcu_assign_sk_user_data(sk, &somebody);
	ev = slick_ev_add(fixture->loop, server->pair.peer, &never_ops, NULL, SLICK_READ);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(ev), -EBUSY);
	KUNIT_EXPECT_PTR_EQ(test, sk->sk_user_data, (void *)&somebody);
	rcu_assign_sk_user_data(sk, NULL);
	slick_server_del(server);
}

static void what_is_not_tcp_is_refused(struct kunit *test)
{
	struct slick_fixture *fixture = test->priv;
	struct socket *sock;
	struct slick_ev *ev;

	KUNIT_ASSERT_EQ(test, sock_create_kern(&init_net, AF_INET, SOCK_DGRAM, IPPROTO_UDP, &sock),
			0);
	ev = slick_ev_add(fixture->loop, sock, &never_ops, NULL, SLICK_READ);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(ev), -EOPNOTSUPP);
	sock_release(sock);
}

/* Counts, and lets the connection go. */
static int accept(struct slick_loop *loop, slick_sock_t sock, void *data)
{
	atomic_inc(data);
	slick_sock_close(sock);
	return 0;
}

static void a_listener_accepts_until_it_is_deleted(struct kunit *test)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct slick_fixture *fixture = test->priv;
	struct socket *client;
	atomic_t accepted = ATOMIC_INIT(0);
	struct slick_ev *listener;
	int i;
	u8 byte;

	/* For the loopback to be up. */
	KUNIT_ASSERT_EQ(test, slick_serve(test, slick_first(test), 0, slick_serve_nothing), 0);
	listener = slick_listen(fixture->loop, (struct sockaddr *)&address, sizeof(address), 8,
				accept, &accepted);
	KUNIT_ASSERT_EQ(test, PTR_ERR_OR_ZERO(listener), 0);
	for (i = 1; i <= 5; i++) {
		client = slick_connect_to(slick_ev_sock(listener), 0);
		if (IS_ERR(client))
			break;
		KUNIT_EXPECT_EQ(test, slick_hear(client, &byte, 1), 0);
		KUNIT_EXPECT_EQ(test, atomic_read(&accepted), i);
		sock_release(client);
	}
	KUNIT_EXPECT_EQ(test, i, 6);
	slick_ev_del(listener);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(a_deleted_event_leaves_the_socket_as_it_was, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_deletion_in_the_middle_of_traffic_is_final, slick_context_gen_params),
	KUNIT_CASE_PARAM(an_event_may_delete_itself, slick_context_gen_params),
	KUNIT_CASE_PARAM(an_event_that_deletes_itself_is_not_called_again,
			 slick_context_gen_params),
	KUNIT_CASE_PARAM(a_deletion_may_follow_at_once, slick_context_gen_params),
	KUNIT_CASE_PARAM(an_event_may_ask_to_be_closed, slick_context_gen_params),
	KUNIT_CASE_PARAM(the_test_may_delete_without_waiting, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_loop_takes_its_events_along, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_socket_of_somebody_else_is_refused, slick_context_gen_params),
	KUNIT_CASE_PARAM(what_is_not_tcp_is_refused, slick_context_gen_params),
	KUNIT_CASE_PARAM(a_listener_accepts_until_it_is_deleted, slick_context_gen_params),
	{ }
};

struct kunit_suite slick_end_suite = {
	.name = "slick_end",
	.init = slick_fixture_begin,
	.exit = slick_fixture_end,
	.test_cases = cases,
};
