// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The forwarder in a user process: the twin of slick_forward.ko. */
#include "forward.h"

#include "../common/options.h"

#include <error.h>
#include <stdio.h>

#define BYTES_MOST 0x40000000

struct arguments {
	struct slick_options options;
	struct slick_forward_cfg cfg;
	u16 control;
};

enum { OPTION_FLUSH = 0x200, OPTION_MARKS, OPTION_MAX_FRAME };

static const struct argp_option options[] = {
	{ "control", 'C', "N", 0, "take connect and disconnect on this port (0: any that is free)", 0 },
	{ "flush", OPTION_FLUSH, "message|read|N", 0,
	  "send each message on at once (default), or what N reads of a sender have brought", 0 },
	{ "chunk", 'c', "BYTES", 0, "read at most so many bytes at a time (0: all that came)", 0 },
	{ "marks", OPTION_MARKS, "HIGH,LOW", 0,
	  "waiting bytes of a backend that stop its senders, and let them go on (262144,65536)", 0 },
	{ "max-frame", OPTION_MAX_FRAME, "BYTES", 0, "refuse longer frames (1048576)", 0 },
	{ 0 },
};

static void parse_marks(struct argp_state *state, char *text, struct slick_forward_cfg *cfg)
{
	char *low = strchr(text, ',');

	if (!low)
		argp_error(state, "--marks is HIGH,LOW in bytes, not '%s'", text);
	*low++ = 0;
	cfg->high = slick_option_number(state, "marks", text, 1, BYTES_MOST);
	cfg->low = slick_option_number(state, "marks", low, 0, cfg->high);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct slick_forward_cfg *cfg = &arguments->cfg;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->options;
		break;
	case 'C':
		arguments->control = slick_option_number(state, "control", text, 0, 65535);
		break;
	case OPTION_FLUSH:
		cfg->reads = 0;
		if (!strcmp(text, "read"))
			cfg->reads = 1;
		else if (strcmp(text, "message"))
			cfg->reads = slick_option_number(state, "flush", text, 1, 1024);
		break;
	case 'c':
		cfg->chunk = slick_option_number(state, "chunk", text, 0, BYTES_MOST);
		break;
	case OPTION_MARKS:
		parse_marks(state, text, cfg);
		break;
	case OPTION_MAX_FRAME:
		cfg->max_frame = slick_option_number(state, "max-frame", text, 32, BYTES_MOST);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = { { &slick_options_argp, 0, NULL, 0 }, { 0 } };
static const struct argp argp = {
	options, parse, NULL,
	"Gives each Thrift message `oneway msg(1: i32 key, 2: string payload)` to the backend of its key. Backends come and "
	"go by `connect` and `disconnect` at the control port. Ends on SIGINT or SIGTERM.",
	children, NULL, NULL,
};

static int start(struct slick_forward *forward, const struct arguments *arguments)
{
	const struct slick_options *from = &arguments->options;
	struct sockaddr_storage messages, commands;
	int length = slick_address(from->address, from->port, &messages);
	int why;

	slick_address(from->address, arguments->control, &commands);
	why = slick_forward_listen(forward, (struct sockaddr *)&messages, length,
				   (struct sockaddr *)&commands, length);
	if (why)
		slick_options_no_listener(from->address, from->port, why);
	return why;
}

static int run(struct slick_loop *loop, struct slick_forward *forward, const char *address)
{
	int ended;

	printf("listening on %s port %u control %u\n", address,
	       slick_options_port(slick_forward_messages(forward)),
	       slick_options_port(slick_forward_commands(forward)));
	fflush(stdout);
	ended = slick_loop_run(loop, -1);
	if (ended)
		error(0, -ended, "the loop failed");
	return ended ? EXIT_BROKEN : 0;
}

int main(int count, char **words)
{
	struct arguments arguments = { .options = { .address = "::", .budget = SLICK_FORWARD_BUDGET } };
	struct sockaddr_storage address;
	struct slick_forward *forward;
	struct slick_loop *loop;
	int code = EXIT_NO_LISTENER;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, count, words, 0, NULL, &arguments);
	if (slick_address(arguments.options.address, 0, &address) < 0)
		error(EXIT_USAGE, 0, "--address is an IPv4 or IPv6 literal, not '%s'", arguments.options.address);
	loop = slick_options_loop("forward", &arguments.options);
	forward = slick_forward_new(loop, &arguments.cfg);
	if (IS_ERR(forward))
		error(EXIT_NO_LISTENER, -PTR_ERR(forward), "no forwarder");
	if (!start(forward, &arguments))
		code = run(loop, forward, arguments.options.address);
	slick_loop_destroy(loop);
	slick_forward_free(forward);
	return code;
}
