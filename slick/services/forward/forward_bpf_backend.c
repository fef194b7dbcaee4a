// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "forward_bpf_server.h"

#include <bpf/bpf.h>
#include <sys/epoll.h>
#include <unistd.h>

static struct backend_state *state_of(struct server *server, const struct backend *backend)
{
	return &server->backend_states[backend->slot];
}

struct backend *backend_find(struct server *server, s32 key)
{
	u32 slot;

	for (slot = 0; slot < FORWARD_BACKENDS; slot++) {
		struct backend *backend = &server->backends[slot];

		if ((backend->phase == BACKEND_UP || backend->phase == BACKEND_CONNECTING) &&
		    backend->key == key)
			return backend;
	}
	return NULL;
}

static void backend_end(struct server *server, struct backend *backend)
{
	bpf_map_delete_elem(bpf_map__fd(server->bpf->maps.backends), &backend->slot);
	close(backend->fd);
	slick_buf_free(&backend->out);
	backend->phase = BACKEND_FREE;
}

/* Bytes that the backend's kernel has not acknowledged. */
static u64 unacknowledged(struct server *server, const struct backend *backend)
{
	const struct backend_state *state = state_of(server, backend);
	struct slick_bpf_progress progress;
	u64 acked = 0;

	if (!slick_bpf_progress(backend->fd, &progress))
		acked = progress.acked - state->base;
	return state->redirected + state->sent + slick_buf_used(&backend->out) - acked;
}

/*
 * It went away by itself: whoever has sent to it is told, for nobody else knows what it has lost.
 *
 */
static void backend_died(struct server *server, struct backend *backend)
{
	u64 bit = 1ull << backend->slot;
	u32 slot;

	server->died++;
	bpf_map_delete_elem(bpf_map__fd(server->bpf->maps.routes), &backend->key);
	server->undelivered += unacknowledged(server, backend);
	backend_end(server, backend);
	for (slot = 0; slot < server->capacity; slot++) {
		struct sender *sender = &server->senders[slot];
		struct sender_state *state = &server->sender_states[slot];

		if (sender->fd < 0 || sender->commands || !((state->used | sender->used) & bit))
			continue;
		__atomic_fetch_and(&state->used, ~bit, __ATOMIC_ACQ_REL);
		sender->used &= ~bit;
		sender_failed(server, sender, backend->key,
			      "the backend has gone, and what it had not read is lost");
	}
}

static void answer_asker(struct server *server, struct backend *backend, const char *failure)
{
	if (backend->asker)
		command_answer(server, backend->asker, "connect", backend->sequence, failure);
	backend->asker = NULL;
}

static int backend_up(struct server *server, struct backend *backend)
{
	struct backend_state *state = state_of(server, backend);
	struct slick_bpf_progress progress;
	u64 fd = backend->fd;
	int error = slick_bpf_progress(backend->fd, &progress);

	if (error)
		return error;
	memset(state, 0, sizeof(*state));
	state->base = progress.acked;
	error = bpf_map_update_elem(bpf_map__fd(server->bpf->maps.backends), &backend->slot, &fd,
				    BPF_ANY);
	if (error)
		return error;
	return bpf_map_update_elem(bpf_map__fd(server->bpf->maps.routes), &backend->key,
				   &backend->slot, BPF_ANY);
}

static void connected(struct server *server, struct backend *backend)
{
	socklen_t length = sizeof(int);
	int error = 0;

	if (getsockopt(backend->fd, SOL_SOCKET, SO_ERROR, &error, &length))
		error = errno;
	error = error ? -error : backend_up(server, backend);
	answer_asker(server, backend, error ? why(error) : NULL);
	if (error)
		backend_end(server, backend);
	else
		backend->phase = BACKEND_UP;
}

