/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* The other end of the connections that the user loop is tried with, and a loop to try. */
#ifndef SLICK_TEST_PEER_H
#define SLICK_TEST_PEER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../user/loop.h"

#define PATIENCE 5000 /* milliseconds until a test gives up */

/* What a test's event was told and does. */
struct seen {
	enum slick_ret (*then)(struct slick_ev *ev, u32 what);
	struct slick_ev *ev, *other;
	struct slick_transport transport;
	u32 what;		/* all that was told */
	u32 last;
	unsigned int calls, released;
	size_t bytes;
	int error;
	bool ended;
};

struct fixture {
	enum slick_backend backend;
	struct slick_loop *loop;
	struct seen seen[2];
	int ours[2], theirs[2];
};

extern const struct slick_ev_ops seen_ops;

/* `state` of a test is the address of its backend; skips where that cannot be had. */
void fixture_open(struct fixture *fixture, void **state);
void fixture_close(struct fixture *fixture);
/* A connection over loopback: ours (not on the loop yet) and theirs. */
void fixture_connect(struct fixture *fixture, int which);
/* ours goes on the loop; `then` answers its events. */
void fixture_add(struct fixture *fixture, int which, u32 what,
		 enum slick_ret (*then)(struct slick_ev *ev, u32 what));

void run_for(struct fixture *fixture, int milliseconds);
/* Runs the loop until the condition holds; fails the test when it does not come to pass. */
#define run_until(fixture, condition)						\
	do {									\
		int left_ = PATIENCE / 5;					\
										\
		while (!(condition) && left_--)					\
			run_for(fixture, 5);					\
		assert_true(condition);						\
	} while (0)

/* Callbacks: read all there is into `bytes`; read and send back; only look. */
enum slick_ret read_all(struct slick_ev *ev, u32 what);
enum slick_ret echo_all(struct slick_ev *ev, u32 what);
enum slick_ret look_only(struct slick_ev *ev, u32 what);

void peer_send(int peer, const void *bytes, size_t length);
/* What is there now: -1 none, 0 the end. */
ssize_t peer_recv(int peer, void *bytes, size_t length);
void peer_reset(int peer);

int events_run(void);
int flow_run(void);
int life_run(void);

#define ON(test, which) { #test "(" #which ")", test, NULL, NULL, &test_backends[which] }
#define ON_EACH(test)						\
	ON(test, SLICK_BACKEND_EPOLL),				\
	ON(test, SLICK_BACKEND_LIBEVENT),			\
	ON(test, SLICK_BACKEND_URING)

extern enum slick_backend test_backends[];

#endif
