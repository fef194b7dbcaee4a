// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "echo_bpf_server.h"

#include <bpf/bpf.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_SIZE (64 * 1024)
#define WIDEN_AFTER 500000000ull /* ns, as END_TIMEOUT */
#define WIDEN_MOST 8
#define END_TIMEOUT 60000000000ull /* ns: how long a peer that has ended may take no answers */

static u64 now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/*
 * Closing takes it out of the map of sockets, and on return no program runs on it: the slot is free
 * for another.
 */
void connection_close(struct server *server, struct connection *connection)
{
	const struct echo_state *state = &server->states[connection->slot];

	close(connection->fd);
	server->messages += state->messages;
	server->redirected += state->redirected;
	server->passed += state->taken;
	bpf_map_delete_elem(bpf_map__fd(server->bpf->maps.slots), &connection->cookie);
	list_del_init(&connection->busy);
	free(connection->buffer);
	connection->buffer = NULL;
	connection->fd = -1;
	connection->next = server->free;
	server->free = connection->slot;
}

void connection_look_after(struct server *server, struct connection *connection)
{
	if (list_empty(&connection->busy))
		list_add_tail(&connection->busy, &server->busy);
}

/*
 * Gives back up to `most` bytes by hand. 1: the peer has ended and has everything; 0: no more for
 * now; or an error, negative.
 */
static int pump(struct connection *connection, struct echo_state *state, u64 most)
{
	ssize_t done;

	if (!connection->buffer) {
		connection->buffer = malloc(BUFFER_SIZE);
		if (!connection->buffer)
			return -ENOMEM;
	}
	for (;;) {
		if (connection->head < connection->tail) {
			done = send(connection->fd, connection->buffer + connection->head,
				    connection->tail - connection->head,
				    MSG_DONTWAIT | MSG_NOSIGNAL);
			if (done < 0)
				return errno == EAGAIN ? 0 : -errno;
			connection->head += done;
			connection->sent += done;
			continue;
		}
		if (!most)
			return 0;
		done = recv(connection->fd, connection->buffer,
			    most < BUFFER_SIZE ? most : BUFFER_SIZE, MSG_DONTWAIT);
		if (done <= 0)
			return !done ? 1 : errno == EAGAIN ? 0 : -errno;
		__atomic_store_n(&state->taken, state->taken + done, __ATOMIC_RELEASE);
		most -= done;
		connection->head = 0;
		connection->tail = done;
	}
}

/*
 * Takes what the program left on the socket, behind the last byte that the program sent itself, and
 * opens the gate again once nothing is left. 0, or an error, negative.
 */
