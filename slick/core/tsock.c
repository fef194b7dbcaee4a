// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* ThriftSocket: messages on a BufferedSocket. */
#include <slick/tsock.h>

/* Raises a limit to `least`, and the size with it where all of the memory was wanted at once. */
static void raise(size_t *size, size_t *limit, size_t usual, size_t least)
{
	bool at_once = *limit && *size == *limit;

	if (!*limit)
		*limit = *size > usual ? *size : usual;
	/* A size over its limit is left for slick_bs_init() to refuse. */
	if (*limit >= least || *size > *limit)
		return;
	*limit = least;
	if (at_once)
		*size = least;
}

int slick_ts_init(struct slick_ts *ts, const struct slick_transport *transport,
		  const struct slick_bs_cfg *cfg, const struct slick_thrift_limits *limits)
{
	struct slick_bs_cfg raised = *cfg;
	size_t longest;

	ts->limits = *limits;
	if (!ts->limits.max_frame)
		ts->limits.max_frame = SLICK_THRIFT_MAX_FRAME;
	if (ts->limits.max_frame > SLICK_THRIFT_LONGEST_FRAME)
		ts->limits.max_frame = SLICK_THRIFT_LONGEST_FRAME;
	ts->messages_in = 0;
	ts->messages_out = 0;
	longest = (size_t)ts->limits.max_frame + SLICK_THRIFT_FRAME_HEADER;
	raise(&raised.in_size, &raised.in_limit, SLICK_BS_SIZE, longest);
	raise(&raised.out_size, &raised.out_limit, SLICK_BS_OUT_LIMIT, longest);
	return slick_bs_init(&ts->bs, transport, &raised);
}
EXPORT_SYMBOL_GPL(slick_ts_init);

void slick_ts_free(struct slick_ts *ts)
{
	slick_bs_free(&ts->bs);
}
EXPORT_SYMBOL_GPL(slick_ts_free);

int slick_ts_next(struct slick_ts *ts, struct slick_thrift_msg *msg)
{
	size_t length;
	const u8 *bytes = slick_bs_peek(&ts->bs, &length);

	return slick_thrift_parse(bytes, length, &ts->limits, msg);
}
EXPORT_SYMBOL_GPL(slick_ts_next);

void slick_ts_discard(struct slick_ts *ts, const struct slick_thrift_msg *msg)
{
	slick_bs_discard(&ts->bs, msg->frame_length);
	ts->messages_in++;
}
EXPORT_SYMBOL_GPL(slick_ts_discard);

int slick_ts_write(struct slick_ts *ts, const void *frame, size_t length)
{
	int ret = slick_bs_write_all(&ts->bs, frame, length);

	if (likely(!ret))
		ts->messages_out++;
	return ret;
}
EXPORT_SYMBOL_GPL(slick_ts_write);

int slick_ts_forward(struct slick_ts *from, struct slick_ts *to,
		     const struct slick_thrift_msg *msg)
{
	int ret;

	if (unlikely(to->bs.full))
		return -EAGAIN;
	ret = slick_ts_write(to, msg->frame, msg->frame_length);
	if (unlikely(ret)) {
		if (ret != -ENOBUFS)
			return ret;
		return msg->frame_length > to->bs.out.limit ? -EMSGSIZE : -EAGAIN;
	}
	slick_ts_discard(from, msg);
	return 0;
}
EXPORT_SYMBOL_GPL(slick_ts_forward);
