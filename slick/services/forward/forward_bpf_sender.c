// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "forward_bpf_server.h"

#include <bpf/bpf.h>
#include <sys/epoll.h>
#include <unistd.h>

#define READ_MOST (64 * 1024)
#define ANSWERS_MOST (64 * 1024)

void sender_look_after(struct server *server, struct sender *sender)
{
	if (list_empty(&sender->busy))
		list_add_tail(&sender->busy, &server->busy);
}

void sender_close(struct server *server, struct sender *sender)
{
	const struct sender_state *state = sender_state(server, sender);

	backends_forget(server, sender);
	close(sender->fd);
	server->redirected += state->redirected;
	server->redirected_messages += state->messages;
	server->taken += state->taken;
	bpf_map_delete_elem(bpf_map__fd(server->bpf->maps.slots), &sender->cookie);
	list_del_init(&sender->busy);
	slick_buf_free(&sender->in);
	slick_buf_free(&sender->out);
	sender->fd = -1;
	sender->next = server->free;
	server->free = sender->slot;
}

static void answers_flush(struct sender *sender)
{
	size_t waiting;
	ssize_t done;

	while ((waiting = slick_buf_used(&sender->out))) {
		done = send(sender->fd, slick_buf_peek(&sender->out), waiting,
			    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (done < 0) {
			sender->dead = errno != EAGAIN;
			return;
		}
		slick_buf_discard(&sender->out, done);
	}
}

void sender_write(struct server *server, struct sender *sender, const void *bytes, size_t length)
{
	/* Who does not read what it is told loses it; it stays counted. */
	if (slick_buf_append(&sender->out, bytes, length))
		server->lost_answers++;
	answers_flush(sender);
	sender_look_after(server, sender);
}

void sender_failed(struct server *server, struct sender *sender, s32 key, const char *reason)
{
	u8 frame[PROTOCOL_FRAME_MOST];
	s64 length = protocol_failed(frame, key, reason);

	if (length > 0)
		sender_write(server, sender, frame, length);
}

/*
 * The key of oneway msg(1: i32 key, 2: string payload), however it is written. Who leaves out the
 * payload has written it too: in Thrift a field may be missing.
 */
static int key_of(const struct slick_thrift_msg *msg, s32 *key)
{
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	bool found = false;
	int more;

	if (msg->kind != SLICK_THRIFT_ONEWAY || !slick_thrift_is(msg, "msg"))
		return -EPROTO;
	slick_thrift_fields(msg, &iter);
	while ((more = slick_thrift_next(&iter, &field)) > 0) {
		if (field.id == 1 && field.type == SLICK_THRIFT_I32) {
			*key = slick_thrift_i32(&field);
			found = true;
		}
	}
	return more < 0 ? more : found ? 0 : -EPROTO;
}

/* 0: it is done with; -EAGAIN: its backend has no room; another error: it is no message. */
static int take_message(struct server *server, struct sender *sender,
			const struct slick_thrift_msg *msg)
{
	struct backend *backend;
	s32 key = NO_KEY;
	int error = key_of(msg, &key);

	if (error)
		return error;
	/* Who does not read what he is told is not asked for more. */
	if (slick_buf_used(&sender->out) > ANSWERS_MOST / 2)
		return -EAGAIN;
	backend = backend_find(server, key);
	if (!backend || backend->phase != BACKEND_UP) {
		server->unknown++;
		sender_failed(server, sender, key, "no backend has this key");
		return 0;
	}
	error = backend_give(server, backend, msg->frame, msg->frame_length);
	if (error)
		return -EAGAIN;
	sender->used |= 1ull << backend->slot;
	server->forwarded++;
	return 0;
}

static void give_up(struct server *server, struct sender *sender, int error)
{
	server->malformed++;
	sender_failed(server, sender, NO_KEY,
		      error == -EMSGSIZE ? "the frame is too long"
					 : "that is no oneway msg(1: i32 key, 2: string payload)");
	sender->closing = true;
}

/* Takes the whole messages in the buffer. False: one of them has to wait, or nothing more comes. */
static bool take_messages(struct server *server, struct sender *sender)
{
	struct slick_thrift_msg msg;
	int result;

	for (;;) {
		result = slick_thrift_parse(slick_buf_peek(&sender->in),
					    slick_buf_used(&sender->in), &server->limits, &msg);
		if (!result)
			return true;
		if (result > 0)
			result = sender->commands ? command_take(server, sender, &msg)
						  : take_message(server, sender, &msg);
		else if (sender->commands)
			sender->closing = true;
		if (result == -EAGAIN)
			return false;
		if (result < 0) {
			give_up(server, sender, result);
			return false;
		}
		slick_buf_discard(&sender->in, msg.frame_length);
		server->moved = true;
	}
}

/* Up to `most` bytes. 1: the peer has ended; 0; or an error, negative. */
static int read_some(struct server *server, struct sender *sender, u64 most)
{
	struct sender_state *state = sender_state(server, sender);
	size_t length;
	ssize_t got;
	u8 *bytes;

	while (take_messages(server, sender) && most) {
		length = slick_buf_room(&sender->in);
		length = length > READ_MOST ? READ_MOST : length;
		length = length > most ? most : length;
		bytes = slick_buf_reserve(&sender->in, length);
		if (!bytes)
			return -ENOMEM;
		got = recv(sender->fd, bytes, length, MSG_DONTWAIT);
		if (got <= 0)
			return !got ? 1 : errno == EAGAIN ? 0 : -errno;
		slick_buf_commit(&sender->in, got);
		__atomic_store_n(&state->taken, state->taken + got, __ATOMIC_RELEASE);
		most -= got;
	}
	return 0;
}

static int serve_shut(struct server *server, struct sender *sender)
{
	struct sender_state *state = sender_state(server, sender);
	u64 gate = __atomic_load_n(&state->gate, __ATOMIC_ACQUIRE);
	u64 left;
	int result;

	if (!(gate & SLICK_BPF_SHUT))
		return 0;
	if (state->overrun) {
		server->overruns++;
		slick_bpf_reset(sender->fd);
		return -ENOBUFS;
	}
	left = (gate & SLICK_BPF_BYTES) - state->taken;
	if (left > SENDER_WINDOW)
		slick_bpf_room(sender->fd, SLICK_BPF_LEAST_ROOM);
	result = read_some(server, sender, left);
	if (left > SENDER_WINDOW)
		slick_bpf_room(sender->fd, sender->room);
	if (result < 0)
		return result;
	if (slick_buf_used(&sender->in) || state->taken != (gate & SLICK_BPF_BYTES))
		return 0;
	if (sender->widened) {
		sender->widened = 0;
		sender->room = SENDER_WINDOW;
		slick_bpf_room(sender->fd, sender->room);
	}
	__atomic_compare_exchange_n(&state->gate, &gate, gate & SLICK_BPF_BYTES, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	return 0;
}

void sender_serve(struct server *server, struct sender *sender)
{
	struct slick_bpf_progress progress;
	u64 time;
	int result = slick_bpf_progress(sender->fd, &progress);

	answers_flush(sender);
	if (!result && !sender->closing)
		result = sender->commands || sender->copied ? read_some(server, sender, UINT64_MAX)
							    : serve_shut(server, sender);
	if (result < 0 || sender->dead)
		goto end;
	time = sender_still(server, sender, &progress);
	if (sender->closing) {
		if (sender_linger(sender, &progress, time))
			goto end;
		return;
	}
	if (progress.ended || result == 1) {
		if (sender_finished(server, sender, &progress, time))
			goto end;
		return;
	}
	if (!slick_buf_used(&sender->out) &&
	    (sender->commands || sender->copied ||
	     !(__atomic_load_n(&sender_state(server, sender)->gate, __ATOMIC_ACQUIRE) &
	       SLICK_BPF_SHUT)))
		list_del_init(&sender->busy);
	return;
end:
	sender_close(server, sender);
}

static void sender_event(struct server *server, struct source *source, u32 events)
{
	struct sender *sender = container_of(source, struct sender, source);

	if (sender->fd >= 0)
		sender_look_after(server, sender);
}

static int give_to_bpf(struct server *server, struct sender *sender)
{
	socklen_t length = sizeof(sender->cookie);
	u64 fd = sender->fd;
	int error;

	memset(sender_state(server, sender), 0, sizeof(struct sender_state));
	if (sender->commands)
		return 0;
	if (getsockopt(sender->fd, SOL_SOCKET, SO_COOKIE, &sender->cookie, &length))
		return -errno;
	sender->room = SENDER_WINDOW;
	slick_bpf_buffers(sender->fd, sender->room, SENDER_WINDOW);
	error = bpf_map_update_elem(bpf_map__fd(server->bpf->maps.slots), &sender->cookie,
				    &sender->slot, BPF_ANY);
	if (!error)
		error = slick_bpf_filter(sender->fd, server->bpf->progs.forward_brake);
	if (error)
		return error;
	error = bpf_map_update_elem(bpf_map__fd(server->bpf->maps.senders), &sender->slot, &fd,
				    BPF_ANY);
	sender->copied = error == -EOPNOTSUPP;
	if (sender->copied)
		return 0;
	if (!error)
		slick_bpf_kick(sender->fd);
	return error;
}

void sender_begin(struct server *server, int fd, bool commands)
{
	u32 slot = server->free;
	struct sender *sender;

	if (slot == server->capacity) {
		server->refused++;
		close(fd);
		return;
	}
	sender = &server->senders[slot];
	server->free = sender->next;
	*sender = (struct sender){
		.source.event = sender_event, .fd = fd, .slot = slot, .commands = commands
	};
	INIT_LIST_HEAD(&sender->busy);
	if (slick_buf_init(&sender->in, 0,
			   server->limits.max_frame + SLICK_THRIFT_FRAME_HEADER + READ_MOST) ||
	    slick_buf_init(&sender->out, 0, ANSWERS_MOST) || give_to_bpf(server, sender) ||
	    slick_bpf_watch(server->epoll, fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
			    (uintptr_t)&sender->source)) {
		sender_close(server, sender);
		return;
	}
	sender_look_after(server, sender);
}
