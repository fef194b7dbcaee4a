// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#ifdef SLICK_WITH_URING

#define _GNU_SOURCE /* POLLRDHUP */
#include "uring.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a completion is of: the event's address, and in its low bits which of its requests. */
#define RECEIVE 0u
#define POLL 1u
#define KIND 7u
#define WAKE 2ull	/* no event */
#define NOBODY 4ull	/* a cancellation: what it ends has a completion of its own */

static u64 tag(const struct slick_ev *ev, u64 kind)
{
	return (u64)(uintptr_t)ev | kind;
}

struct io_uring_sqe *uring_sqe(struct uring_backend *backend)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&backend->ring);

	while (!sqe) {
		io_uring_submit(&backend->ring);
		sqe = io_uring_get_sqe(&backend->ring);
	}
	return sqe;
}

static void receive(struct slick_ev *ev)
{
	struct io_uring_sqe *sqe = uring_sqe(uring_backend(ev));

	if (ev->listener) {
		io_uring_prep_multishot_accept(sqe, ev->sock, NULL, NULL, SOCK_CLOEXEC);
	} else {
		io_uring_prep_recv_multishot(sqe, ev->sock, NULL, 0, 0);
		sqe->flags |= IOSQE_BUFFER_SELECT;
		sqe->buf_group = 0;
	}
	io_uring_sqe_set_data64(sqe, tag(ev, RECEIVE));
	uring_of(ev)->receiving = true;
	uring_of(ev)->requests++;
}

/*
 * The ring tells of the peer's end whether it is asked to or not, so that a poll behind it would
 * complete at once, for ever. One that stays completes only when something changes.
 */
static void poll_for(struct slick_ev *ev, u32 mask)
{
	struct io_uring_sqe *sqe = uring_sqe(uring_backend(ev));

	if (ev->eof_told)
		io_uring_prep_poll_multishot(sqe, ev->sock, mask);
	else
		io_uring_prep_poll_add(sqe, ev->sock, mask);
	io_uring_sqe_set_data64(sqe, tag(ev, POLL));
	uring_of(ev)->polling = true;
	uring_of(ev)->polled = mask;
	uring_of(ev)->requests++;
}

static void cancel(struct slick_ev *ev, u64 kind)
{
	struct io_uring_sqe *sqe = uring_sqe(uring_backend(ev));

	io_uring_prep_cancel64(sqe, tag(ev, kind), 0);
	io_uring_sqe_set_data64(sqe, NOBODY);
}

static void cancel_receive(struct slick_ev *ev)
{
	if (uring_of(ev)->receiving && !uring_of(ev)->receive_ending) {
		uring_of(ev)->receive_ending = true;
		cancel(ev, RECEIVE);
	}
}

static void cancel_poll(struct slick_ev *ev)
{
	if (uring_of(ev)->polling && !uring_of(ev)->poll_ending) {
		uring_of(ev)->poll_ending = true;
		cancel(ev, POLL);
	}
}

void uring_cancel(struct slick_ev *ev)
{
	cancel_receive(ev);
	cancel_poll(ev);
}

/*
 * Brings the ring's requests in line with what is wanted. A pause ends the receive only once bytes
 * came that nobody took: short pauses, which are most, then cost nothing, and what a paused socket
 * holds has an end all the same.
 */
void uring_arm(struct slick_ev *ev)
{
	struct uring_ev *own = uring_of(ev);
	bool reading = (ev->wanted & SLICK_READ) && !own->eof && !own->error;
	u32 mask = ev->wanted & SLICK_WRITE ? POLLOUT : 0;

	if (reading && !own->receiving && list_empty(&own->starved_in))
		receive(ev);
	else if (!reading && (ev->listener || uring_holds(own)))
		cancel_receive(ev);
	if (!ev->listener && !reading && !own->receiving &&
	    !(own->eof || own->error || ev->eof_told || ev->error_told))
		mask |= POLLRDHUP;
	if (!mask || (own->polling && (own->polled & mask) == mask))
		return;
	if (own->polling)
		cancel_poll(ev);
	else
		poll_for(ev, mask);
}

static void accepted(struct uring_ev *own, int sock)
{
	struct uring_accepted *queue = &own->accepted;
	u32 size = queue->size ? queue->size * 2 : 64;
	int *socks;

	if (queue->tail == queue->size) {
		socks = realloc(queue->socks, size * sizeof(*socks));
		if (!socks) {
			close(sock);
			own->ev.loop->counts.refused++;
			return;
		}
		queue->socks = socks;
		queue->size = size;
	}
	queue->socks[queue->tail++] = sock;
}

