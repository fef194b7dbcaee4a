/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening, the second hand, signals, closing. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "app.h"

#define MEMORY_BYTES(pool_slots) ((size_t)(8u << 20) + (size_t)(pool_slots) * 2u * 2560u)
#define DRAIN_MS                 500u

static volatile sig_atomic_t signalled;

static void on_signal(int signal)
{
	signalled = signal;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static const char *kind_of(int error)
{
	switch (-error) {
	case ETIMEDOUT: return "Timeout";
	case ENOENT: return "NoSuchDevice";
	case EACCES: return "PermissionDenied";
	case ENOTSUP: return "Unsupported";
	case EINVAL: return "Unsupported";
	case ENOMEM: return "OutOfMemory";
	default: return "DeviceFailed";
	}
}

int session_fail_with(const struct session *session, int error, const char *message, enum exit_code code)
{
	report_error(&session->settings, kind_of(error), message);
	return code;
}

int session_fail(const struct session *session, int error, enum exit_code code)
{
	return session_fail_with(session, error, ringway_error(), code);
}

static int pin(const struct session *session)
{
	cpu_set_t set;

	if (session->settings.core < 0 || session->settings.queues > 1)
		return 0; /* threads of several queues have a core each */
	CPU_ZERO(&set);
	CPU_SET((size_t)session->settings.core, &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0)
		return 0;
	report_error(&session->settings, "Unsupported", "there is no such core to run on");
	return EXIT_USAGE;
}

/* Nobody has to know beforehand which way an address takes. */
static int create_memory(struct session *session)
{
	const struct settings *settings = &session->settings;
	uint32_t pool = settings->open.pool_slots;
	bool huge = false;

	for (int i = 0; i < settings->devices; i++)
		huge |= ringway_needs_hugepages(settings->address[i]);
	return huge ? ringway_memory_create_huge(MEMORY_BYTES(pool), &session->memory)
	            : ringway_memory_create(MEMORY_BYTES(pool), &session->memory);
}

int session_open(struct session *session)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct settings *settings = &session->settings;
	int error;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (pin(session))
		return EXIT_USAGE;
	error = create_memory(session);
	for (int i = 0; error == 0 && i < settings->devices; i++)
		error = ringway_open(settings->address[i], session->memory, &settings->open, &session->device[i]);
	if (error < 0)
		return session_fail(session, error, EXIT_CANNOT_OPEN);
	error = workers_create(session);
	if (error < 0)
		return session_fail_with(session, error, "no memory for a batch", EXIT_CANNOT_OPEN);
	session->opened = true;
	report_start(session);
	session->started_s = session->reported_s = now_s();
	return -1;
}

/* Slots that are in no pool and no ring although no batch holds any. */
static uint64_t slots_lost(const struct session *session)
{
	uint64_t lost = 0;

	for (int i = 0; i < session->settings.devices; i++) {
		struct ringway_slots slots;

		ringway_slots(session->device[i], &slots);
		lost += slots.total - slots.pool - slots.rx - slots.tx;
	}
	return lost;
}

/* What was sent is to be on the wire before it is counted; what a dead link keeps is seen in the counters. */
static void drain(struct session *session)
{
	for (int i = 0; i < session->settings.devices; i++)
		ringway_drain(session->device[i], DRAIN_MS);
}

int session_close(struct session *session, int code)
{
	double elapsed = now_s() - session->started_s;

	workers_destroy(session);
	if (session->opened && code == EXIT_DONE) {
		drain(session);
		report_final(session, elapsed, slots_lost(session));
	}
	for (int i = 0; i < APP_DEVICES; i++)
		ringway_close(session->device[i]);
	ringway_memory_destroy(session->memory);
	return code;
}

bool session_goes_on(struct session *session)
{
	const struct settings *settings = &session->settings;
	const struct totals totals = workers_totals(session);
	double now = now_s();

	if (now - session->reported_s >= 1.0) {
		session->reported_s += 1.0;
		report_interval(session, now - session->started_s);
	}
	if (signalled)
		session->stopped_by = "signal";
	else if (settings->duration_s > 0 && now - session->started_s >= settings->duration_s)
		session->stopped_by = "duration";
	else if (settings->packets && (totals.received ? totals.received : totals.sent) >= settings->packets)
		session->stopped_by = "packets";
	return session->stopped_by == NULL;
}
