// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Pauses, blocked senders, connections that come and are made. */
#include "peer.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define MUCH (64 * 1024 * 1024)

static void set_buffer(int sock, int which, int bytes)
{
	assert_int_equal(setsockopt(sock, SOL_SOCKET, which, &bytes, sizeof(bytes)), 0);
}

/* Sends what goes in without waiting; byte number n of the stream is n % 251. */
static size_t pour(int peer, size_t from, size_t most)
{
	unsigned char bytes[4096];
	size_t done = 0, i;
	ssize_t sent;

	while (done < most) {
		for (i = 0; i < sizeof(bytes); i++)
			bytes[i] = (unsigned char)((from + done + i) % 251);
		sent = send(peer, bytes, sizeof(bytes), MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent < 0)
			break;
		done += (size_t)sent;
	}
	return done;
}

static enum slick_ret check_pattern(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);
	unsigned char bytes[3000];
	ssize_t got, i;

	if (!(what & SLICK_READ))
		return SLICK_DONE;
	got = seen->transport.ops->recv(seen->transport.context, bytes, sizeof(bytes));
	for (i = 0; i < got; i++)
		assert_int_equal(bytes[i], (seen->bytes + (size_t)i) % 251);
	if (got > 0)
		seen->bytes += (size_t)got;
	return SLICK_DONE;
}

static void a_paused_socket_stops_its_peer(void **state)
{
	size_t poured = 0, last;
	int rounds = 0, quiet = 0;
	struct fixture f;

	fixture_open(&f, state);
	fixture_connect(&f, 0);
	set_buffer(f.ours[0], SO_RCVBUF, 65536);
	set_buffer(f.theirs[0], SO_SNDBUF, 65536);
	fixture_add(&f, 0, SLICK_READ, check_pattern);
	run_for(&f, 10);
	slick_ev_want(f.seen[0].ev, 0);
	/* Nothing goes in any more for 200 ms. */
	for (; quiet < 20 && rounds < PATIENCE / 10; rounds++) {
		last = poured;
		poured += pour(f.theirs[0], poured, MUCH);
		quiet = poured == last ? quiet + 1 : 0;
		run_for(&f, 10);
	}
	assert_int_equal(quiet, 20);
	assert_true(poured < 4 * 1024 * 1024);
	assert_int_equal(f.seen[0].bytes, 0);
	slick_ev_want(f.seen[0].ev, SLICK_READ);
	run_until(&f, f.seen[0].bytes == poured);
	poured += pour(f.theirs[0], poured, 100000);
	run_until(&f, f.seen[0].bytes == poured);
	fixture_close(&f);
}

/* On io_uring the first socket sits on all buffers there are. */
static void a_paused_socket_does_not_starve_others(void **state)
{
	char bytes[100];
	struct fixture f;

	fixture_open(&f, state);
	assert_int_equal(slick_user_loop_buffers(f.loop, 512, 4), 0);
	fixture_connect(&f, 0);
	fixture_add(&f, 0, SLICK_READ, check_pattern);
	fixture_add(&f, 1, SLICK_READ, echo_all);
	run_for(&f, 10);
	slick_ev_want(f.seen[0].ev, 0);
	assert_int_equal(pour(f.theirs[0], 0, 100000) >= 100000, 1);
	run_for(&f, 50);
	peer_send(f.theirs[1], "still here", 10);
	run_for(&f, 50);
	assert_int_equal(peer_recv(f.theirs[1], bytes, sizeof(bytes)), 10);
	slick_ev_want(f.seen[0].ev, SLICK_READ);
	run_until(&f, f.seen[0].bytes >= 100000);
	fixture_close(&f);
}

static enum slick_ret fill_up(struct slick_ev *ev, u32 what)
{
	static const char bytes[8192];
	struct seen *seen = slick_ev_data(ev);
	ssize_t sent;

