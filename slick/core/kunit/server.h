/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* An event that remembers what it was told, on an end of a pair; what each test begins with. */
#ifndef SLICK_KUNIT_SERVER_H
#define SLICK_KUNIT_SERVER_H

#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/completion.h>

#include <slick/bsock.h>
#include <slick/klibevent.h>

#include "pair.h"

struct slick_server {
	struct slick_pair pair;
	struct slick_bs bs;
	bool begun;
	enum slick_ret (*serve)(struct slick_server *server, struct slick_ev *ev, u32 what);
	struct slick_ev *ev;	/* NULL: none, or it is gone */
	atomic_t calls, seen, beside;
	bool overlapped;	/* two callbacks ran beside each other */
	struct completion released;
};

#define SLICK_SERVERS 8

/* test->priv */
struct slick_fixture {
	struct slick_loop *loop;
	struct slick_server servers[SLICK_SERVERS];
};

/* Each test is run in each context. */
const void *slick_context_gen_params(const void *before, char *description);
int slick_fixture_begin(struct kunit *test);
void slick_fixture_end(struct kunit *test);

/* The first server of the fixture. */
struct slick_server *slick_first(struct kunit *test);
/* Opens a pair and adds one end to the loop. 0, or why not. */
int slick_serve(struct kunit *test, struct slick_server *server, u32 what,
		enum slick_ret (*serve)(struct slick_server *server, struct slick_ev *ev,
					u32 what));
/* Ends it for good: NULL where the event is gone. */
void slick_server_del(struct slick_server *server);
bool slick_server_released(struct slick_server *server);
bool slick_saw(const struct slick_server *server, u32 what);

/* Ways to serve. */
enum slick_ret slick_serve_echo(struct slick_server *server, struct slick_ev *ev, u32 what);
enum slick_ret slick_serve_nothing(struct slick_server *server, struct slick_ev *ev, u32 what);

#endif