/* What a backend says is not for anybody: it is read so that its end is seen. */
static bool discard(struct backend *backend)
{
	char bytes[4096];
	ssize_t got;

	do {
		got = recv(backend->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	} while (got > 0);
	return got < 0 && errno == EAGAIN;
}

static void backend_event(struct server *server, struct source *source, u32 events)
{
	struct backend *backend = container_of(source, struct backend, source);

	if (backend->phase == BACKEND_CONNECTING) {
		if (events & (EPOLLOUT | EPOLLERR | EPOLLHUP))
			connected(server, backend);
	} else if (backend->phase == BACKEND_UP) {
		if (!discard(backend))
			backend_died(server, backend);
	}
}

int backend_connect(struct server *server, s32 key, const struct sockaddr_storage *address,
		    int length, struct sender *asker, s32 sequence)
{
	struct backend *backend = server->backends;
	int fd, error;

	if (backend_find(server, key))
		return -EEXIST;
	while (backend < server->backends + FORWARD_BACKENDS && backend->phase != BACKEND_FREE)
		backend++;
	if (backend == server->backends + FORWARD_BACKENDS)
		return -ENOSPC;
	fd = slick_bpf_connect(address, length, OUT_HIGH);
	if (fd < 0)
		return fd;
	*backend = (struct backend){
		.source.event = backend_event, .phase = BACKEND_CONNECTING, .fd = fd, .key = key
	};
	backend->slot = backend - server->backends;
	backend->asker = asker;
	backend->sequence = sequence;
	backend->since = now();
	error = slick_buf_init(&backend->out, 0,
			       OUT_HIGH + server->limits.max_frame + SLICK_THRIFT_FRAME_HEADER);
	if (!error)
		error = slick_bpf_watch(server->epoll, fd,
					EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
					(uintptr_t)&backend->source);
	if (error)
		backend_end(server, backend);
	return error;
}

void backend_disconnect(struct server *server, struct backend *backend)
{
	bpf_map_delete_elem(bpf_map__fd(server->bpf->maps.routes), &backend->key);
	if (backend->phase == BACKEND_CONNECTING) {
		answer_asker(server, backend, "it was disconnected before it answered");
		backend_end(server, backend);
		return;
	}
	__atomic_store_n(&state_of(server, backend)->shut, 1, __ATOMIC_SEQ_CST);
	backend->phase = BACKEND_DRAINING;
	backend->since = now();
}

/* Shuts it for the programs; true once all that they redirected lies in the send queue. */
static bool make_mine(struct server *server, struct backend *backend)
{
	struct backend_state *state = state_of(server, backend);
	struct slick_bpf_progress progress;

	if (backend->mine)
		return true;
	__atomic_store_n(&state->shut, 1, __ATOMIC_SEQ_CST);
	if (slick_bpf_progress(backend->fd, &progress))
		return false;
	backend->mine = progress.written - state->base ==
			__atomic_load_n(&state->redirected, __ATOMIC_SEQ_CST) + state->sent;
	return backend->mine;
}

/* 0: all of it; -EAGAIN: some waits; another error: it is dead. */
static int flush(struct server *server, struct backend *backend)
{
	struct backend_state *state = state_of(server, backend);
	size_t waiting;
	ssize_t done;

	while ((waiting = slick_buf_used(&backend->out))) {
		done = send(backend->fd, slick_buf_peek(&backend->out), waiting,
			    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (done < 0)
			return -errno;
		slick_buf_discard(&backend->out, done);
		state->sent += done;
		server->moved = true;
	}
	return 0;
}

int backend_give(struct server *server, struct backend *backend, const u8 *frame, size_t length)
{
	if (backend->phase != BACKEND_UP || !make_mine(server, backend))
		return -EAGAIN;
	if (slick_buf_used(&backend->out) >= OUT_HIGH)
		return -EAGAIN;
	return slick_buf_append(&backend->out, frame, length);
}

static void drain(struct server *server, struct backend *backend)
{
	if (unacknowledged(server, backend) && now() - backend->since < DRAIN_PATIENCE)
		return;
	server->undelivered += unacknowledged(server, backend);
	backend_end(server, backend);
}

static void backend_serve(struct server *server, struct backend *backend)
{
	struct backend_state *state = state_of(server, backend);
	int error = 0;

	if (backend->phase == BACKEND_CONNECTING) {
		if (now() - backend->since > CONNECT_PATIENCE) {
			answer_asker(server, backend, why(-ETIMEDOUT));
			backend_end(server, backend);
		}
		return;
	}
	if (state->shut && make_mine(server, backend))
		error = flush(server, backend);
	if (backend->phase == BACKEND_DRAINING) {
		drain(server, backend);
	} else if (error && error != -EAGAIN) {
		backend_died(server, backend);
	} else if (!error && backend->mine) {
		backend->mine = false;
		__atomic_store_n(&state->shut, 0, __ATOMIC_SEQ_CST);
	}
}

void backends_serve(struct server *server)
{
	u32 slot;

	for (slot = 0; slot < FORWARD_BACKENDS; slot++) {
		if (server->backends[slot].phase != BACKEND_FREE)
			backend_serve(server, &server->backends[slot]);
	}
}

bool backends_busy(const struct server *server)
{
	const struct backend *backend = server->backends;

	for (; backend < server->backends + FORWARD_BACKENDS; backend++) {
		if (backend->phase == BACKEND_CONNECTING || backend->phase == BACKEND_DRAINING)
			return true;
		if (backend->phase == BACKEND_UP && server->backend_states[backend->slot].shut)
			return true;
	}
	return false;
}

void backends_forget(struct server *server, const struct sender *asker)
{
	u32 slot;

	for (slot = 0; slot < FORWARD_BACKENDS; slot++) {
		if (server->backends[slot].asker == asker)
			server->backends[slot].asker = NULL;
	}
}

void backends_free(struct server *server)
{
	u32 slot;

	for (slot = 0; slot < FORWARD_BACKENDS; slot++) {
		if (server->backends[slot].phase != BACKEND_FREE)
			backend_end(server, &server->backends[slot]);
	}
}
