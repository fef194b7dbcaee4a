// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "peer.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum slick_backend test_backends[] = {
	SLICK_BACKEND_EPOLL, SLICK_BACKEND_LIBEVENT, SLICK_BACKEND_URING,
};

static enum slick_ret seen_event(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);

	assert_int_equal(seen->released, 0);
	seen->ev = ev;
	seen->what |= what;
	seen->last = what;
	seen->calls++;
	if (!seen->transport.ops)
		slick_ev_transport(ev, &seen->transport);
	return seen->then(ev, what);
}

static void seen_release(struct slick_ev *ev)
{
	struct seen *seen = slick_ev_data(ev);

	seen->released++;
}

const struct slick_ev_ops seen_ops = { .event = seen_event, .release = seen_release };

void fixture_open(struct fixture *fixture, void **state)
{
	int i;

	memset(fixture, 0, sizeof(*fixture));
	fixture->backend = *(enum slick_backend *)*state;
	for (i = 0; i < 2; i++) {
		fixture->ours[i] = -1;
		fixture->theirs[i] = -1;
	}
	fixture->loop = slick_user_loop_create("test", 0, fixture->backend);
	if (fixture->loop == ERR_PTR(-EOPNOTSUPP) || fixture->loop == ERR_PTR(-ENOSYS) ||
	    fixture->loop == ERR_PTR(-EPERM)) {
		print_message("%s is not here: %s\n", slick_backend_name(fixture->backend),
			      strerror((int)-PTR_ERR(fixture->loop)));
		skip();
	}
	assert_false(IS_ERR(fixture->loop));
}

void fixture_close(struct fixture *fixture)
{
	int i;

	if (fixture->loop)
		slick_loop_destroy(fixture->loop);
	for (i = 0; i < 2; i++) {
		if (fixture->ours[i] >= 0)
			close(fixture->ours[i]);
		if (fixture->theirs[i] >= 0)
			close(fixture->theirs[i]);
	}
}

void fixture_connect(struct fixture *fixture, int which)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(listener >= 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
	fixture->theirs[which] = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(fixture->theirs[which], (struct sockaddr *)&address, length), 0);
	fixture->ours[which] = accept(listener, NULL, NULL);
	assert_true(fixture->ours[which] >= 0);
	close(listener);
}

void fixture_add(struct fixture *fixture, int which, u32 what,
		 enum slick_ret (*then)(struct slick_ev *ev, u32 what))
{
	struct seen *seen = &fixture->seen[which];

	if (fixture->ours[which] < 0)
		fixture_connect(fixture, which);
	seen->then = then;
	seen->ev = slick_ev_add(fixture->loop, fixture->ours[which], &seen_ops, seen, what);
	assert_false(IS_ERR(seen->ev));
}

void run_for(struct fixture *fixture, int milliseconds)
{
	assert_int_equal(slick_loop_run(fixture->loop, milliseconds), -ETIME);
}

enum slick_ret read_all(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);
	char bytes[1000];
	ssize_t got;

	(void)what;
	while ((got = seen->transport.ops->recv(seen->transport.context, bytes, sizeof(bytes))) > 0)
		seen->bytes += (size_t)got;
	if (got == 0)
		seen->ended = true;
	else if (got != -EAGAIN)
		seen->error = (int)got;
	if (seen->ended || seen->error)
		slick_ev_want(ev, 0);
	return SLICK_DONE;
}

enum slick_ret echo_all(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);
	char bytes[1000];
	ssize_t got;

	(void)what;
	got = seen->transport.ops->recv(seen->transport.context, bytes, sizeof(bytes));
	if (got == -EAGAIN)
		return SLICK_DONE;
	if (got <= 0)
		return SLICK_CLOSE;
	assert_int_equal(seen->transport.ops->send(seen->transport.context, bytes, (size_t)got,
						   false), got);
	return SLICK_DONE;
}

enum slick_ret look_only(struct slick_ev *ev, u32 what)
{
	(void)ev;
	(void)what;
	return SLICK_DONE;
}

void peer_send(int peer, const void *bytes, size_t length)
{
	assert_int_equal(send(peer, bytes, length, MSG_NOSIGNAL), length);
}

ssize_t peer_recv(int peer, void *bytes, size_t length)
{
	return recv(peer, bytes, length, MSG_DONTWAIT);
}

void peer_reset(int peer)
{
	const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	assert_int_equal(setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), 0);
	close(peer);
}
