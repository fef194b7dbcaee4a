// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The echo service in a user process: the twin of slick_echo.ko. */
#include "echo.h"

#include "../common/options.h"

#include <error.h>
#include <stdio.h>

enum { OPTION_FRAMES = 0x200, OPTION_MAX_FRAME };

struct arguments {
	struct slick_options options;
	struct slick_echo_cfg cfg;
};

static const struct argp_option options[] = {
	{ "chunk", 'c', "BYTES", 0, "read and answer at most so many bytes at a time (0: all that came)", 0 },
	{ "frames", OPTION_FRAMES, "thrift", 0, "send back whole Thrift messages, each by itself; close what sends others", 0 },
	{ "max-frame", OPTION_MAX_FRAME, "BYTES", 0, "with --frames: refuse longer ones (1048576)", 0 },
	{ 0 },
};

/* What each of them says alone is not all. */
static void judge(struct argp_state *state, const struct slick_echo_cfg *cfg)
{
	if (cfg->thrift && cfg->chunk)
		argp_error(state, "--chunk is not for --frames: a frame says itself how long it is");
	if (!cfg->thrift && cfg->limits.max_frame)
		argp_error(state, "--max-frame is for --frames thrift");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct slick_echo_cfg *cfg = &arguments->cfg;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->options;
		return 0;
	case 'c':
		cfg->chunk = slick_option_number(state, "chunk", text, 0, ECHO_CHUNK_MOST);
		return 0;
	case OPTION_FRAMES:
		if (strcmp(text, "thrift"))
			argp_error(state, "--frames is thrift, not '%s'", text);
		cfg->thrift = true;
		return 0;
	case OPTION_MAX_FRAME:
		cfg->limits.max_frame = slick_option_number(state, "max-frame", text, 1, ECHO_FRAME_MOST);
		return 0;
	case ARGP_KEY_END:
		judge(state, cfg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &slick_options_argp, 0, NULL, 0 }, { 0 } };
static const struct argp argp = {
	options, parse, NULL, "Sends back what each connection sends. Ends on SIGINT or SIGTERM.", children, NULL, NULL,
};

/* Messages of a known size: the ring is given buffers of it, or the kernel would read many at a time. */
static void one_message_a_buffer(struct slick_loop *loop, u32 chunk)
{
	int why = chunk && chunk < 65536 ? slick_user_loop_buffers(loop, chunk, 0) : 0;

	if (why)
		error(EXIT_NO_LISTENER, -why, "no buffers of %u bytes for io_uring", chunk);
}

int main(int count, char **words)
{
	struct slick_echo_counts counts = { { 0 }, { 0 } };
	struct arguments arguments = { .options = { .address = "::" }, .cfg = { .counts = &counts } };
	const struct slick_options *from = &arguments.options;
	struct sockaddr_storage address;
	struct slick_echo *echo;
	struct slick_loop *loop;
	int length, ended;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, count, words, 0, NULL, &arguments);
	length = slick_address(from->address, from->port, &address);
	if (length < 0)
		error(EXIT_USAGE, 0, "--address is an IPv4 or IPv6 literal, not '%s'", from->address);
	loop = slick_options_loop("echo", from);
	one_message_a_buffer(loop, arguments.cfg.chunk);
	echo = slick_echo_start(loop, (struct sockaddr *)&address, length, &arguments.cfg);
	if (IS_ERR(echo)) {
		slick_options_no_listener(from->address, from->port, PTR_ERR(echo));
		slick_loop_destroy(loop);
		return EXIT_NO_LISTENER;
	}
	printf("listening on %s port %u\n", from->address, slick_options_port(slick_echo_sock(echo)));
	fflush(stdout);
	ended = slick_loop_run(loop, -1);
	slick_loop_destroy(loop);
	slick_echo_free(echo);
	if (ended)
		error(EXIT_BROKEN, -ended, "the loop failed");
	return 0;
}
