// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The other sides of a forwarder: its backends and its control port. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matrix.h"

static int32_t sequence;

bool control(const char *method, int32_t key, const char *address, int port, struct answer *answer)
{
	struct frame frame;
	int sock = dial(target.control, 0);
	bool good;

	if (sock < 0)
		return false;
	frame_begin(&frame, CALL, method, ++sequence);
	frame_i32(&frame, 1, key);
	if (address) {
		frame_string(&frame, 2, address, strlen(address));
		frame_i32(&frame, 3, port);
	}
	frame_end(&frame);
	good = send_all(sock, frame.bytes, frame.length) && recv_answer(sock, answer);
	if (good && (strcmp(answer->name, method) || answer->sequence != sequence))
		good = fail("the answer to %s %d is for %s %d", method, sequence, answer->name,
			    answer->sequence);
	frame_free(&frame);
	close(sock);
	return good;
}

bool control_ok(const char *method, int32_t key, const char *address, int port)
{
	struct answer answer;

	if (!control(method, key, address, port, &answer))
		return false;
	if (answer.kind != REPLY)
		return fail("%s of key %d was refused: %s", method, key, answer.text);
	return (!answer.has_number && !answer.text[0]) ||
	       fail("the reply to %s is not empty", method);
}

bool control_refused(const char *method, int32_t key, const char *address, int port)
{
	struct answer answer;

	if (!control(method, key, address, port, &answer))
		return false;
	if (answer.kind != EXCEPTION)
		return fail("%s of key %d to %s port %d was not refused (kind %d)", method, key,
			    address ? address : "nowhere", port, answer.kind);
	if (!answer.has_number || answer.number != 6)
		return fail("the exception has type %d, not 6", answer.number);
	return answer.text[0] || fail("the exception gives no reason");
}

bool backend_open(struct backend *backend, int32_t key, int buffers)
{
	*backend = (struct backend){ .key = key, .sock = -1, .listener = -1 };
	backend->listener = listen_somewhere(&backend->port, buffers);
	if (backend->listener < 0 || !control_ok("connect", key, loopback(), backend->port))
		return false;
	backend->sock = take(backend->listener);
	return backend->sock >= 0;
}

void backend_close(struct backend *backend)
{
	struct answer answer;

	/* It may be gone already, as some tests want it. */
	if (backend->sock >= 0 && !control("disconnect", backend->key, NULL, 0, &answer))
		fail("key %d cannot be disconnected", backend->key);
	if (backend->sock >= 0)
		close(backend->sock);
	if (backend->listener >= 0)
		close(backend->listener);
	free(backend->bytes);
	*backend = (struct backend){ .sock = -1, .listener = -1 };
}

static bool backend_frames(struct backend *backend,
			   bool (*take)(struct backend *, const uint8_t *frame, size_t length,
					void *),
			   void *data)
{
	size_t at = 0, length;
	bool good = true;

	while (good && backend->used - at >= 4) {
		const uint8_t *frame = backend->bytes + at;

		length = 4 + ((size_t)frame[0] << 24 | frame[1] << 16 | frame[2] << 8 | frame[3]);
		if (length > 4 * 1024 * 1024)
			good = fail("key %d got a frame of %zu bytes behind %zu messages",
				    backend->key, length, backend->messages);
		if (!good || backend->used - at < length)
			break;
		backend->messages++;
		good = take(backend, frame, length, data);
		at += length;
	}
	memmove(backend->bytes, backend->bytes + at, backend->used - at);
	backend->used -= at;
	return good;
}

bool backend_read(struct backend *backend,
		  bool (*take)(struct backend *, const uint8_t *frame, size_t length, void *),
		  void *data)
{
	ssize_t got;

	if (backend->size - backend->used < 65536) {
		backend->size = 2 * backend->size + 131072;
		backend->bytes = realloc(backend->bytes, backend->size);
		if (!backend->bytes)
			abort();
	}
	got = recv_some(backend->sock, backend->bytes + backend->used,
			backend->size - backend->used);
	if (got == -EAGAIN)
		return true;
	if (got <= 0)
		return fail("the forwarder left key %d%s%s", backend->key, got ? ": " : "",
			    got ? strerror(-got) : "");
	backend->used += got;
	return backend_frames(backend, take, data);
}

static bool take_one(struct backend *backend, const uint8_t *bytes, size_t length, void *data)
{
	const struct frame *frame = data;

	if (length != frame->length || memcmp(bytes, frame->bytes, length))
		return fail("key %d got other bytes than were sent (%zu, not %zu)", backend->key,
			    length, frame->length);
	return true;
}

bool backend_expect(struct backend *backend, const struct frame *frame)
{
	size_t before = backend->messages;

	while (backend->messages == before) {
		if (!ready(backend->sock, POLLIN, -1))
			return fail("key %d did not get its message", backend->key);
		if (!backend_read(backend, take_one, (void *)frame))
			return false;
	}
	return backend->messages == before + 1 ||
	       fail("key %d got %zu messages, not one", backend->key, backend->messages - before);
}

bool backend_quiet(struct backend *backend, int milliseconds)
{
	uint8_t byte;
	ssize_t got;

	if (backend->used)
		return fail("key %d got %zu bytes that are no message", backend->key,
			    backend->used);
	if (!ready(backend->sock, POLLIN, milliseconds))
		return true;
	got = recv_some(backend->sock, &byte, 1);
	return fail(got > 0 ? "key %d got something that was not for it" :
			      "the forwarder left key %d",
		    backend->key);
}
