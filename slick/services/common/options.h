/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the user-process twins have in common: options, a loop, an end on signals. */
#ifndef SLICK_OPTIONS_H
#define SLICK_OPTIONS_H

#include <slick/address.h>

#include "../../user/loop.h"

#include <argp.h>

/* Exit codes. */
enum {
	EXIT_USAGE = 2,
	EXIT_NO_LISTENER = 3,
	EXIT_BROKEN = 4,
};

struct slick_options {
	const char *address;
	enum slick_backend backend;
	u32 budget;
	u16 port;
};

/* The options that every twin takes; `input` of the parser's state is a struct slick_options. */
extern const struct argp slick_options_argp;

/* A number between the bounds, or argp_error() with what was wrong: that ends the program with EXIT_USAGE. */
unsigned long slick_option_number(struct argp_state *state, const char *name, const char *text,
				  unsigned long least, unsigned long most);

/* A loop that SIGINT and SIGTERM stop; says why and ends the program if there cannot be one. */
struct slick_loop *slick_options_loop(const char *name, const struct slick_options *options);
/* The port that a listener got. */
u16 slick_options_port(slick_sock_t sock);
/* One line on standard error: PROGRAM: what failed, why, and what helps. */
void slick_options_no_listener(const char *address, u16 port, int error);

#endif