static int serve_shut(struct server *server, struct connection *connection,
		      const struct slick_bpf_progress *progress)
{
	struct echo_state *state = &server->states[connection->slot];
	u64 gate = __atomic_load_n(&state->gate, __ATOMIC_ACQUIRE);
	u64 left;
	int result;

	if (!(gate & SLICK_BPF_SHUT))
		return 0;
	if (state->overrun)
		return -ENOBUFS;
	if (progress->written != state->redirected + connection->sent)
		return 0;
	left = (gate & SLICK_BPF_BYTES) - state->taken;
	if (left > server->window)
		slick_bpf_room(connection->fd, SLICK_BPF_LEAST_ROOM);
	result = pump(connection, state, left);
	if (left > server->window)
		slick_bpf_room(connection->fd, connection->room);
	if (result < 0)
		return result;
	if (connection->head != connection->tail || state->taken != (gate & SLICK_BPF_BYTES))
		return 0;
	if (connection->widened) {
		connection->widened = 0;
		connection->room = server->window;
		slick_bpf_room(connection->fd, connection->room);
	}
	__atomic_compare_exchange_n(&state->gate, &gate, gate & SLICK_BPF_BYTES, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	return 0;
}

/* How long nothing has moved on a connection, in ns. */
static u64 still(struct server *server, struct connection *connection, u64 mark)
{
	u64 time = now();

	if (mark != connection->mark) {
		connection->mark = mark;
		connection->since = time;
		server->moved = true;
	}
	return time - connection->since;
}

/* Helps a connection that stands still. -ETIMEDOUT: its peer has ended and takes nothing. */
static int stand_still(struct server *server, struct connection *connection,
		       const struct slick_bpf_progress *progress)
{
	const struct echo_state *state = &server->states[connection->slot];
	u64 time =
		still(server, connection,
		      1 + progress->acked + progress->received + state->taken + connection->sent);
	u64 gate = __atomic_load_n(&state->gate, __ATOMIC_ACQUIRE);

	if (time > END_TIMEOUT && progress->ended) {
		server->timeouts++;
		return -ETIMEDOUT;
	}
	if (gate & SLICK_BPF_SHUT && connection->widened < WIDEN_MOST &&
	    time > (connection->widened + 1) * WIDEN_AFTER) {
		connection->widened++;
		connection->room = slick_bpf_wider(connection->fd,
						   (gate & SLICK_BPF_BYTES) - state->taken);
		slick_bpf_room(connection->fd, connection->room);
	}
	return 0;
}

void connection_serve(struct server *server, struct connection *connection)
{
	struct echo_state *state = &server->states[connection->slot];
	struct slick_bpf_progress progress;
	int result = slick_bpf_progress(connection->fd, &progress);

	if (!result)
		result = connection->copied ? pump(connection, state, UINT64_MAX)
					    : serve_shut(server, connection, &progress);
	if (result == -ENOBUFS) {
		server->overruns++;
		slick_bpf_reset(connection->fd);
	}
	if (result)
		goto end;
	/*
	 * What the peer sent before its FIN may still be on the way through the kernel: SIOCINQ
	 * would not tell.
	 */
	if (progress.ended && !connection->copied && progress.received == progress.written &&
	    progress.written == state->redirected + connection->sent)
		goto end;
	if (stand_still(server, connection, &progress))
		goto end;
	if (!progress.ended && !connection->copied &&
	    !(__atomic_load_n(&state->gate, __ATOMIC_ACQUIRE) & SLICK_BPF_SHUT))
		list_del_init(&connection->busy);
	return;
end:
	connection_close(server, connection);
}

/*
 * Into the map of sockets; a peer that has ended by now cannot get there any more and is served by
 * hand. 0, or an error, negative.
 */
static int give_to_bpf(struct server *server, struct connection *connection)
{
	u64 fd = connection->fd;
	socklen_t length = sizeof(connection->cookie);
	int error;

	if (getsockopt(connection->fd, SOL_SOCKET, SO_COOKIE, &connection->cookie, &length))
		return -errno;
	memset(&server->states[connection->slot], 0, sizeof(*server->states));
	/*
	 * The send queue has room for the window, so that nothing waits uncounted in front of it.
	 *
	 */
	connection->room = server->window;
	slick_bpf_buffers(connection->fd, connection->room, 2 * server->window);
	error = bpf_map_update_elem(bpf_map__fd(server->bpf->maps.slots), &connection->cookie,
				    &connection->slot, BPF_ANY);
	if (!error)
		error = slick_bpf_filter(connection->fd, server->bpf->progs.echo_brake);
	if (error)
		return error;
	error = bpf_map_update_elem(bpf_map__fd(server->bpf->maps.sockets), &connection->slot, &fd,
				    BPF_ANY);
	connection->copied = error == -EOPNOTSUPP;
	server->by_copy += connection->copied;
	if (connection->copied)
		return 0;
	if (!error)
		slick_bpf_kick(connection->fd);
	return error;
}

void connection_begin(struct server *server, int fd)
{
	struct connection *connection;
	u32 slot = server->free;

	if (slot == server->capacity) {
		server->refused++;
		close(fd);
		return;
	}
	server->accepted++;
	connection = &server->connections[slot];
	server->free = connection->next;
	*connection = (struct connection){ .fd = fd, .slot = slot };
	INIT_LIST_HEAD(&connection->busy);
	/* Edges: the program's own traffic is no news. The first look tells what was before. */
	if (give_to_bpf(server, connection) ||
	    slick_bpf_watch(server->epoll, fd, EPOLLIN | EPOLLRDHUP | EPOLLET, slot)) {
		connection_close(server, connection);
		return;
	}
	connection_look_after(server, connection);
}
