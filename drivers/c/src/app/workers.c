/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One queue: the program's own thread moves packets, and looks at clock and signals in between. Several: each queue has a
 * thread, which touches nothing but its queues, its pool and its counters, and the program's thread looks on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "app.h"

#define LOOK_EVERY_NS 1000000

/* The cores from the given one on, if this process may use that many. */
static bool cores_are_there(const struct settings *settings)
{
	cpu_set_t usable;

	if (settings->core < 0 || sched_getaffinity(0, sizeof(usable), &usable) != 0)
		return false;
	for (uint32_t q = 0; q < settings->queues; q++)
		if (!CPU_ISSET((size_t)settings->core + q, &usable))
			return false;
	return true;
}

static int alone(struct session *session, int (*turns)(struct worker *worker))
{
	do {
		int moved = turns(&session->worker[0]);

		if (moved < 0)
			return session_fail(session, moved, EXIT_DEVICE_FAILED);
	} while (session_goes_on(session));
	return EXIT_DONE;
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct session *session = worker->session;

	while (!atomic_load_explicit(&session->stop, memory_order_relaxed)) {
		int moved = session->turns(worker);

		if (moved == 0)
			sched_yield(); /* there may be more queues than cores */
		if (moved < 0) {
			worker->error = moved;
			snprintf(worker->message, sizeof(worker->message), "%s", ringway_error()); /* it is this thread's */
			atomic_store(&session->stop, true);
		}
	}
	return NULL;
}

/* Starts a thread, on a core of its own if there are enough. Returns 0 or an error number. */
static int start(struct worker *worker, bool pinned)
{
	pthread_attr_t attributes;
	cpu_set_t set;
	int error = pthread_attr_init(&attributes);

	if (error)
		return error;
	CPU_ZERO(&set);
	if (pinned) {
		CPU_SET((size_t)worker->session->settings.core + worker->queue, &set);
		error = pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
	}
	if (!error)
		error = pthread_create(&worker->thread, &attributes, work, worker);
	pthread_attr_destroy(&attributes);
	return error;
}

/* Signals come to the program's own thread alone. Returns how many threads run. */
static uint32_t start_all(struct session *session, int *error)
{
	const bool pinned = cores_are_there(&session->settings);
	uint32_t running = 0;
	sigset_t all, before;

	*error = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (running < session->settings.queues && (*error = start(&session->worker[running], pinned)) == 0)
		running++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return running;
}

static int first_failure(struct session *session, uint32_t running)
{
	for (uint32_t q = 0; q < running; q++)
		if (session->worker[q].error)
			return session_fail_with(session, session->worker[q].error, session->worker[q].message, EXIT_DEVICE_FAILED);
	return EXIT_DONE;
}

static int together(struct session *session, int (*turns)(struct worker *worker))
{
	const struct timespec pause = { .tv_nsec = LOOK_EVERY_NS };
	uint32_t running;
	int error;

	session->turns = turns;
	running = start_all(session, &error);
	while (!error && !atomic_load(&session->stop) && session_goes_on(session))
		nanosleep(&pause, NULL);
	atomic_store(&session->stop, true);
	for (uint32_t q = 0; q < running; q++)
		pthread_join(session->worker[q].thread, NULL);
	if (error)
		return session_fail_with(session, -ENOMEM, strerror(error), EXIT_CANNOT_OPEN);
	return first_failure(session, running);
}

int workers_run(struct session *session, int (*turns)(struct worker *worker))
{
	return session->settings.queues > 1 ? together(session, turns) : alone(session, turns);
}

int workers_create(struct session *session)
{
	for (uint32_t q = 0; q < session->settings.queues; q++) {
		struct worker *worker = &session->worker[q];

		worker->session = session;
		worker->queue = (uint16_t)q;
		worker->batch = ringway_batch_create(session->memory, session->settings.batch);
		if (!worker->batch)
			return -ENOMEM;
	}
	return 0;
}

void workers_destroy(struct session *session)
{
	for (uint32_t q = 0; q < session->settings.queues; q++)
		ringway_batch_destroy(session->worker[q].batch);
}

struct totals workers_totals(const struct session *session)
{
	struct totals totals = { 0 };

	for (uint32_t q = 0; q < session->settings.queues; q++) {
		const struct worker *worker = &session->worker[q];

		totals.received += atomic_load_explicit(&worker->received, memory_order_relaxed);
		totals.sent += atomic_load_explicit(&worker->sent, memory_order_relaxed);
		for (int d = 0; d < APP_DEVICES; d++)
			totals.dropped[d] += atomic_load_explicit(&worker->dropped[d], memory_order_relaxed);
	}
	return totals;
}
