// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "echo_bpf_server.h"

#include <sys/epoll.h>
#include <unistd.h>

#define EVENTS 64

#define AT_LISTENER (1ull << 32)
#define AT_SIGNALS (2ull << 32)

int server_init(struct server *server, u32 capacity, u32 window)
{
	u32 slot;

	INIT_LIST_HEAD(&server->busy);
	server->connections = calloc(capacity, sizeof(*server->connections));
	if (!server->connections)
		return -ENOMEM;
	server->capacity = capacity;
	server->window = window;
	for (slot = 0; slot < capacity; slot++) {
		server->connections[slot].fd = -1;
		server->connections[slot].slot = slot;
		server->connections[slot].next = slot + 1;
	}
	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (server->epoll < 0)
		return -errno;
	server->signals = slick_bpf_signals();
	return server->signals < 0 ? server->signals : 0;
}

static void accept_all(struct server *server)
{
	int fd;

	while ((fd = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
		connection_begin(server, fd);
}

static void handle(struct server *server, const struct epoll_event *event)
{
	struct connection *connection;

	if (event->data.u64 == AT_LISTENER) {
		accept_all(server);
	} else if (event->data.u64 == AT_SIGNALS) {
		server->stopping = true;
	} else {
		connection = &server->connections[event->data.u64];
		if (connection->fd >= 0)
			connection_look_after(server, connection);
	}
}

int server_run(struct server *server)
{
	struct epoll_event events[EVENTS];
	struct connection *connection, *after;
	int error, count, at, pause = 1;

	error = slick_bpf_watch(server->epoll, server->listener, EPOLLIN, AT_LISTENER);
	if (!error)
		error = slick_bpf_watch(server->epoll, server->signals, EPOLLIN, AT_SIGNALS);
	while (!error && !server->stopping) {
		count = epoll_wait(server->epoll, events, EVENTS,
				   list_empty(&server->busy) ? -1 : pause);
		if (count < 0 && errno != EINTR)
			return -errno;
		for (at = 0; at < count; at++)
			handle(server, &events[at]);
		server->moved = false;
		list_for_each_entry_safe(connection, after, &server->busy, busy)
			connection_serve(server, connection);
		/*
		 * No event tells that a queue got shorter: look again soon, and less often where
		 * nothing moves.
		 */
		pause = server->moved || count > 0 ? 1 : pause < 32 ? 2 * pause : 32;
	}
	return error;
}

void server_stats(const struct server *server, FILE *to)
{
	u64 messages = server->messages, redirected = server->redirected, passed = server->passed;
	u32 slot;

	for (slot = 0; slot < server->capacity; slot++) {
		if (server->connections[slot].fd < 0)
			continue;
		messages += server->states[slot].messages;
		redirected += server->states[slot].redirected;
		passed += server->states[slot].taken;
	}
	fprintf(to,
		"{\"accepted\":%llu,\"refused\":%llu,\"by_copy\":%llu,\"timeouts\":%llu,"
		"\"overruns\":%llu,\"messages\":%llu,\"bytes_bpf\":%llu,\"bytes_process\":%llu}\n",
		(unsigned long long)server->accepted, (unsigned long long)server->refused,
		(unsigned long long)server->by_copy, (unsigned long long)server->timeouts,
		(unsigned long long)server->overruns, (unsigned long long)messages,
		(unsigned long long)redirected, (unsigned long long)passed);
}

void server_free(struct server *server)
{
	u32 slot;

	for (slot = 0; slot < server->capacity; slot++) {
		if (server->connections[slot].fd >= 0)
			connection_close(server, &server->connections[slot]);
	}
	free(server->connections);
}
