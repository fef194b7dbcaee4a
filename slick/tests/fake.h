/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A transport of a few bytes of memory that does what a script says, for tests in user space and in
 * the kernel. Each test program has its own: the functions are static.
 */
#ifndef SLICK_TESTS_FAKE_H
#define SLICK_TESTS_FAKE_H

#include <slick/klibevent.h>
#include <slick/transport.h>

#define FAKE_MOST 32
#define FAKE_OUTPUT (256 * 1024)

/* Results of calls, one after the other; a positive one is the most that the call moves. */
struct fake_script {
	ssize_t results[FAKE_MOST];
	unsigned int count, at;
	ssize_t otherwise;	/* behind the last one */
};

struct fake {
	struct fake_script recv, send;
	const u8 *input;	/* what recv gives; at its end: -EAGAIN */
	size_t input_length;
	u8 *output;		/* what send took: FAKE_OUTPUT bytes of the test's */
	size_t output_length;
	const void *sent_from;	/* where the last send found its bytes */
	size_t asked;		/* how much the last recv wanted */
	unsigned int recvs, sends, wants, shuts;
	size_t part;		/* bytes that a walk shows at a time; 0: all */
	unsigned int walks, walked;
	unsigned int pieces;	/* of the last call that sent pieces */
	u32 wanted;
};

#define FAKE_ALL ((ssize_t)1 << 30)

static inline void fake_then(struct fake_script *script, ssize_t result)
{
	script->results[script->count++] = result;
}

static inline ssize_t fake_next(struct fake_script *script)
{
	return script->at < script->count ? script->results[script->at++] : script->otherwise;
}

static inline ssize_t fake_recv(void *context, void *bytes, size_t length)
{
	struct fake *fake = context;
	ssize_t result = fake_next(&fake->recv);

	fake->recvs++;
	fake->asked = length;
	if (result <= 0)
		return result;
	if (!fake->input_length)
		return -EAGAIN;
	if (length > (size_t)result)
		length = (size_t)result;
	if (length > fake->input_length)
		length = fake->input_length;
	memcpy(bytes, fake->input, length);
	fake->input += length;
	fake->input_length -= length;
	return (ssize_t)length;
}

static inline ssize_t fake_send(void *context, const void *bytes, size_t length, bool more)
{
	struct fake *fake = context;
	ssize_t result = fake_next(&fake->send);

	(void)more;
	fake->sends++;
	fake->sent_from = bytes;
	if (result <= 0)
		return result;
	if (length > (size_t)result)
		length = (size_t)result;
	if (length > FAKE_OUTPUT - fake->output_length)
		return -ENOSPC;
	memcpy(fake->output + fake->output_length, bytes, length);
	fake->output_length += length;
	return (ssize_t)length;
}

static inline void fake_want(void *context, u32 what)
{
	struct fake *fake = context;

	fake->wants++;
	fake->wanted = what;
}

static inline void fake_shut(void *context)
{
	struct fake *fake = context;

	fake->shuts++;
}

/* Pieces are sent as bytes are: one result of the script for the whole call. */
static inline ssize_t fake_sendv(void *context, const struct slick_piece *pieces,
				 unsigned int number)
{
	struct fake *fake = context;
	ssize_t result = fake_next(&fake->send), sent = 0;
	unsigned int i;
	size_t length;

	fake->sends++;
	fake->pieces = number;
	if (result <= 0)
		return result;
	for (i = 0; i < number && sent < result; i++) {
		length = pieces[i].length;
		if (length > (size_t)(result - sent))
			length = (size_t)(result - sent);
		memcpy(fake->output + fake->output_length, pieces[i].bytes, length);
		fake->output_length += length;
		sent += length;
	}
	return sent;
}

/* Shows the input in parts of `part` bytes. */
static inline ssize_t fake_walk(void *context, size_t most, slick_walk_fn fn, void *data)
{
	struct fake *fake = context;
	size_t taken = 0, length, got;

	fake->walks++;
	while (taken < most && fake->input_length) {
		length = fake->part && fake->part < fake->input_length ? fake->part :
									 fake->input_length;
		if (length > most - taken)
			length = most - taken;
		got = fn(data, fake->input, length);
		fake->input += got;
		fake->input_length -= got;
		taken += got;
		if (got < length)
			break;
	}
	return (ssize_t)taken;
}

static inline void fake_walked(void *context)
{
	struct fake *fake = context;

	fake->walked++;
}

static const struct slick_transport_ops fake_ops = {
	.recv = fake_recv,
	.send = fake_send,
	.want = fake_want,
	.shut = fake_shut,
	.walk = fake_walk,
	.walked = fake_walked,
	.sendv = fake_sendv,
};

/* Takes and gives all it can until a script says otherwise. */
static inline struct slick_transport fake_transport(struct fake *fake, u8 *output)
{
	struct slick_transport transport = { .ops = &fake_ops, .context = fake };

	memset(fake, 0, sizeof(*fake));
	fake->recv.otherwise = FAKE_ALL;
	fake->send.otherwise = FAKE_ALL;
	fake->output = output;
	return transport;
}

static inline void fake_gives(struct fake *fake, const void *bytes, size_t length)
{
	fake->input = bytes;
	fake->input_length = length;
}

#endif
