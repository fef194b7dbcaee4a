// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#ifdef SLICK_WITH_URING

#include "uring.h"

#include <fcntl.h>
#include <unistd.h>

#define SUBMISSIONS 256
#define COMPLETIONS 4096
#define BUFFER_BYTES (64 * 1024)
#define ALL_BYTES (4 * 1024 * 1024)
#define LEAST_BUFFERS 64	/* where their number is not given */
#define USUAL_BUFFERS 4096	/* likewise, at most */
#define MOST_BUFFERS 32768

/*
 * Completions are made only when this thread asks for them, not by interrupting it: Linux 6.1.
 * Before that, and where a newer kernel is told not to, they are made at the next system call.
 * Older kernels than 6.0 have no multishot receive.
 */
static int ring_create(struct io_uring *ring)
{
	static const unsigned int modes[] = {
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN,
	};
	struct io_uring_params params;
	int error = -ENOSYS;
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		memset(&params, 0, sizeof(params));
		params.flags = modes[i] | IORING_SETUP_CQSIZE;
		params.cq_entries = COMPLETIONS;
		error = io_uring_queue_init_params(SUBMISSIONS, ring, &params);
		if (error != -EINVAL)
			break;
	}
	return error == -EINVAL ? -ENOSYS : error;
}

static u32 buffers_for(u32 bytes)
{
	u32 number = USUAL_BUFFERS;

	while (number > LEAST_BUFFERS && (u64)number * bytes > ALL_BYTES)
		number /= 2;
	return number;
}

static int uring_open(struct slick_loop *loop)
{
	struct uring_backend *backend = calloc(1, sizeof(*backend));
	int error;

	if (!backend)
		return -ENOMEM;
	error = ring_create(&backend->ring);
	if (error) {
		free(backend);
		return error;
	}
	/* Saves looking the ring up at each call; it works without as well. */
	io_uring_register_ring_fd(&backend->ring);
	backend->buffers.bytes = BUFFER_BYTES;
	backend->buffers.number = buffers_for(BUFFER_BYTES);
	INIT_LIST_HEAD(&backend->starved);
	loop->backend = backend;
	return 0;
}

static void uring_close(struct slick_loop *loop)
{
	struct uring_backend *backend = loop->backend;

	io_uring_queue_exit(&backend->ring);
	uring_buffers_free(backend);
	free(backend);
}

int slick_user_loop_buffers(struct slick_loop *loop, u32 bytes, u32 number)
{
	struct uring_backend *backend = loop->backend;

	if (loop->ops != &slick_uring_ops)
		return 0;
	if (backend->buffers.ring)
		return -EBUSY;
	if (number > MOST_BUFFERS || (number & (number - 1)) || bytes > INT32_MAX)
		return -EINVAL;
	if (bytes)
		backend->buffers.bytes = bytes;
	backend->buffers.number = number ? number : buffers_for(backend->buffers.bytes);
	return 0;
}

/*
 * A request on a socket that does not block would fail where it should wait. The transport's calls
 * do not wait anyway.
 */
static int sock_blocks(struct uring_ev *own, bool blocks)
{
	int flags = fcntl(own->ev.sock, F_GETFL);

	if (flags < 0 || fcntl(own->ev.sock, F_SETFL,
			       blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK))
		return -errno;
	return flags & O_NONBLOCK ? 1 : 0;
}

static int uring_add(struct slick_ev *ev)
{
	struct uring_ev *own = uring_of(ev);
	int error = uring_buffers_register(uring_backend(ev));
	int nonblock;

	if (error)
		return error;
	own->first = NO_BUFFER;
	INIT_LIST_HEAD(&own->starved_in);
	slick_buf_init(&own->spill, 0, SIZE_MAX / 4);
	nonblock = sock_blocks(own, true);
	if (nonblock < 0)
		return nonblock;
	own->nonblock = nonblock;
	uring_arm(ev);
	return 0;
}

