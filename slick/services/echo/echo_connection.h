/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the two ways to echo by copying know of each other: echo.c and echo_thrift.c. */
#ifndef SLICK_ECHO_CONNECTION_H
#define SLICK_ECHO_CONNECTION_H

#include "echo.h"

#include <slick/tsock.h>

#define ECHO_MOST (64 * 1024)

struct echo_connection {
	struct slick_ts ts;	/* where chunks are echoed, ts.bs only */
	const struct slick_echo_cfg *cfg;
	bool begun;
};

/* echo_thrift.c */
int echo_thrift_init(struct echo_connection *connection, enum slick_context context);
/* Reads, and answers what came, a message at a time. */
enum slick_ret echo_thrift_serve(struct echo_connection *connection, u32 budget);

#endif
