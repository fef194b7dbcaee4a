/* SPDX-License-Identifier: BSD-3-Clause */
/* What the four programs in one (forward, generate, capture, info) have in common. */
#ifndef RINGWAY_SRC_APP_APP_H
#define RINGWAY_SRC_APP_APP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "ringway.h"

enum exit_code { EXIT_DONE = 0, EXIT_USAGE = 2, EXIT_CANNOT_OPEN = 3, EXIT_DEVICE_FAILED = 4 };

#define APP_DEVICES    2
#define APP_QUEUES     16u
#define APP_MESSAGE    512u
#define APP_CACHE_LINE 64

struct settings {
	const char *app;
	const char *address[APP_DEVICES];
	int devices;
	const char *file;    /* capture: where to */
	uint32_t batch;      /* slots */
	uint32_t size;       /* generate: bytes of a frame with FCS */
	double duration_s;   /* 0: no limit */
	uint64_t packets;    /* 0: no limit */
	uint32_t queues;     /* of each device, each with a thread of its own if there are several */
	int core;            /* -1: not pinned; of the first thread */
	bool json;
	struct ringway_options open;
};

struct session;

/** What moves the packets of one queue of each device. Others may look at its counters. */
struct worker {
	_Alignas(APP_CACHE_LINE) _Atomic uint64_t received;
	_Atomic uint64_t sent, dropped[APP_DEVICES];
	struct session *session;
	struct ringway_batch *batch;
	uint16_t queue;
	pthread_t thread;
	int error; /* of its device, with the message */
	char message[APP_MESSAGE];
};

/** Sums over all workers. */
struct totals {
	uint64_t received, sent, dropped[APP_DEVICES];
};

struct session {
	struct settings settings;
	struct ringway_memory *memory;
	struct ringway_device *device[APP_DEVICES];
	struct worker worker[APP_QUEUES];
	int (*turns)(struct worker *worker);
	bool opened;
	atomic_bool stop; /* asks all workers to end */
	double started_s, reported_s;
	const char *stopped_by;
};

/** Counts for a counter that only this thread writes: no locked instruction. */
static inline void count(_Atomic uint64_t *counter, uint64_t packets)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + packets, memory_order_relaxed);
}

/** Fills settings from the command line; an exit code, or -1 to go on. */
int settings_parse(int argc, char **argv, struct settings *settings);

/** Opens everything, says so; an exit code, or -1 to go on. */
int session_open(struct session *session);
/** Closes everything and writes the final line. */
int session_close(struct session *session, int code);
/** Once in a while in a loop: writes the line of each second, and says whether to go on. */
bool session_goes_on(struct session *session);
/** Says what went wrong, as ringway_error() has it; returns `code`. */
int session_fail(const struct session *session, int error, enum exit_code code);
/** The same with a message of one's own. */
int session_fail_with(const struct session *session, int error, const char *message, enum exit_code code);

/** A batch for each queue. 0 or -ENOMEM; what was made is destroyed by workers_destroy in either case. */
int workers_create(struct session *session);
void workers_destroy(struct session *session);
/** Has every worker do `turns` (some packets; 0 if none moved, or a negative errno) until it is time to end. An exit code. */
int workers_run(struct session *session, int (*turns)(struct worker *worker));
/** What has been counted so far. */
struct totals workers_totals(const struct session *session);

/** The programs; each returns an exit code. */
int forward(struct session *session);
int generate(struct session *session);
int capture(struct session *session);
int info(struct session *session);

/** Lines of JSON, or of text. */
void report_start(const struct session *session);
void report_interval(const struct session *session, double time_s);
void report_final(const struct session *session, double elapsed_s, uint64_t slots_lost);
void report_error(const struct settings *settings, const char *kind, const char *message);

#endif
