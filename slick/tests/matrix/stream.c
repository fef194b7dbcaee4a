// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stream.h"

static uint8_t bytes[STEP];

static bool stream_done(const struct stream *stream)
{
	return stream->received == stream->length && (!stream->shut || stream->ended);
}

static bool stream_may_send(const struct stream *stream)
{
	return stream->sent < stream->length &&
	       (!stream->ahead || stream->sent - stream->received < stream->ahead);
}

static bool stream_send(struct stream *stream)
{
	size_t length = stream->length - stream->sent;
	ssize_t put;

	if (stream->ahead && length > stream->ahead - (stream->sent - stream->received))
		length = stream->ahead - (stream->sent - stream->received);
	if (length > STEP)
		length = STEP;
	fill(bytes, stream->seed, stream->sent, length);
	put = send_some(stream->sock, bytes, length);
	if (put < 0 && put != -EAGAIN)
		return fail("send: %s behind %zu of %zu bytes", strerror(-put), stream->sent,
			    stream->length);
	if (put > 0)
		stream->sent += put;
	if (stream->sent == stream->length && stream->shut)
		shutdown(stream->sock, SHUT_WR);
	return true;
}

static bool stream_receive(struct stream *stream)
{
	ssize_t got = recv_some(stream->sock, bytes, STEP);
	size_t same;

	if (got == -EAGAIN)
		return true;
	if (got < 0)
		return fail("recv: %s behind %zu of %zu bytes", strerror(-got), stream->received,
			    stream->length);
	if (got == 0) {
		stream->ended = true;
		if (stream->received < stream->length)
			return fail("the connection ended behind %zu of %zu bytes",
				    stream->received, stream->length);
		return true;
	}
	if (stream->received + got > stream->sent)
		return fail("%zd bytes came that were not sent",
			    stream->received + got - stream->sent);
	same = differs(bytes, stream->seed, stream->received, got);
	if (same < (size_t)got)
		return fail("byte %zu of %zu is wrong", stream->received + same, stream->length);
	stream->received += got;
	return true;
}

bool run_streams(struct stream *streams, int count)
{
	struct pollfd *pollers = calloc(count, sizeof(*pollers));
	bool good = pollers || fail("no memory"), busy = true;

	while (good && busy) {
		busy = false;
		for (int i = 0; i < count; i++) {
			bool done = stream_done(&streams[i]);

			pollers[i].fd = done ? -1 : streams[i].sock;
			pollers[i].events = POLLIN | (stream_may_send(&streams[i]) ? POLLOUT : 0);
			busy |= !done;
		}
		if (!busy)
			break;
		if (deadline_over() || poll(pollers, count, 1000) < 0)
			good = fail("time is up: %zu bytes sent, %zu back, of %zu", streams[0].sent,
				    streams[0].received, streams[0].length);
		for (int i = 0; good && i < count; i++) {
			if (pollers[i].revents & (POLLIN | POLLERR | POLLHUP))
				good = stream_receive(&streams[i]);
			if (good && (pollers[i].revents & POLLOUT) && stream_may_send(&streams[i]))
				good = stream_send(&streams[i]);
		}
	}
	free(pollers);
	return good;
}

bool exchange_alone(exchange_fn exchange, uint32_t seed, size_t length)
{
	int sock = dial(target.port, 0);
	bool good = sock >= 0 && exchange(sock, seed, length);

	if (sock >= 0)
		close(sock);
	return good;
}

bool exchange_sizes(exchange_fn exchange, const size_t *sizes, size_t number)
{
	int sock = dial(target.port, 0);
	bool good = sock >= 0;

	for (size_t i = 0; good && i < number; i++)
		good = exchange(sock, i + 1, sizes[i]);
	if (sock >= 0)
		close(sock);
	return good;
}
