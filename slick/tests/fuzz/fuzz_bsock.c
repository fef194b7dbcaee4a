// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * A BufferedSocket under any sequence of operations and of a transport's answers, against a model
 * that only counts: bytes go in and come out in order, so that a byte's place says what it must be.
 */
#include "fuzz.h"

#include <slick/bsock.h>

#include "../fake.h"

const char *fuzz_name = "fuzz_bsock";

struct model {
	struct slick_bs bs;
	struct fake fake;
	u64 given, taken;	/* bytes of the peer's: handed out by recv; taken by the owner */
	u64 accepted, sent;	/* bytes of the owner's: by write; by send, and dropped ones */
	bool full;
	bool dead;
	unsigned int shuts;
};

static u8 pattern(u64 at)
{
	return (u8)(at * 31 + at / 251 + 7);
}

static ssize_t model_recv(void *context, void *bytes, size_t length)
{
	struct model *model = context;
	ssize_t result = fake_next(&model->fake.recv), i;

	must(!model->dead && !model->bs.eof && length);
	model->dead = result < 0 && result != -EAGAIN;
	if (result > 0 && (size_t)result > length)
		result = (ssize_t)length;
	for (i = 0; i < result; i++)
		((u8 *)bytes)[i] = pattern(model->given++);
	return result;
}

static ssize_t model_send(void *context, const void *bytes, size_t length, bool more)
{
	struct model *model = context;
	ssize_t result = fake_next(&model->fake.send), i;

	(void)more;
	must(!model->dead && !model->shuts && length);
	model->dead = result < 0 && result != -EAGAIN;
	if (result > 0 && (size_t)result > length)
		result = (ssize_t)length;
	for (i = 0; i < result; i++)
		must(((const u8 *)bytes)[i] == pattern(model->sent++));
	return result;
}

static void model_want(void *context, u32 what)
{
	struct model *model = context;

	must(what != model->fake.wanted);
	model->fake.wanted = what;
}

static void model_shut(void *context)
{
	struct model *model = context;

	must(!model->shuts && model->sent == model->accepted);
	model->shuts++;
}

static const struct slick_transport_ops model_ops = {
	.recv = model_recv,
	.send = model_send,
	.want = model_want,
	.shut = model_shut,
};

static void mark(struct slick_bs *bs, bool full, void *data)
{
	struct model *model = data;

	must(bs == &model->bs && model->full != full);
	model->full = full;
}

/* The next answers of the transport, for recv and for send. */
static void answer(struct fake_script *script, u8 code)
{
	script->at = 0;
	script->count = 1;
	script->otherwise = -EAGAIN;
	if (code < 160)
		script->results[0] = code + 1;
	else if (code < 200)
		script->results[0] = FAKE_ALL;
	else if (code < 250)
		script->results[0] = -EAGAIN;
	else
		script->results[0] = code < 253 ? -ECONNRESET : 0;
}

static void check(struct model *model)
{
	struct slick_bs *bs = &model->bs;
	const u8 *bytes;
	size_t length, i;

	must(bs->in.head <= bs->in.tail && bs->in.tail <= bs->in.size);
	must(bs->in.size <= bs->in.limit);
	must(bs->out.head <= bs->out.tail && bs->out.tail <= bs->out.size);
	must(bs->out.size <= bs->out.limit);
	bytes = slick_bs_peek(bs, &length);
	must(length == model->given - model->taken && bs->received == model->given);
	for (i = 0; i < length; i++)
		must(bytes[i] == pattern(model->taken + i));
	must(model->dead == (bs->error != 0));
	if (model->dead) {
		must(!slick_bs_waiting(bs) && !model->fake.wanted && !model->full);
		return;
	}
	must(bs->sent == model->sent);
	must(slick_bs_waiting(bs) == model->accepted - model->sent);
	must(bs->full == model->full);
	if (bs->high && slick_bs_waiting(bs) > bs->high)
		must(bs->full);
	/*
	 * Full at or below the low mark is what a write without room leaves: the next flush ends
	 * it.
	 */
	must(!bs->full || slick_bs_waiting(bs));
	must(!(model->fake.wanted & SLICK_READ) == (bs->paused || bs->eof));
	if (!bs->corked)
		must(!(model->fake.wanted & SLICK_WRITE) == !slick_bs_waiting(bs));
	must(model->shuts == bs->shut && (!bs->shutting || slick_bs_waiting(bs)));
}

