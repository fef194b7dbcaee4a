// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "server.h"

#include <net/net_namespace.h>

#include "kunit.h"

static const enum slick_context contexts[] = {
	SLICK_PERCPU, SLICK_ORDERED, SLICK_KTHREAD, SLICK_SOFTIRQ,
};

static const char *const context_names[] = { "percpu", "ordered", "kthread", "softirq" };

const void *slick_context_gen_params(const void *before, char *description)
{
	const enum slick_context *next = before ? (const enum slick_context *)before + 1 : contexts;

	if (next == contexts + ARRAY_SIZE(contexts))
		return NULL;
	strscpy(description, context_names[next - contexts], KUNIT_PARAM_DESC_SIZE);
	return next;
}

int slick_fixture_begin(struct kunit *test)
{
	const enum slick_context *context = test->param_value;
	struct slick_loop_cfg cfg = {
		.name = "kunit",
		.context = context ? *context : SLICK_PERCPU,
		.budget = 4,
	};
	struct slick_fixture *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	struct slick_loop *loop;

	if (!fixture)
		return -ENOMEM;
	loop = slick_loop_create(&init_net, &cfg);
	if (IS_ERR(loop))
		return PTR_ERR(loop);
	fixture->loop = loop;
	test->priv = fixture;
	return 0;
}

/* Also behind a test that gave up in its middle. */
void slick_fixture_end(struct kunit *test)
{
	struct slick_fixture *fixture = test->priv;
	int i;

	if (!fixture)
		return;
	if (fixture->loop)
		slick_loop_destroy(fixture->loop);
	for (i = 0; i < SLICK_SERVERS; i++) {
		struct slick_server *server = &fixture->servers[i];

		KUNIT_EXPECT_FALSE(test, server->overlapped);
		slick_pair_close(&server->pair);
		if (server->serve)
			slick_bs_free(&server->bs);
	}
}

static enum slick_ret server_event(struct slick_ev *ev, u32 what)
{
	struct slick_server *server = slick_ev_data(ev);
	struct slick_transport transport;
	enum slick_ret ret;

	if (atomic_inc_return(&server->beside) != 1)
		server->overlapped = true;
	atomic_inc(&server->calls);
	atomic_or(what, &server->seen);
	if (!server->begun) {
		server->begun = true;
		slick_ev_transport(ev, &transport);
		slick_bs_attach(&server->bs, &transport);
	}
	ret = server->serve(server, ev, what);
	atomic_dec(&server->beside);
	return ret;
}

static void server_release(struct slick_ev *ev)
{
	struct slick_server *server = slick_ev_data(ev);

	might_sleep();
	complete(&server->released);
}

static const struct slick_ev_ops server_ops = {
	.event = server_event,
	.release = server_release,
};

struct slick_server *slick_first(struct kunit *test)
{
	struct slick_fixture *fixture = test->priv;

	return &fixture->servers[0];
}

int slick_serve(struct kunit *test, struct slick_server *server, u32 what,
		enum slick_ret (*serve)(struct slick_server *server, struct slick_ev *ev,
					u32 what))
{
	const struct slick_bs_cfg cfg = {
		.in_size = 4096, .in_limit = 4096, .out_size = 4096, .out_limit = 4096,
	};
	struct slick_fixture *fixture = test->priv;
	struct slick_ev *ev;
	int error;

	init_completion(&server->released);
	error = slick_bs_init(&server->bs, NULL, &cfg);
	if (error)
		return error;
	server->serve = serve;
	error = slick_pair_open(&server->pair);
	if (error)
		return error;
	ev = slick_ev_add(fixture->loop, server->pair.ours, &server_ops, server, what);
	if (IS_ERR(ev))
		return PTR_ERR(ev);
	server->ev = ev;
	return 0;
}

void slick_server_del(struct slick_server *server)
{
	slick_ev_del(server->ev);
	server->ev = NULL;
}

bool slick_server_released(struct slick_server *server)
{
	return wait_for_completion_timeout(&server->released, SLICK_PATIENCE) != 0;
}

bool slick_saw(const struct slick_server *server, u32 what)
{
	return (atomic_read(&server->seen) & what) == what;
}

enum slick_ret slick_serve_nothing(struct slick_server *server, struct slick_ev *ev, u32 what)
{
	return SLICK_DONE;
}

/* What was read before stays first: nothing more is read while some of it waits. */
enum slick_ret slick_serve_echo(struct slick_server *server, struct slick_ev *ev, u32 what)
{
	u32 budget = slick_loop_budget(slick_ev_loop(ev));
	struct slick_bs *bs = &server->bs;
	const u8 *bytes;
	size_t length;
	ssize_t got;

	if (what & SLICK_ERROR)
		return SLICK_CLOSE;
	if (slick_bs_flush(bs) == -EAGAIN)
		return SLICK_DONE;
	slick_bs_pause(bs, false);
	while (budget--) {
		got = slick_bs_fill(bs);
		if (got == -EAGAIN)
			return SLICK_DONE;
		if (!got)
			slick_bs_shut(bs);
		if (got <= 0)
			return SLICK_CLOSE;
		bytes = slick_bs_peek(bs, &length);
		if (slick_bs_write_all(bs, bytes, length))
			return SLICK_CLOSE;
		slick_bs_discard(bs, length);
		if (slick_bs_waiting(bs)) {
			slick_bs_pause(bs, true);
			return SLICK_DONE;
		}
	}
	return SLICK_AGAIN;
}