	if (!(what & SLICK_WRITE))
		return SLICK_DONE;
	sent = seen->transport.ops->send(seen->transport.context, bytes, sizeof(bytes), false);
	if (sent > 0)
		seen->bytes += (size_t)sent;
	return SLICK_DONE;
}

static void write_is_told_when_there_is_room_again(void **state)
{
	char bytes[65536];
	unsigned int calls;
	struct fixture f;
	size_t sent;

	fixture_open(&f, state);
	fixture_connect(&f, 0);
	set_buffer(f.ours[0], SO_SNDBUF, 65536);
	set_buffer(f.theirs[0], SO_RCVBUF, 65536);
	fixture_add(&f, 0, SLICK_WRITE, fill_up);
	run_for(&f, 300);
	sent = f.seen[0].bytes;
	calls = f.seen[0].calls;
	assert_true(sent > 0);
	run_for(&f, 50);
	assert_int_equal(f.seen[0].calls, calls);
	while (peer_recv(f.theirs[0], bytes, sizeof(bytes)) > 0)
		;
	run_until(&f, f.seen[0].bytes > sent);
	fixture_close(&f);
}

/* A blocked writer whose peer ended its direction: told once, then only room matters. */
static void an_end_does_not_wake_a_blocked_writer_twice(void **state)
{
	struct slick_loop_counts before, after;
	char bytes[65536];
	struct fixture f;
	size_t sent;

	fixture_open(&f, state);
	fixture_connect(&f, 0);
	set_buffer(f.ours[0], SO_SNDBUF, 65536);
	set_buffer(f.theirs[0], SO_RCVBUF, 65536);
	fixture_add(&f, 0, SLICK_WRITE, fill_up);
	run_for(&f, 300);
	shutdown(f.theirs[0], SHUT_WR);
	run_until(&f, f.seen[0].what & SLICK_EOF);
	run_for(&f, 20);
	slick_loop_counts(f.loop, &before);
	run_for(&f, 100);
	slick_loop_counts(f.loop, &after);
	assert_true(after.waits - before.waits < 10);
	sent = f.seen[0].bytes;
	while (peer_recv(f.theirs[0], bytes, sizeof(bytes)) > 0)
		;
	run_until(&f, f.seen[0].bytes > sent);
	fixture_close(&f);
}

struct taken {
	int sock;
	int number;
};

static int take(struct slick_loop *loop, slick_sock_t sock, void *data)
{
	struct taken *taken = data;

	(void)loop;
	if (taken->number++)
		slick_sock_close(taken->sock);
	taken->sock = sock;
	return 0;
}

static u16 port_of(struct slick_ev *listener)
{
	struct sockaddr_in6 address;
	socklen_t length = sizeof(address);

	getsockname(slick_ev_sock(listener), (struct sockaddr *)&address, &length);
	return ntohs(address.sin6_port);
}

static int connect4(u16 port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int sock = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(connect(sock, (struct sockaddr *)&address, sizeof(address)), 0);
	return sock;
}

static void listen_takes_both_families(void **state)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_addr = in6addr_any };
	struct taken taken = { 0 };
	struct slick_ev *listener;
	struct fixture f;

	fixture_open(&f, state);
	listener = slick_listen(f.loop, (struct sockaddr *)&any, sizeof(any), 8, take, &taken);
	assert_false(IS_ERR(listener));
	any.sin6_port = htons(port_of(listener));
	assert_int_equal(PTR_ERR(slick_listen(f.loop, (struct sockaddr *)&any, sizeof(any), 8, take,
					      &taken)), -EADDRINUSE);
	f.theirs[0] = connect4(port_of(listener));
	any.sin6_addr = in6addr_loopback;
	f.theirs[1] = socket(AF_INET6, SOCK_STREAM, 0);
	assert_int_equal(connect(f.theirs[1], (struct sockaddr *)&any, sizeof(any)), 0);
	run_until(&f, taken.number == 2);
	slick_sock_close(taken.sock);
	slick_ev_del(listener);
	assert_int_not_equal(connect(f.ours[0] = socket(AF_INET6, SOCK_STREAM, 0),
				     (struct sockaddr *)&any, sizeof(any)), 0);
	fixture_close(&f);
}

