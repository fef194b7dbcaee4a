// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What is told, when, and how often. */
#include "peer.h"

#include <sys/socket.h>
#include <unistd.h>

static void echo_comes_back(void **state)
{
	char bytes[100] = "";
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, echo_all);
	peer_send(f.theirs[0], "one", 3);
	run_until(&f, f.seen[0].calls > 0);
	peer_send(f.theirs[0], "two", 3);
	run_for(&f, 50);
	assert_int_equal(peer_recv(f.theirs[0], bytes, sizeof(bytes)), 6);
	assert_string_equal(bytes, "onetwo");
	fixture_close(&f);
}

static void bytes_before_the_add_are_told(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_connect(&f, 0);
	peer_send(f.theirs[0], "early", 5);
	fixture_add(&f, 0, SLICK_READ, read_all);
	run_until(&f, f.seen[0].bytes == 5);
	fixture_close(&f);
}

static void what_is_not_taken_is_told_again(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, look_only);
	peer_send(f.theirs[0], "x", 1);
	run_until(&f, f.seen[0].calls > 10);
	assert_int_equal(f.seen[0].what, SLICK_READ);
	fixture_close(&f);
}

static void a_half_closed_peer_still_hears_us(void **state)
{
	char bytes[10] = "";
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, read_all);
	peer_send(f.theirs[0], "rest", 4);
	shutdown(f.theirs[0], SHUT_WR);
	run_until(&f, f.seen[0].ended);
	assert_int_equal(f.seen[0].bytes, 4);
	assert_true(f.seen[0].what & SLICK_EOF);
	assert_false(f.seen[0].what & SLICK_ERROR);
	slick_ev_kick(f.seen[0].ev);
	run_until(&f, f.seen[0].last & SLICK_KICK);
	assert_int_equal(f.seen[0].last, SLICK_KICK | SLICK_EOF);
	f.seen[0].transport.ops->send(f.seen[0].transport.context, "bye", 3, false);
	f.seen[0].transport.ops->shut(f.seen[0].transport.context);
	run_for(&f, 20);
	assert_int_equal(peer_recv(f.theirs[0], bytes, sizeof(bytes)), 3);
	assert_int_equal(peer_recv(f.theirs[0], bytes, sizeof(bytes)), 0);
	fixture_close(&f);
}

static void an_end_nobody_reads_is_told_without_spinning(void **state)
{
	struct slick_loop_counts before, after;
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, 0, look_only);
	shutdown(f.theirs[0], SHUT_WR);
	run_until(&f, f.seen[0].what & SLICK_EOF);
	run_for(&f, 20);
	slick_loop_counts(f.loop, &before);
	run_for(&f, 100);
	slick_loop_counts(f.loop, &after);
	assert_true(f.seen[0].calls <= 3);
	assert_true(after.waits - before.waits < 10);
	fixture_close(&f);
}

static void a_reset_is_an_error(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, read_all);
	run_for(&f, 20);
	peer_reset(f.theirs[0]);
	f.theirs[0] = -1;
	run_until(&f, f.seen[0].calls > 0);
	assert_int_equal(f.seen[0].error, -ECONNRESET);
	fixture_close(&f);
}

static enum slick_ret take_error(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);

	if (what & SLICK_ERROR)
		seen->error = slick_ev_error(ev);
	return SLICK_DONE;
}

static void a_reset_reaches_who_wants_nothing(void **state)
{
	struct slick_loop_counts before, after;
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, 0, take_error);
	run_for(&f, 20);
	peer_reset(f.theirs[0]);
	f.theirs[0] = -1;
	run_until(&f, f.seen[0].what & SLICK_ERROR);
	assert_int_equal(f.seen[0].error, -ECONNRESET);
	run_for(&f, 20);
	slick_loop_counts(f.loop, &before);
	run_for(&f, 100);
	slick_loop_counts(f.loop, &after);
	assert_true(after.waits - before.waits < 10);
	assert_true(f.seen[0].calls <= 3);
	fixture_close(&f);
}

static void silence_is_told(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, read_all);
	slick_ev_timeout(f.seen[0].ev, 60);
	run_for(&f, 30);
	assert_int_equal(f.seen[0].calls, 0);
	run_until(&f, f.seen[0].calls == 2);
	assert_int_equal(f.seen[0].what, SLICK_TIMEOUT);
	slick_ev_timeout(f.seen[0].ev, 0);
	run_for(&f, 150);
	assert_int_equal(f.seen[0].calls, 2);
	fixture_close(&f);
}

static void who_speaks_is_not_silent(void **state)
{
	struct fixture f;
	int i;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, read_all);
	fixture_add(&f, 1, SLICK_READ, read_all);
	slick_ev_timeout(f.seen[0].ev, 200);
	slick_ev_timeout(f.seen[1].ev, 200);
	for (i = 0; i < 10; i++) {
		peer_send(f.theirs[0], "x", 1);
		run_for(&f, 50);
	}
	assert_false(f.seen[0].what & SLICK_TIMEOUT);
	assert_true(f.seen[1].what & SLICK_TIMEOUT);
	fixture_close(&f);
}

static void a_kick_is_told_once(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, SLICK_READ, look_only);
	slick_ev_kick(f.seen[0].ev);
	slick_ev_kick(f.seen[0].ev);
	assert_int_equal(f.seen[0].calls, 0);
	run_for(&f, 30);
	assert_int_equal(f.seen[0].calls, 1);
	assert_int_equal(f.seen[0].what, SLICK_KICK);
	fixture_close(&f);
}

static enum slick_ret three_times(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);

	(void)what;
	return seen->calls < 3 ? SLICK_AGAIN : SLICK_DONE;
}

/* Answers a kick, and sees how far the other one is. */
static enum slick_ret between(struct slick_ev *ev, u32 what)
{
	struct seen *seen = slick_ev_data(ev);
	const struct seen *other = slick_ev_data(seen->other);

	(void)what;
	seen->bytes = other->calls;
	return SLICK_DONE;
}

static void again_lets_others_have_their_turn(void **state)
{
	struct fixture f;

	fixture_open(&f, state);
	fixture_add(&f, 0, 0, three_times);
	fixture_add(&f, 1, 0, between);
	f.seen[1].other = f.seen[0].ev;
	slick_ev_kick(f.seen[0].ev);
	slick_ev_kick(f.seen[1].ev);
	run_for(&f, 30);
	assert_int_equal(f.seen[0].calls, 3);
	assert_int_equal(f.seen[0].last, 0);
	assert_int_equal(f.seen[1].bytes, 1);
	fixture_close(&f);
}

int events_run(void)
{
	static const struct CMUnitTest tests[] = {
		ON_EACH(echo_comes_back),
		ON_EACH(bytes_before_the_add_are_told),
		ON_EACH(what_is_not_taken_is_told_again),
		ON_EACH(a_half_closed_peer_still_hears_us),
		ON_EACH(an_end_nobody_reads_is_told_without_spinning),
		ON_EACH(a_reset_is_an_error),
		ON_EACH(a_reset_reaches_who_wants_nothing),
		ON_EACH(silence_is_told),
		ON_EACH(who_speaks_is_not_silent),
		ON_EACH(a_kick_is_told_once),
		ON_EACH(again_lets_others_have_their_turn),
	};

	return cmocka_run_group_tests_name("user loop: events", tests, NULL, NULL);
}
