/* SPDX-License-Identifier: BSD-3-Clause */
/* What the four programs in one (forward, generate, capture, info) have in common. */
#ifndef RINGWAY_SRC_APP_APP_H
#define RINGWAY_SRC_APP_APP_H

#include <stdio.h>

#include "ringway.h"

enum exit_code { EXIT_DONE = 0, EXIT_USAGE = 2, EXIT_CANNOT_OPEN = 3, EXIT_DEVICE_FAILED = 4 };

#define APP_DEVICES 2

struct settings {
	const char *app;
	const char *address[APP_DEVICES];
	int devices;
	const char *file;    /* capture: where to */
	uint32_t batch;      /* slots */
	uint32_t size;       /* generate: bytes of a frame with FCS */
	double duration_s;   /* 0: no limit */
	uint64_t packets;    /* 0: no limit */
	int core;            /* -1: not pinned */
	bool json;
	struct ringway_options open;
};

struct session {
	struct settings settings;
	struct ringway_memory *memory;
	struct ringway_device *device[APP_DEVICES];
	struct ringway_batch *batch;
	uint64_t received, sent, dropped[APP_DEVICES];
	double started_s, reported_s;
	const char *stopped_by;
};

/** Fills settings from the command line; an exit code, or -1 to go on. */
int settings_parse(int argc, char **argv, struct settings *settings);

/** Opens everything, says so; an exit code, or -1 to go on. */
int session_open(struct session *session);
/** Closes everything and writes the final line. */
int session_close(struct session *session, int code);
/** Once in a while in a loop: writes the line of each second, and says whether to go on. */
bool session_goes_on(struct session *session);
/** Says what went wrong; an exit code for `error`. */
int session_fail(const struct session *session, int error, enum exit_code code);

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
