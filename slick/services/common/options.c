// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "options.h"

#include <errno.h>
#include <error.h>
#include <signal.h>

enum { OPTION_LOOP = 0x100, OPTION_BUDGET };

static const struct argp_option options[] = {
	{ "port", 'p', "N", 0, "listen on this port (0: any that is free)", 0 },
	{ "address", 'a', "LITERAL", 0, "listen on this address (::, which takes IPv4 too)", 0 },
	{ "loop", OPTION_LOOP, "WHICH", 0, "epoll (default), libevent or io_uring", 0 },
	{ "budget", OPTION_BUDGET, "N", 0, "messages of one connection before others have a turn", 0 },
	{ 0 },
};

unsigned long slick_option_number(struct argp_state *state, const char *name, const char *text,
				  unsigned long least, unsigned long most)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < least || value > most)
		argp_error(state, "--%s is a number from %lu to %lu, not '%s'", name, least, most, text);
	return value;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct slick_options *to = state->input;

	switch (key) {
	case 'p':
		to->port = slick_option_number(state, "port", text, 0, 65535);
		break;
	case 'a':
		to->address = text;
		break;
	case OPTION_LOOP:
		if (slick_backend_parse(text, &to->backend))
			argp_error(state, "--loop is epoll, libevent or io_uring, not '%s'", text);
		break;
	case OPTION_BUDGET:
		to->budget = slick_option_number(state, "budget", text, 1, 1 << 20);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp slick_options_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

static struct slick_loop *stopped;

static void stop(int signal)
{
	(void)signal;
	slick_loop_stop(stopped);
}

struct slick_loop *slick_options_loop(const char *name, const struct slick_options *from)
{
	const struct sigaction on_stop = { .sa_handler = stop };
	struct slick_loop *loop = slick_user_loop_create(name, from->budget, from->backend);
	const char *backend = slick_backend_name(from->backend);

	if (IS_ERR(loop)) {
		int why = -PTR_ERR(loop);

		if (why == EOPNOTSUPP)
			error(EXIT_NO_LISTENER, 0, "it was built without %s: install lib%s-dev and make again", backend,
			      from->backend == SLICK_BACKEND_URING ? "uring" : "event");
		if (from->backend == SLICK_BACKEND_URING && (why == EPERM || why == ENOSYS))
			error(EXIT_NO_LISTENER, why, "this kernel does not let us use io_uring "
			      "(sysctl kernel.io_uring_disabled=0, or --loop epoll)");
		error(EXIT_NO_LISTENER, why, "there is no loop on %s", backend);
	}
	stopped = loop;
	sigaction(SIGINT, &on_stop, NULL);
	sigaction(SIGTERM, &on_stop, NULL);
	signal(SIGPIPE, SIG_IGN);
	return loop;
}

u16 slick_options_port(slick_sock_t sock)
{
	struct sockaddr_storage address = { 0 };
	socklen_t length = sizeof(address);

	getsockname(sock, (struct sockaddr *)&address, &length);
	/* In the same place for both families. */
	return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

void slick_options_no_listener(const char *address, u16 port, int why)
{
	const char *remedy = "";

	if (why == -EADDRINUSE)
		remedy = " (another program listens there: choose another --port, or 0 for any)";
	else if (why == -EACCES)
		remedy = " (ports below 1024 want root, or CAP_NET_BIND_SERVICE)";
	else if (why == -EADDRNOTAVAIL)
		remedy = " (no interface has that address: ip address)";
	error(0, -why, "cannot listen on %s port %u%s", address, port, remedy);
}