static void no_descriptors_is_no_end(void **state)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	struct slick_loop_counts counts;
	struct rlimit limit, none;
	struct taken taken = { 0 };
	struct slick_ev *listener;
	struct fixture f;

	fixture_open(&f, state);
	listener = slick_listen(f.loop, (struct sockaddr *)&any, sizeof(any), 8, take, &taken);
	assert_false(IS_ERR(listener));
	f.theirs[0] = connect4(port_of(listener));
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = (rlim_t)f.theirs[0] + 1;
	setrlimit(RLIMIT_NOFILE, &none);
	run_for(&f, 50);
	setrlimit(RLIMIT_NOFILE, &limit);
	slick_loop_counts(f.loop, &counts);
	assert_int_equal(taken.number, 0);
	assert_true(counts.refused >= 1 && counts.refused < 5);
	run_until(&f, taken.number == 1);
	slick_sock_close(taken.sock);
	fixture_close(&f);
}

static void connect_to(struct fixture *f, u16 port, enum slick_ret (*then)(struct slick_ev *, u32))
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	assert_int_equal(slick_connect(f->loop, (struct sockaddr *)&address, sizeof(address),
				       &f->ours[0]), 0);
	fixture_add(f, 0, SLICK_READ | SLICK_WRITE, then);
}

static enum slick_ret outcome(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);

	/* One or the other, never both. */
	assert_true(!!(what & SLICK_ERROR) != !!(what & SLICK_WRITE));
	if (what & SLICK_ERROR)
		seen->error = slick_ev_error(ev);
	return SLICK_CLOSE;
}

static void a_refused_connection_is_an_error(void **state)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	struct taken taken = { 0 };
	struct slick_ev *listener;
	struct fixture f;
	u16 port;

	fixture_open(&f, state);
	listener = slick_listen(f.loop, (struct sockaddr *)&any, sizeof(any), 8, take, &taken);
	port = port_of(listener);
	slick_ev_del(listener);
	connect_to(&f, port, outcome);
	run_until(&f, f.seen[0].released);
	assert_int_equal(f.seen[0].calls, 1);
	assert_int_equal(f.seen[0].error, -ECONNREFUSED);
	fixture_close(&f);
}

static void a_made_connection_is_writable(void **state)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	struct taken taken = { 0 };
	struct slick_ev *listener;
	struct fixture f;

	fixture_open(&f, state);
	listener = slick_listen(f.loop, (struct sockaddr *)&any, sizeof(any), 8, take, &taken);
	connect_to(&f, port_of(listener), outcome);
	run_until(&f, f.seen[0].released && taken.number == 1);
	assert_int_equal(f.seen[0].error, 0);
	/* The ring wanted a socket that blocks; its owner gets it back as it was. */
	assert_true(fcntl(f.ours[0], F_GETFL) & O_NONBLOCK);
	slick_sock_close(taken.sock);
	fixture_close(&f);
}

int flow_run(void)
{
	static const struct CMUnitTest tests[] = {
		ON_EACH(a_paused_socket_stops_its_peer),
		ON_EACH(a_paused_socket_does_not_starve_others),
		ON_EACH(write_is_told_when_there_is_room_again),
		ON_EACH(an_end_does_not_wake_a_blocked_writer_twice),
		ON_EACH(listen_takes_both_families),
		ON_EACH(no_descriptors_is_no_end),
		ON_EACH(a_refused_connection_is_an_error),
		ON_EACH(a_made_connection_is_writable),
	};

	return cmocka_run_group_tests_name("user loop: flow", tests, NULL, NULL);
}