/*
 * Others hold the buffers. Those who are paused may do so for long, so they have to give them up.
 */
static void starved(struct uring_ev *own)
{
	struct slick_loop *loop = own->ev.loop;
	struct uring_backend *backend = loop->backend;
	struct slick_ev *other;

	loop->counts.starved++;
	if (list_empty(&own->starved_in) && !own->ev.dead)
		list_add_tail(&own->starved_in, &backend->starved);
	list_for_each_entry(other, &loop->events, all) {
		if (!(other->wanted & SLICK_READ))
			uring_spill(uring_of(other));
	}
}

static void received(struct uring_ev *own, const struct io_uring_cqe *cqe)
{
	struct uring_buffers *buffers = &uring_backend(&own->ev)->buffers;
	u32 id = cqe->flags >> IORING_CQE_BUFFER_SHIFT;

	if (cqe->flags & IORING_CQE_F_BUFFER) {
		buffers->held++;
		if (cqe->res > 0 && !own->ev.dead)
			uring_hold(own, id, (u32)cqe->res);
		else
			uring_buffer_return(buffers, id);
	}
	if (cqe->res > 0) {
		slick_ev_happened(&own->ev, SLICK_READ);
		if (!(own->ev.wanted & SLICK_READ))
			slick_ev_changed(&own->ev);
	} else if (cqe->res == 0) {
		own->eof = true;
		slick_ev_happened(&own->ev, SLICK_READ | SLICK_EOF);
	} else if (cqe->res == -ENOBUFS) {
		starved(own);
	} else if (cqe->res != -ECANCELED && cqe->res != -EINTR && cqe->res != -EAGAIN) {
		own->error = cqe->res;
		own->pending = cqe->res;
		slick_ev_happened(&own->ev, SLICK_READ | SLICK_ERROR);
	}
}

static void listened(struct uring_ev *own, int result)
{
	if (result >= 0)
		accepted(own, result);
	else if (result != -ECANCELED)
		own->pending = result;
	slick_ev_happened(&own->ev, SLICK_READ);
}

static u32 meaning(const struct slick_ev *ev, int result)
{
	u32 what = 0;

	if (result < 0)
		return 0;
	if (result & POLLOUT)
		what |= SLICK_WRITE;
	if ((result & (POLLRDHUP | POLLHUP)) && !ev->eof_told)
		what |= SLICK_EOF;
	if (result & POLLERR)
		what |= SLICK_ERROR;
	return what;
}

static void polled(struct uring_ev *own, const struct io_uring_cqe *cqe)
{
	u32 what = meaning(&own->ev, cqe->res);

	if (!(cqe->flags & IORING_CQE_F_MORE)) {
		own->polling = false;
		own->poll_ending = false;
		own->requests--;
		slick_ev_changed(&own->ev);
	} else if (what) {
		/* It does not tell again what still holds; a new one does. */
		cancel_poll(&own->ev);
	}
	if (what)
		slick_ev_happened(&own->ev, what);
}

static void completed(struct slick_loop *loop, const struct io_uring_cqe *cqe)
{
	struct uring_backend *backend = loop->backend;
	struct slick_ev *ev = (struct slick_ev *)(uintptr_t)(cqe->user_data & ~(u64)KIND);

	if (!ev) {
		if (cqe->user_data == WAKE)
			backend->waking = false;
		return;
	}
	if ((cqe->user_data & KIND) == POLL) {
		polled(uring_of(ev), cqe);
		return;
	}
	if (ev->listener)
		listened(uring_of(ev), cqe->res);
	else
		received(uring_of(ev), cqe);
	if (!(cqe->flags & IORING_CQE_F_MORE)) {
		uring_of(ev)->receiving = false;
		uring_of(ev)->receive_ending = false;
		uring_of(ev)->requests--;
		slick_ev_changed(ev);
	}
}

void uring_reap(struct slick_loop *loop)
{
	struct uring_backend *backend = loop->backend;
	struct io_uring_cqe *cqe;
	unsigned int head, number = 0;

	io_uring_for_each_cqe(&backend->ring, head, cqe) {
		completed(loop, cqe);
		number++;
	}
	io_uring_cq_advance(&backend->ring, number);
}

void uring_watch_wake(struct slick_loop *loop)
{
	struct uring_backend *backend = loop->backend;
	struct io_uring_sqe *sqe;

	if (backend->waking)
		return;
	sqe = uring_sqe(backend);
	io_uring_prep_poll_add(sqe, loop->wake, POLLIN);
	io_uring_sqe_set_data64(sqe, WAKE);
	backend->waking = true;
}

#endif
