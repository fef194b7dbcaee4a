// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Adding, deleting, ending. */
#include "peer.h"

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static enum slick_ret close_at_once(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);

	(void)what;
	assert_int_equal(seen->released, 0);
	return SLICK_CLOSE;
}

static void close_inside_of_a_callback(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, close_at_once);
	peer_send(f.theirs[0], "x", 1);
	run_until(&f, f.seen[0].released);
	peer_send(f.theirs[0], "x", 1);
	run_for(&f, 30);
	assert_int_equal(f.seen[0].calls, 1);
	assert_int_equal(f.seen[0].released, 1);
	fixture_close(&f);
	assert_int_equal(f.seen[0].released, 1);
}

static enum slick_ret delete_itself_and_other(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);
	struct seen *other = slick_ev_data(seen->other);

	(void)what;
	slick_ev_del_async(seen->other);
	slick_ev_del_async(ev);
	assert_int_equal(other->released, 0);
	return SLICK_AGAIN;
}

/* Both are ready in the same round: only one may still be called. */
static void delete_another_that_is_about_to_be_called(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, delete_itself_and_other);
	fixture_add(&f, 1, SLICK_READ, delete_itself_and_other);
	f.seen[0].other = f.seen[1].ev;
	f.seen[1].other = f.seen[0].ev;
	slick_ev_timeout(f.seen[0].ev, 20);
	slick_ev_timeout(f.seen[1].ev, 20);
	peer_send(f.theirs[0], "x", 1);
	peer_send(f.theirs[1], "x", 1);
	slick_ev_kick(f.seen[0].ev);
	slick_ev_kick(f.seen[1].ev);
	run_until(&f, f.seen[0].released && f.seen[1].released);
	run_for(&f, 50);
	assert_int_equal(f.seen[0].calls + f.seen[1].calls, 1);
	assert_int_equal(f.seen[0].released + f.seen[1].released, 2);
	fixture_close(&f);
}

static void delete_leaves_a_socket_that_works(void **state)
{
	char bytes[10];
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, look_only);
	run_for(&f, 20);
	slick_ev_del(f.seen[0].ev);
	assert_int_equal(f.seen[0].released, 1);
	peer_send(f.theirs[0], "mine", 4);
	run_for(&f, 20);
	assert_int_equal(f.seen[0].calls, 0);
	assert_int_equal(recv(f.ours[0], bytes, sizeof(bytes), 0), 4);
	fixture_add(&f, 0, SLICK_READ, read_all);
	peer_send(f.theirs[0], "yours", 5);
	f.seen[0].released = 0;
	run_until(&f, f.seen[0].bytes == 5);
	fixture_close(&f);
}

static void destroy_releases_what_lives(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ | SLICK_WRITE, look_only);
	fixture_add(&f, 1, SLICK_READ, read_all);
	slick_ev_timeout(f.seen[0].ev, 1000);
	peer_send(f.theirs[1], "x", 1);
	run_for(&f, 20);
	peer_send(f.theirs[1], "x", 1);
	slick_ev_kick(f.seen[0].ev);
	slick_ev_del_async(f.seen[1].ev);
	slick_loop_destroy(f.loop);
	f.loop = NULL;
	assert_int_equal(f.seen[0].released, 1);
	assert_int_equal(f.seen[1].released, 1);
	fixture_close(&f);
}

static void what_is_no_free_tcp_socket_is_refused(void **state)
{
	struct slick_ev *ev;
	struct fixture f;
	int pair[2];

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, look_only);
	ev = slick_ev_add(f.loop, f.ours[0], &seen_ops, &f.seen[1], SLICK_READ);
	assert_int_equal(PTR_ERR(ev), -EBUSY);
	f.ours[1] = socket(AF_INET, SOCK_DGRAM, 0);
	ev = slick_ev_add(f.loop, f.ours[1], &seen_ops, &f.seen[1], SLICK_READ);
	assert_int_equal(PTR_ERR(ev), -EOPNOTSUPP);
	assert_int_equal(pipe(pair), 0);
	ev = slick_ev_add(f.loop, pair[0], &seen_ops, &f.seen[1], SLICK_READ);
	assert_int_equal(PTR_ERR(ev), -EOPNOTSUPP);
	close(pair[0]);
	close(pair[1]);
	run_for(&f, 20);
	assert_int_equal(f.seen[1].calls + f.seen[1].released, 0);
	fixture_close(&f);
}

static void *stop_soon(void *loop)
{
	const struct timespec soon = { .tv_nsec = 50 * 1000 * 1000 };

	nanosleep(&soon, NULL);
	slick_loop_stop(loop);
	return NULL;
}

static void stop_ends_a_wait(void **state)
{
	struct fixture f;
	pthread_t thread;

	fixture_open(&f, state);
	assert_int_equal(pthread_create(&thread, NULL, stop_soon, f.loop), 0);
	assert_int_equal(slick_loop_run(f.loop, PATIENCE), 0);
	pthread_join(thread, NULL);
	run_for(&f, 20);
	slick_loop_stop(f.loop);
	assert_int_equal(slick_loop_run(f.loop, PATIENCE), 0);
	run_for(&f, 20);
	fixture_close(&f);
}

static struct slick_loop *signalled;

static void on_signal(int number)
{
	(void)number;
	slick_loop_stop(signalled);
}

static void a_signal_handler_may_stop(void **state)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct fixture f;

	fixture_open(&f, state);
	signalled = f.loop;
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	assert_int_equal(slick_loop_run(f.loop, PATIENCE), 0);
	signal(SIGALRM, SIG_DFL);
	fixture_close(&f);
}

static void names_of_backends(void **state)
{
	enum slick_backend backend = SLICK_BACKEND_EPOLL;

	(void)state;
	assert_int_equal(slick_backend_parse("io_uring", &backend), 0);
	assert_int_equal(backend, SLICK_BACKEND_URING);
	assert_int_equal(slick_backend_parse("kqueue", &backend), -EINVAL);
	assert_string_equal(slick_backend_name(SLICK_BACKEND_LIBEVENT), "libevent");
}

static void only_a_user_context_can_be_had(void **state)
{
	struct slick_loop_cfg cfg = { .name = "x", .context = SLICK_SOFTIRQ };
	struct slick_loop *loop;

	(void)state;
	assert_int_equal(PTR_ERR(slick_loop_create(NULL, &cfg)), -EINVAL);
	cfg.context = SLICK_USER;
	loop = slick_loop_create(NULL, &cfg);
	assert_false(IS_ERR(loop));
	assert_int_equal(slick_loop_budget(loop), 64);
	assert_int_equal(slick_loop_context(loop), SLICK_USER);
	slick_loop_destroy(loop);
}

int life_run(void)
{
	static const struct CMUnitTest tests[] = {
		ON_EACH(close_inside_of_a_callback),
		ON_EACH(delete_another_that_is_about_to_be_called),
		ON_EACH(delete_leaves_a_socket_that_works),
		ON_EACH(destroy_releases_what_lives),
		ON_EACH(what_is_no_free_tcp_socket_is_refused),
		ON_EACH(stop_ends_a_wait),
		ON_EACH(a_signal_handler_may_stop),
		cmocka_unit_test(names_of_backends),
		cmocka_unit_test(only_a_user_context_can_be_had),
	};

	return cmocka_run_group_tests_name("user loop: life", tests, NULL, NULL);
}
