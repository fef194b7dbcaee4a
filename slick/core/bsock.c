// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* BufferedSocket: bytes between an owner and a transport. */
#include <slick/bsock.h>
#include <slick/klibevent.h>

static u32 wants(const struct slick_bs *bs)
{
	u32 what = 0;

	if (bs->error)
		return 0;
	if (!bs->paused && !bs->eof)
		what |= SLICK_READ;
	/* A cork put on while bytes wait does not take back what was wanted for them. */
	if (slick_bs_waiting(bs) && (!bs->corked || bs->wanted & SLICK_WRITE))
		what |= SLICK_WRITE;
	return what;
}

static void tell_wants(struct slick_bs *bs)
{
	u32 what = wants(bs);

	if (what == bs->wanted || !bs->transport.ops)
		return;
	bs->wanted = what;
	bs->transport.ops->want(bs->transport.context, what);
}

static void tell_mark(struct slick_bs *bs, bool full)
{
	bs->full = full;
	if (bs->mark)
		bs->mark(bs, full, bs->mark_data);
}

/* Whether the marks were crossed; the last thing a function does, since mark() may write again. */
static void check_marks(struct slick_bs *bs)
{
	size_t waiting = slick_bs_waiting(bs);

	if (bs->full) {
		if (waiting <= bs->low || !bs->high)
			tell_mark(bs, false);
	} else if (bs->high && waiting > bs->high) {
		tell_mark(bs, true);
	}
}

/*
 * A write that found no room is told as full, even below the high mark: else its source would wait
 * for a call that never comes.
 */
static void found_no_room(struct slick_bs *bs)
{
	if (bs->high && !bs->full && slick_bs_waiting(bs))
		tell_mark(bs, true);
}

/* What waits can never be sent: dropping it also lets the sources go on, to learn of the error. */
static void died(struct slick_bs *bs, int error)
{
	bs->error = error;
	slick_buf_discard(&bs->out, slick_bs_waiting(bs));
	tell_wants(bs);
	check_marks(bs);
}

/* Where a limit or a size is 0, a value that goes with the other one. */
static int set_up(struct slick_buf *buf, size_t size, size_t limit, size_t usual_limit)
{
	if (!limit)
		limit = size > usual_limit ? size : usual_limit;
	if (!size)
		size = limit < SLICK_BS_SIZE ? limit : SLICK_BS_SIZE;
	if (size > limit)
		return -EINVAL;
	return slick_buf_init(buf, size, limit);
}

int slick_bs_init(struct slick_bs *bs, const struct slick_transport *transport,
		  const struct slick_bs_cfg *cfg)
{
	int ret;

	memset(bs, 0, sizeof(*bs));
	bs->chunk = cfg->chunk;
	ret = set_up(&bs->in, cfg->in_size, cfg->in_limit, SLICK_BS_SIZE);
	if (ret)
		return ret;
	ret = set_up(&bs->out, cfg->out_size, cfg->out_limit, SLICK_BS_OUT_LIMIT);
	if (ret) {
		slick_buf_free(&bs->in);
		return ret;
	}
	if (transport)
		slick_bs_attach(bs, transport);
	return 0;
}
EXPORT_SYMBOL_GPL(slick_bs_init);

void slick_bs_attach(struct slick_bs *bs, const struct slick_transport *transport)
{
	bs->transport = *transport;
	bs->wanted = 0;
	tell_wants(bs);
}
EXPORT_SYMBOL_GPL(slick_bs_attach);

void slick_bs_free(struct slick_bs *bs)
{
	slick_buf_free(&bs->in);
	slick_buf_free(&bs->out);
	slick_free(bs->pieces);
	bs->pieces = NULL;
	bs->pieces_used = 0;
	bs->pieces_size = 0;
}
EXPORT_SYMBOL_GPL(slick_bs_free);

/*
 * How much to ask for. Without a chunk that is the memory there is, as long as it is worth a call;
 * more memory only for who leaves the buffer nearly full, as one does whose message is longer.
 */
static size_t fill_size(const struct slick_bs *bs)
{
	const struct slick_buf *in = &bs->in;
	size_t room = slick_buf_room(in);
	size_t enough = in->size / 4;
	size_t length;

	if (bs->chunk)
		return bs->chunk < room ? bs->chunk : room;
	length = in->size - in->tail;
	if (likely(length > enough))
		return length;
	length = in->size - slick_buf_used(in);
	if (length > enough)
		return length;
	return in->size < room ? in->size : room;
}

static inline ssize_t receive(struct slick_bs *bs, u8 *at, size_t length)
{
	ssize_t got;

	bs->fills++;
	got = bs->transport.ops->recv(bs->transport.context, at, length);
	if (likely(got > 0)) {
		bs->received += got;
	} else if (!got) {
		bs->eof = true;
		tell_wants(bs);
	} else if (got != -EAGAIN) {
		died(bs, (int)got);
	}
	return got;
}

static ssize_t fill(struct slick_bs *bs, size_t length)
{
	ssize_t got;
	u8 *at;

	if (!length)
		return -ENOBUFS;
	at = slick_buf_reserve(&bs->in, length);
	if (!at)
		return -ENOMEM;
	got = receive(bs, at, length);
	if (likely(got > 0))
		slick_buf_commit(&bs->in, got);
	return got;
}

ssize_t slick_bs_receive(struct slick_bs *bs, void *memory, size_t length)
{
	if (unlikely(bs->error || bs->eof || slick_buf_used(&bs->in)))
		return bs->error;
	return receive(bs, memory, length);
}
EXPORT_SYMBOL_GPL(slick_bs_receive);

ssize_t slick_bs_fill(struct slick_bs *bs)
{
	if (unlikely(bs->error || bs->eof))
		return bs->error;
	return fill(bs, fill_size(bs));
}
EXPORT_SYMBOL_GPL(slick_bs_fill);

