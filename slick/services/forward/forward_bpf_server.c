// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "forward_bpf_server.h"

#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define EVENTS 64

u64 now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void accept_all(struct server *server, int listener, bool commands)
{
	int fd;

	while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
		sender_begin(server, fd, commands);
}

static void listener_event(struct server *server, struct source *source, u32 events)
{
	accept_all(server, server->listener_fd, false);
}

static void control_event(struct server *server, struct source *source, u32 events)
{
	accept_all(server, server->control_fd, true);
}

static void signals_event(struct server *server, struct source *source, u32 events)
{
	server->stopping = true;
}

int server_init(struct server *server, u32 capacity)
{
	u32 slot;

	INIT_LIST_HEAD(&server->busy);
	server->senders = calloc(capacity, sizeof(*server->senders));
	if (!server->senders)
		return -ENOMEM;
	server->capacity = capacity;
	for (slot = 0; slot < capacity; slot++) {
		server->senders[slot].fd = -1;
		server->senders[slot].slot = slot;
		server->senders[slot].next = slot + 1;
	}
	server->listener.event = listener_event;
	server->control.event = control_event;
	server->signals.event = signals_event;
	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (server->epoll < 0)
		return -errno;
	server->signals_fd = slick_bpf_signals();
	return server->signals_fd < 0 ? server->signals_fd : 0;
}

static int watch_all(struct server *server)
{
	int error = slick_bpf_watch(server->epoll, server->listener_fd, EPOLLIN,
				    (uintptr_t)&server->listener);

	if (!error)
		error = slick_bpf_watch(server->epoll, server->control_fd, EPOLLIN,
					(uintptr_t)&server->control);
	if (!error)
		error = slick_bpf_watch(server->epoll, server->signals_fd, EPOLLIN,
					(uintptr_t)&server->signals);
	return error;
}

int server_run(struct server *server)
{
	struct epoll_event events[EVENTS];
	struct sender *sender, *after;
	int error = watch_all(server), count, at, pause = 1;

	while (!error && !server->stopping) {
		count = epoll_wait(server->epoll, events, EVENTS,
				   list_empty(&server->busy) && !backends_busy(server) ? -1
										       : pause);
		if (count < 0 && errno != EINTR)
			return -errno;
		for (at = 0; at < count; at++) {
			struct source *source = (struct source *)(uintptr_t)events[at].data.u64;

			source->event(server, source, events[at].events);
		}
		server->moved = false;
		list_for_each_entry_safe(sender, after, &server->busy, busy)
			sender_serve(server, sender);
		backends_serve(server);
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
	u64 messages = server->redirected_messages, bytes = server->redirected,
	    taken = server->taken;
	u32 slot;

	for (slot = 0; slot < server->capacity; slot++) {
		if (server->senders[slot].fd < 0)
			continue;
		messages += server->sender_states[slot].messages;
		bytes += server->sender_states[slot].redirected;
		taken += server->sender_states[slot].taken;
	}
	fprintf(to,
		"{\"messages_bpf\":%llu,\"messages_process\":%llu,\"bytes_bpf\":%llu,\"bytes_process\":%llu,"
		"\"unknown\":%llu,\"malformed\":%llu,\"half\":%llu,\"died\":%llu,\"undelivered\":%llu,"
		"\"overruns\":%llu,\"refused\":%llu,\"lost_answers\":%llu}\n",
		(unsigned long long)messages, (unsigned long long)server->forwarded,
		(unsigned long long)bytes, (unsigned long long)taken,
		(unsigned long long)server->unknown, (unsigned long long)server->malformed,
		(unsigned long long)server->half, (unsigned long long)server->died,
		(unsigned long long)server->undelivered, (unsigned long long)server->overruns,
		(unsigned long long)server->refused, (unsigned long long)server->lost_answers);
}

void server_free(struct server *server)
{
	u32 slot;

	for (slot = 0; slot < server->capacity; slot++) {
		if (server->senders[slot].fd >= 0)
			sender_close(server, &server->senders[slot]);
	}
	if (server->bpf)
		backends_free(server);
	free(server->senders);
}
