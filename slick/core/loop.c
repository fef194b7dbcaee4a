// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Loops: a context, a network namespace, and the events on it. */
#include "internal.h"

static struct slick_loop *loop_new(struct net *net, const struct slick_loop_cfg *cfg)
{
	struct slick_loop *loop = kzalloc(sizeof(*loop), GFP_KERNEL);

	if (!loop)
		return NULL;
	loop->counts = alloc_percpu(struct slick_counts);
	if (!loop->counts) {
		kfree(loop);
		return NULL;
	}
	strscpy(loop->name, cfg->name ? cfg->name : "loop", sizeof(loop->name));
	loop->net = net;
	loop->context = cfg->context;
	loop->budget = cfg->budget ? cfg->budget : SLICK_BUDGET;
	spin_lock_init(&loop->lock);
	INIT_LIST_HEAD(&loop->events);
	refcount_set(&loop->live, 1);
	init_completion(&loop->empty);
	return loop;
}

static void loop_free(struct slick_loop *loop)
{
	free_percpu(loop->counts);
	kfree(loop);
}

struct slick_loop *slick_loop_create(struct net *net, const struct slick_loop_cfg *cfg)
{
	struct slick_loop *loop;
	struct slick_net *here;
	int error;

	if (!net)
		return ERR_PTR(-EINVAL);
	loop = loop_new(net, cfg);
	if (!loop)
		return ERR_PTR(-ENOMEM);
	error = slick_context_open(loop);
	if (error) {
		loop_free(loop);
		return ERR_PTR(error);
	}
	here = slick_net_of(net);
	spin_lock(&here->lock);
	list_add_tail(&loop->list, &here->loops);
	spin_unlock(&here->lock);
	return loop;
}
EXPORT_SYMBOL_GPL(slick_loop_create);

void slick_loop_counts(const struct slick_loop *loop, struct slick_counts *sum)
{
	const struct slick_counts *counts;
	int cpu, i;

	for_each_possible_cpu(cpu) {
		counts = per_cpu_ptr(loop->counts, cpu);
		for (i = 0; i < SLICK_COUNT_NUMBER; i++)
			sum->of[i] += READ_ONCE(counts->of[i]);
	}
}

static void doom_all(struct slick_loop *loop)
{
	struct slick_ev *ev;

	spin_lock(&loop->lock);
	loop->ending = true;
	list_for_each_entry(ev, &loop->events, list)
		slick_ev_doom(ev);
	spin_unlock(&loop->lock);
}

/* What a work does last is slick_loop_leave(); closing the context waits for the rest of it. */
static void loop_end(struct slick_loop *loop)
{
	doom_all(loop);
	slick_loop_leave(loop);
	wait_for_completion(&loop->empty);
	slick_context_close(loop);
}

void slick_loop_destroy(struct slick_loop *loop)
{
	struct slick_net *here = slick_net_of(loop->net);

	loop_end(loop);
	spin_lock(&here->lock);
	list_del(&loop->list);
	slick_loop_counts(loop, &here->past);
	spin_unlock(&here->lock);
	loop_free(loop);
}
EXPORT_SYMBOL_GPL(slick_loop_destroy);

void slick_loops_end(struct slick_net *here)
{
	struct slick_loop *loop;

	for (;;) {
		spin_lock(&here->lock);
		loop = list_first_entry_or_null(&here->loops, struct slick_loop, list);
		spin_unlock(&here->lock);
		if (!loop)
			return;
		slick_loop_destroy(loop);
	}
}

u32 slick_loop_budget(const struct slick_loop *loop)
{
	return loop->budget;
}
EXPORT_SYMBOL_GPL(slick_loop_budget);

enum slick_context slick_loop_context(const struct slick_loop *loop)
{
	return loop->context;
}
EXPORT_SYMBOL_GPL(slick_loop_context);

int slick_loop_enter(struct slick_loop *loop, struct slick_ev *ev)
{
	int error = 0;

	spin_lock(&loop->lock);
	if (loop->ending) {
		error = -ESHUTDOWN;
	} else {
		refcount_inc(&loop->live);
		list_add_tail(&ev->list, &loop->events);
	}
	spin_unlock(&loop->lock);
	return error;
}

/* Nobody finds the event any more; the loop still waits for slick_loop_leave(). */
void slick_loop_hide(struct slick_loop *loop, struct slick_ev *ev)
{
	spin_lock(&loop->lock);
	list_del(&ev->list);
	spin_unlock(&loop->lock);
}

void slick_loop_leave(struct slick_loop *loop)
{
	if (refcount_dec_and_test(&loop->live))
		complete(&loop->empty);
}
