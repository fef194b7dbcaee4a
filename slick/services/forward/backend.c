// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

/* Shorter frames are copied: a piece of its own costs more than they do. */
#define LEND_LEAST 256

static struct list_head *bucket_of(struct slick_forward *forward, s32 key)
{
	/* Fibonacci hashing: keys that follow each other, or are multiples of something, spread. */
	return &forward->buckets[((u32)key * 2654435769u >> 16) % FORWARD_BUCKETS];
}

static struct forward_backend *find_in(struct list_head *list, s32 key)
{
	struct forward_backend *backend;

	list_for_each_entry(backend, list, bucket) {
		if (backend->key == key)
			return backend;
	}
	return NULL;
}

struct forward_backend *backend_find(const struct slick_forward *forward, s32 key)
{
	return find_in(bucket_of((struct slick_forward *)forward, key), key);
}

static void forget_waiting(struct forward_backend *backend, bool wake)
{
	struct forward_sender *sender, *after;

	list_for_each_entry_safe(sender, after, &backend->waiting, waiting) {
		list_del_init(&sender->waiting);
		if (!wake)
			continue;
		slick_bs_pause(&sender->ts.bs, false);
		slick_ev_kick(sender->ev);
	}
}

static void backend_mark(struct slick_bs *bs, bool full, void *data)
{
	if (!full)
		forget_waiting(data, true);
}

void backend_wait(struct forward_backend *backend, struct forward_sender *sender)
{
	backend->forward->stats.stalls++;
	slick_bs_pause(&sender->ts.bs, true);
	list_add_tail(&sender->waiting, &backend->waiting);
}

/* From here on no message finds it. */
static void leave_the_table(struct forward_backend *backend)
{
	if (backend->state == BACKEND_UP)
		backend->forward->stats.backends--;
	list_del_init(&backend->bucket);
	routes_hide(backend);
}

/* Out of all lists. Without a reason nobody is told, and nobody is woken. */
static void detach(struct forward_backend *backend, const char *reason)
{
	leave_the_table(backend);
	backend->state = BACKEND_GONE;
	list_del_init(&backend->corked);
	routes_free_backend(backend, reason);
	forget_waiting(backend, reason);
}

static void backend_gone(struct forward_backend *backend, const char *reason)
{
	detach(backend, reason);
	slick_ev_del_async(backend->ev);
}

void backend_died(struct forward_backend *backend, int error)
{
	struct slick_forward_stats *stats = &backend->forward->stats;

	if (backend->state == BACKEND_GONE)
		return;
	if (backend->state == BACKEND_CONNECTING) {
		if (backend->asker)
			command_failed(backend->asker, backend->sequence, why(error));
	} else {
		stats->died++;
		stats->undelivered += slick_bs_waiting(&backend->ts.bs) + backend->ts.bs.lent;
	}
	backend_gone(backend, "the backend has gone, and what it had not read is lost");
}

static void backend_connected(struct forward_backend *backend)
{
	struct slick_forward *forward = backend->forward;
	struct slick_transport transport;

	list_del_init(&backend->bucket);
	list_add_tail(&backend->bucket, bucket_of(forward, backend->key));
	backend->state = BACKEND_UP;
	forward->stats.backends++;
	slick_ev_timeout(backend->ev, 0);
	slick_ev_transport(backend->ev, &transport);
	slick_bs_attach(&backend->ts.bs, &transport);
	if (backend->asker)
		command_connected(backend->asker, backend->sequence);
	backend->asker = NULL;
}

/* Messages here are oneway: what a backend says is read, so that its end is seen, and dropped. */
static int drop_what_came(struct forward_backend *backend)
{
	struct slick_bs *bs = &backend->ts.bs;
	ssize_t got = slick_bs_fill(bs);

	if (got == -EAGAIN)
		return 0;
	if (got <= 0)
		return got ? got : -EPIPE;
	slick_bs_discard(bs, got);
	return 0;
}

static void backend_go_on(struct forward_backend *backend, u32 what)
{
	int error = 0;

	if (what & SLICK_ERROR)
		error = slick_ev_error(backend->ev) ?: -ECONNRESET;
	if (!error && slick_bs_waiting(&backend->ts.bs))
		error = slick_bs_flush(&backend->ts.bs);
	if (!error || error == -EAGAIN) {
		int dropped = drop_what_came(backend);

		error = dropped ? dropped : error;
	}
	if (error == -EAGAIN && backend->state == BACKEND_ENDING && what & SLICK_TIMEOUT)
		error = -ETIMEDOUT;
	if (error && error != -EAGAIN)
		backend_died(backend, error);
	else if (!error && backend->state == BACKEND_ENDING)
		backend_gone(backend, NULL);
}

static enum slick_ret backend_event(struct slick_ev *ev, u32 what)
{
	struct forward_backend *backend = slick_ev_data(ev);
	int error;

	if (backend->state != BACKEND_CONNECTING) {
		backend_go_on(backend, what);
		return SLICK_DONE;
	}
	if (!(what & (SLICK_ERROR | SLICK_EOF | SLICK_WRITE | SLICK_TIMEOUT)))
		return SLICK_DONE;
	error = slick_ev_error(ev);
	if (!error && what & SLICK_ERROR)
		error = -ECONNRESET;
	if (!error && what & SLICK_TIMEOUT && !(what & SLICK_WRITE))
		error = -ETIMEDOUT;
	if (error)
		backend_died(backend, error);
	else
		backend_connected(backend);
	return SLICK_DONE;
}

static void backend_release(struct slick_ev *ev)
{
	struct forward_backend *backend = slick_ev_data(ev);

	/* Where it did not go itself, the loop ends. */
	if (backend->state != BACKEND_GONE)
		detach(backend, NULL);
	slick_sock_close(slick_ev_sock(ev));
	slick_ts_free(&backend->ts);
	slick_free(backend);
}