ssize_t slick_bs_fill_most(struct slick_bs *bs, size_t most)
{
	size_t room = slick_buf_room(&bs->in);

	if (unlikely(bs->error || bs->eof))
		return bs->error;
	return fill(bs, most < room ? most : room);
}
EXPORT_SYMBOL_GPL(slick_bs_fill_most);

size_t slick_bs_read(struct slick_bs *bs, void *bytes, size_t length)
{
	size_t used = slick_buf_used(&bs->in);

	if (length > used)
		length = used;
	if (!length)
		return 0;
	memcpy(bytes, slick_buf_peek(&bs->in), length);
	slick_buf_discard(&bs->in, length);
	return length;
}
EXPORT_SYMBOL_GPL(slick_bs_read);

/* How many bytes the transport took, 0 if none now, or the error that ended the connection. */
static inline ssize_t send_some(struct slick_bs *bs, const void *bytes, size_t length)
{
	ssize_t sent;

	bs->flushes++;
	sent = bs->transport.ops->send(bs->transport.context, bytes, length, false);
	if (likely(sent >= 0)) {
		bs->sent += sent;
		return sent;
	}
	if (sent == -EAGAIN)
		return 0;
	died(bs, (int)sent);
	return sent;
}

static inline int cannot_write(const struct slick_bs *bs)
{
	if (unlikely(bs->error))
		return bs->error;
	return unlikely(bs->shut || bs->shutting) ? -EPIPE : 0;
}

/* Nothing waits that has to go first, and nobody asked to wait. */
static inline bool sends_at_once(const struct slick_bs *bs)
{
	return !bs->corked && !slick_bs_waiting(bs);
}

/* Bytes that were appended wait from now on. */
static void kept_some(struct slick_bs *bs)
{
	if (!bs->corked)
		tell_wants(bs);
	check_marks(bs);
}

ssize_t slick_bs_write(struct slick_bs *bs, const void *bytes, size_t length)
{
	ssize_t sent = 0;
	size_t keep, room;
	int ret = cannot_write(bs);

	if (unlikely(ret) || !length)
		return ret;
	if (sends_at_once(bs)) {
		sent = send_some(bs, bytes, length);
		if (likely(sent < 0 || (size_t)sent == length))
			return sent;
	}
	keep = length - sent;
	room = slick_buf_room(&bs->out);
	if (keep > room)
		keep = room;
	ret = slick_buf_append(&bs->out, (const u8 *)bytes + sent, keep);
	if (ret)
		return sent ? sent : ret;
	sent += keep;
	kept_some(bs);
	if ((size_t)sent < length)
		found_no_room(bs);
	return sent ? sent : -ENOBUFS;
}
EXPORT_SYMBOL_GPL(slick_bs_write);

int slick_bs_write_all(struct slick_bs *bs, const void *bytes, size_t length)
{
	ssize_t sent = 0;
	int ret = cannot_write(bs);
	u8 *at;

	if (unlikely(ret) || !length)
		return ret;
	/* Before anything is sent: once some is, the rest has to be kept. */
	at = slick_buf_reserve(&bs->out, length);
	if (unlikely(!at)) {
		if (length <= slick_buf_room(&bs->out))
			return -ENOMEM;
		found_no_room(bs);
		return -ENOBUFS;
	}
	if (sends_at_once(bs)) {
		sent = send_some(bs, bytes, length);
		if (unlikely(sent < 0))
			return (int)sent;
		if (likely((size_t)sent == length))
			return 0;
	}
	memcpy(at, (const u8 *)bytes + sent, length - sent);
	slick_buf_commit(&bs->out, length - sent);
	kept_some(bs);
	return 0;
}
EXPORT_SYMBOL_GPL(slick_bs_write_all);

static void shut_now(struct slick_bs *bs)
{
	bs->shutting = false;
	bs->shut = true;
	bs->transport.ops->shut(bs->transport.context);
}

int slick_bs_flush(struct slick_bs *bs)
{
	size_t waiting = slick_bs_waiting(bs);
	ssize_t sent;

	bs->corked = false;
	if (!waiting)
		return bs->error;
	sent = send_some(bs, slick_buf_peek(&bs->out), waiting);
	if (unlikely(sent < 0))
		return (int)sent;
	slick_buf_discard(&bs->out, sent);
	if (bs->shutting && !slick_bs_waiting(bs))
		shut_now(bs);
	tell_wants(bs);
	check_marks(bs);
	if (bs->error)
		return bs->error;
	return slick_bs_waiting(bs) ? -EAGAIN : 0;
}
EXPORT_SYMBOL_GPL(slick_bs_flush);

int slick_bs_watermarks(struct slick_bs *bs, size_t high, size_t low, slick_bs_mark_fn mark,
			void *data)
{
	if (low > high || low >= bs->out.limit)
		return -EINVAL;
	bs->high = high;
	bs->low = low;
	bs->mark = mark;
	bs->mark_data = data;
	check_marks(bs);
	return 0;
}
EXPORT_SYMBOL_GPL(slick_bs_watermarks);

void slick_bs_pause(struct slick_bs *bs, bool paused)
{
	bs->paused = paused;
	tell_wants(bs);
}
EXPORT_SYMBOL_GPL(slick_bs_pause);

void slick_bs_shut(struct slick_bs *bs)
{
	if (bs->error || bs->shut || bs->shutting)
		return;
	bs->shutting = true;
	if (!slick_bs_waiting(bs))
		shut_now(bs);
	else if (bs->corked)
		slick_bs_flush(bs);
	bs->corked = false;
}
EXPORT_SYMBOL_GPL(slick_bs_shut);
