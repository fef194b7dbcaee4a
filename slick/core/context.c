// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Where an event is served: on workqueues, or on threads. */
#include <linux/cpu.h>

#include "compat.h"
#include "internal.h"

static void serve_work(struct work_struct *work)
{
	slick_ev_serve(container_of(work, struct slick_ev, work));
}

static void serve_thread_work(struct kthread_work *work)
{
	slick_ev_serve(container_of(work, struct slick_ev, thread_work));
}

static void workers_close(struct slick_loop *loop)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (loop->workers[cpu])
			kthread_destroy_worker(loop->workers[cpu]);
	kfree(loop->workers);
}

static int workers_open(struct slick_loop *loop)
{
	struct kthread_worker *worker;
	int cpu, error = 0;

	loop->workers = kcalloc(nr_cpu_ids, sizeof(*loop->workers), GFP_KERNEL);
	if (!loop->workers)
		return -ENOMEM;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		worker = slick_worker_on_cpu(cpu);
		if (IS_ERR(worker)) {
			error = PTR_ERR(worker);
			break;
		}
		loop->workers[cpu] = worker;
	}
	cpus_read_unlock();
	if (error)
		workers_close(loop);
	return error;
}

int slick_context_open(struct slick_loop *loop)
{
	switch (loop->context) {
	case SLICK_KTHREAD:
		return workers_open(loop);
	case SLICK_ORDERED:
		loop->queue = alloc_ordered_workqueue("slick/%.16s", 0, loop->name);
		break;
	case SLICK_PERCPU:
	case SLICK_SOFTIRQ: /* what a softirq leaves over, and the end of an event */
		loop->queue = alloc_workqueue("slick/%.16s", 0, 0, loop->name);
		break;
	default:
		return -EINVAL;
	}
	return loop->queue ? 0 : -ENOMEM;
}

void slick_context_close(struct slick_loop *loop)
{
	if (loop->context == SLICK_KTHREAD)
		workers_close(loop);
	else
		destroy_workqueue(loop->queue);
}

/* A thread's work may not change threads: it stays where the socket's data came in first. */
static struct kthread_worker *worker_of(const struct slick_loop *loop, const struct sock *sk)
{
	int cpu = READ_ONCE(sk->sk_incoming_cpu);

	if (cpu < 0 || !cpu_possible(cpu) || !loop->workers[cpu])
		cpu = raw_smp_processor_id();
	if (!loop->workers[cpu])
		for_each_possible_cpu(cpu)
			if (loop->workers[cpu])
				break;
	return loop->workers[cpu];
}

void slick_context_bind(struct slick_ev *ev)
{
	if (ev->loop->context == SLICK_KTHREAD) {
		kthread_init_work(&ev->thread_work, serve_thread_work);
		ev->worker = worker_of(ev->loop, ev->sk);
	} else {
		INIT_WORK(&ev->work, serve_work);
	}
}

void slick_context_queue(struct slick_ev *ev)
{
	if (ev->worker)
		kthread_queue_work(ev->worker, &ev->thread_work);
	else
		queue_work(ev->loop->queue, &ev->work);
}