static void write_some(struct model *model, size_t length, bool all)
{
	static u8 bytes[1024];
	struct slick_bs *bs = &model->bs;
	bool closed = bs->shut || bs->shutting, dead = model->dead;
	size_t room = slick_buf_room(&bs->out), i;
	ssize_t ret;

	for (i = 0; i < length; i++)
		bytes[i] = pattern(model->accepted + i);
	if (!dead && !closed && (all ? length <= room : length))
		model->accepted += length;
	ret = all ? slick_bs_write_all(bs, bytes, length) : slick_bs_write(bs, bytes, length);
	if (model->dead)
		must(ret == bs->error);
	else if (closed)
		must(ret == -EPIPE);
	else if (all)
		must(ret == (length <= room ? 0 : -ENOBUFS));
	else if (ret >= 0)
		model->accepted -= length - (size_t)ret;
	else
		must(ret == -ENOBUFS && !room && slick_bs_waiting(bs));
	if (!all && ret == -ENOBUFS)
		model->accepted -= length;
}

static void read_some(struct model *model, u8 code)
{
	u8 bytes[64];
	size_t got, i;

	if (code & 1) {
		size_t used = slick_buf_used(&model->bs.in);
		size_t length = (size_t)code * 4;

		slick_bs_discard(&model->bs, length);
		model->taken += length < used ? length : used;
		return;
	}
	got = slick_bs_read(&model->bs, bytes, code % sizeof(bytes));
	for (i = 0; i < got; i++)
		must(bytes[i] == pattern(model->taken + i));
	model->taken += got;
}

static void step(struct model *model, struct input *input)
{
	u8 what = take_u8(input) % 16, code = take_u8(input);
	struct slick_bs *bs = &model->bs;

	switch (what) {
	case 0 ... 3:
		answer(&model->fake.send, take_u8(input));
		write_some(model, what & 1 ? code : (size_t)code * 4, what & 2);
		break;
	case 4 ... 6:
		answer(&model->fake.recv, code);
		slick_bs_fill(bs);
		break;
	case 7 ... 8:
		read_some(model, code);
		break;
	case 9 ... 10:
		answer(&model->fake.send, code);
		slick_bs_flush(bs);
		must(!bs->corked);
		must(!bs->full || slick_bs_waiting(bs) > bs->low);
		break;
	case 11:
		slick_bs_cork(bs);
		break;
	case 12:
		slick_bs_pause(bs, code & 1);
		break;
	case 13:
		answer(&model->fake.send, take_u8(input));
		if (code > 200)
			slick_bs_shut(bs);
		break;
	default:
		slick_bs_watermarks(bs, (size_t)code * 3, (size_t)take_u8(input), mark, model);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct model model;
	struct slick_transport transport = { .ops = &model_ops, .context = &model };
	struct input input = { data, size };
	struct slick_bs_cfg cfg = { 0 };

	memset(&model, 0, sizeof(model));
	cfg.in_size = 1 + take_u8(&input);
	cfg.in_limit = cfg.in_size + take_u16(&input) % 1000;
	cfg.out_size = 1 + take_u8(&input);
	cfg.out_limit = cfg.out_size + take_u16(&input) % 1000;
	cfg.chunk = take_u8(&input);
	must(slick_bs_init(&model.bs, &transport, &cfg) == 0);
	while (input.left) {
		step(&model, &input);
		check(&model);
		fuzz_frames++;
	}
	fuzz_good += !model.dead;
	slick_bs_free(&model.bs);
	return 0;
}