static u32 holding(struct uring_ev *own)
{
	u32 what = 0;

	if (own->ev.listener)
		return own->accepted.head != own->accepted.tail ? SLICK_READ : 0;
	if (uring_holds(own) || own->eof || own->error)
		what |= SLICK_READ;
	if (own->eof)
		what |= SLICK_EOF;
	if (own->error)
		what |= SLICK_ERROR;
	return what;
}

/*
 * What the ring has delivered raises no event any more: as long as it is wanted, it has to be told
 * from here.
 */
static void uring_called(struct slick_ev *ev)
{
	u32 what = ev->wanted & SLICK_READ ? holding(uring_of(ev)) : 0;

	if (what)
		slick_ev_happened(ev, what);
}

static void uring_update(struct slick_ev *ev)
{
	uring_arm(ev);
	uring_called(ev);
}

/* Ends when the ring has let go: a cancelled request always completes. */
static void uring_remove(struct slick_ev *ev)
{
	struct uring_backend *backend = uring_backend(ev);
	struct uring_ev *own = uring_of(ev);

	list_del_init(&own->starved_in);
	while (own->requests) {
		uring_cancel(ev);
		io_uring_submit_and_wait(&backend->ring, 1);
		uring_reap(ev->loop);
	}
	list_del_init(&own->starved_in);
	uring_drop(own);
	while (own->accepted.head != own->accepted.tail)
		close(own->accepted.socks[own->accepted.head++]);
	free(own->accepted.socks);
	if (own->nonblock)
		sock_blocks(own, false);
}

static void feed_starved(struct uring_backend *backend)
{
	struct uring_ev *own;

	while (!list_empty(&backend->starved) && backend->buffers.held < backend->buffers.number) {
		own = list_first_entry(&backend->starved, struct uring_ev, starved_in);
		list_del_init(&own->starved_in);
		uring_arm(&own->ev);
	}
}

static int uring_wait(struct slick_loop *loop, int milliseconds)
{
	struct uring_backend *backend = loop->backend;
	struct __kernel_timespec limit = {
		.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000ll,
	};
	struct io_uring_cqe *cqe;
	int error;

	uring_buffers_publish(&backend->buffers);
	feed_starved(backend);
	uring_watch_wake(loop);
	if (milliseconds)
		error = io_uring_submit_and_wait_timeout(&backend->ring, &cqe, 1,
							 milliseconds < 0 ? NULL : &limit, NULL);
	else
		error = io_uring_submit_and_get_events(&backend->ring);
	uring_reap(loop);
	/* -EBUSY: completions had to be taken first, which was done. */
	if (error < 0 && error != -ETIME && error != -EINTR && error != -EBUSY && error != -EAGAIN)
		return error;
	return 0;
}

static int uring_accept(struct slick_ev *ev)
{
	struct uring_accepted *queue = &uring_of(ev)->accepted;
	int error = uring_of(ev)->pending;

	if (queue->head != queue->tail)
		return queue->socks[queue->head++];
	queue->head = 0;
	queue->tail = 0;
	uring_of(ev)->pending = 0;
	return error ? error : -EAGAIN;
}

static ssize_t uring_recv(struct slick_ev *ev, void *bytes, size_t length)
{
	struct uring_ev *own = uring_of(ev);
	size_t taken = uring_take(own, bytes, length);

	if (taken)
		return (ssize_t)taken;
	if (own->error)
		return own->error;
	return own->eof ? 0 : -EAGAIN;
}

static int uring_error(struct slick_ev *ev)
{
	int error = uring_of(ev)->pending;

	uring_of(ev)->pending = 0;
	return error ? error : slick_sock_error(ev);
}

const struct slick_backend_ops slick_uring_ops = {
	.open = uring_open,
	.close = uring_close,
	.ev_size = sizeof(struct uring_ev),
	.add = uring_add,
	.update = uring_update,
	.remove = uring_remove,
	.wait = uring_wait,
	.called = uring_called,
	.accept = uring_accept,
	.recv = uring_recv,
	.error = uring_error,
};

#else

#include "loop.h"

int slick_user_loop_buffers(struct slick_loop *loop, u32 bytes, u32 number)
{
	(void)loop;
	(void)bytes;
	return number & (number - 1) ? -EINVAL : 0;
}

#endif