static const struct slick_ev_ops backend_ops = {
	.event = backend_event,
	.release = backend_release,
};

/* The buffer holds what is above the high mark by one frame, so that it is the mark that stops. */
static void take_marks(struct forward_backend *backend)
{
	struct slick_bs *bs = &backend->ts.bs;
	size_t limit;
	u32 high, low;

	slick_forward_marks_now(backend->forward, &high, &low);
	backend->marks = (u64)high << 32 | low;
	limit = (size_t)high + backend->forward->cfg.max_frame + SLICK_THRIFT_FRAME_HEADER;
	if (bs->out.limit < limit)
		bs->out.limit = limit;
	slick_bs_watermarks(bs, high, low, backend_mark, backend);
}

static struct forward_backend *backend_new(struct slick_forward *forward, s32 key)
{
	const struct slick_bs_cfg buffers = {
		.in_size = 256, .in_limit = 4096, .out_size = 4096, .out_limit = 4096,
	};
	struct forward_backend *backend = slick_alloc(sizeof(*backend));

	if (!backend)
		return NULL;
	memset(backend, 0, sizeof(*backend));
	if (slick_bs_init(&backend->ts.bs, NULL, &buffers)) {
		slick_free(backend);
		return NULL;
	}
	backend->forward = forward;
	backend->key = key;
	backend->state = BACKEND_CONNECTING;
	INIT_LIST_HEAD(&backend->bucket);
	INIT_LIST_HEAD(&backend->corked);
	INIT_LIST_HEAD(&backend->routes);
	INIT_LIST_HEAD(&backend->waiting);
	take_marks(backend);
	return backend;
}

int backend_connect(struct slick_forward *forward, s32 key, const struct sockaddr_storage *address,
		    int length, struct forward_sender *asker, s32 sequence)
{
	struct forward_backend *backend;
	slick_sock_t sock;
	int error;

	if (backend_find(forward, key) || find_in(&forward->connecting, key))
		return -EEXIST;
	backend = backend_new(forward, key);
	if (!backend)
		return -ENOMEM;
	error = slick_connect(forward->loop, (const struct sockaddr *)address, length, &sock);
	if (error)
		goto no_socket;
	backend->ev = slick_ev_add(forward->loop, sock, &backend_ops, backend, SLICK_WRITE);
	if (IS_ERR(backend->ev)) {
		error = PTR_ERR(backend->ev);
		goto no_event;
	}
	slick_ev_timeout(backend->ev, CONNECT_PATIENCE);
	backend->asker = asker;
	backend->sequence = sequence;
	list_add_tail(&backend->bucket, &forward->connecting);
	return 0;

no_event:
	slick_sock_close(sock);
no_socket:
	slick_bs_free(&backend->ts.bs);
	slick_free(backend);
	return error;
}

void backend_disconnect(struct forward_backend *backend)
{
	leave_the_table(backend);
	backend->state = BACKEND_ENDING;
	forget_waiting(backend, true);
	slick_ev_timeout(backend->ev, DRAIN_PATIENCE);
	slick_ev_kick(backend->ev);
}

/* Out of the list of those that have to send, and sent. */
static int settle(struct forward_backend *backend)
{
	list_del_init(&backend->corked);
	return slick_bs_settle(&backend->ts.bs, !backend->forward->cfg.reads);
}

int backend_lend(struct forward_backend *backend, const u8 *frame, u32 length)
{
	const bool together = backend->forward->cfg.reads;
	struct slick_bs *bs = &backend->ts.bs;
	int error;

	if (bs->full || backend->marks != READ_ONCE(backend->forward->marks))
		return -EAGAIN;
	if (together && length < LEND_LEAST && !bs->pieces_used)
		error = slick_bs_keep(bs, frame, length);
	else
		error = slick_bs_lend(bs, frame, length, together);
	if (error)
		return -EAGAIN;
	backend->ts.messages_out++;
	if (list_empty(&backend->corked))
		list_add_tail(&backend->corked, &backend->forward->corked);
	return 0;
}

int backend_give(struct forward_backend *backend, struct forward_sender *sender,
		 const struct slick_thrift_msg *msg)
{
	int error;

	if (unlikely(backend->marks != READ_ONCE(backend->forward->marks)))
		take_marks(backend);
	/* What was lent comes first. */
	if (unlikely(backend->ts.bs.pieces_used)) {
		error = settle(backend);
		if (error && error != -EAGAIN)
			return error;
	}
	if (!backend->forward->cfg.reads)
		return slick_ts_forward(&sender->ts, &backend->ts, msg);
	if (list_empty(&backend->corked)) {
		slick_bs_cork(&backend->ts.bs);
		list_add_tail(&backend->corked, &backend->forward->corked);
	}
	error = slick_ts_forward(&sender->ts, &backend->ts, msg);
	if (error != -EAGAIN)
		return error;
	/* Full of what the cork holds back, perhaps, and not because it does not read. */
	error = settle(backend);
	if (error && error != -EAGAIN)
		return error;
	return slick_ts_forward(&sender->ts, &backend->ts, msg);
}

void backends_flush(struct slick_forward *forward)
{
	struct forward_backend *backend;
	int error;

	while (!list_empty(&forward->corked)) {
		backend = list_first_entry(&forward->corked, struct forward_backend, corked);
		error = settle(backend);
		if (error && error != -EAGAIN)
			backend_died(backend, error);
	}
}

void backend_forget_asker(struct slick_forward *forward, const struct forward_sender *asker)
{
	struct forward_backend *backend;

	list_for_each_entry(backend, &forward->connecting, bucket) {
		if (backend->asker == asker)
			backend->asker = NULL;
	}
}
