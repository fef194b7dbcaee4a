// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#define _GNU_SOURCE /* accept4 */
/* Sockets that never wait longer than the test may take. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "matrix.h"

static int64_t deadline;

int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void deadline_begin(void)
{
	deadline = now() + target.patience * 1000;
}

bool deadline_over(void)
{
	return now() >= deadline;
}

void pause_ms(int milliseconds)
{
	poll(NULL, 0, milliseconds);
}

/* The milliseconds that are left, at most `most` (-1: all). */
static int left(int most)
{
	int64_t rest = deadline - now();

	if (rest < 0)
		rest = 0;
	return most >= 0 && most < rest ? most : (int)rest;
}

static socklen_t name(struct sockaddr_storage *storage, const char *address, int port)
{
	struct sockaddr_in *four = (struct sockaddr_in *)storage;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;

	memset(storage, 0, sizeof(*storage));
	if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
		four->sin_family = AF_INET;
		four->sin_port = htons(port);
		return sizeof(*four);
	}
	if (inet_pton(AF_INET6, address, &six->sin6_addr) == 1) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		return sizeof(*six);
	}
	return 0;
}

static void prepare(int sock, int buffers)
{
	int one = 1;

	fcntl(sock, F_SETFL, fcntl(sock, F_GETFL) | O_NONBLOCK);
	setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (buffers) {
		setsockopt(sock, SOL_SOCKET, SO_RCVBUF, &buffers, sizeof(buffers));
		setsockopt(sock, SOL_SOCKET, SO_SNDBUF, &buffers, sizeof(buffers));
	}
}

int dial(int port, int buffers)
{
	struct sockaddr_storage storage;
	socklen_t length = name(&storage, target.address, port), size = sizeof(int);
	int sock, error = 0;

	if (!length)
		return fail("%s is neither an IPv4 nor an IPv6 address", target.address), -1;
	sock = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return fail("socket: %s", strerror(errno)), -1;
	prepare(sock, buffers);
	if (connect(sock, (struct sockaddr *)&storage, length) && errno != EINPROGRESS)
		error = errno;
	else if (!ready(sock, POLLOUT, -1))
		error = ETIMEDOUT;
	else
		getsockopt(sock, SOL_SOCKET, SO_ERROR, &error, &size);
	if (!error)
		return sock;
	close(sock);
	return fail("connect to port %d: %s", port, strerror(error)), -1;
}

void hang_up(int sock)
{
	struct linger linger = { .l_onoff = 1 };

	setsockopt(sock, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	close(sock);
}

const char *loopback(void)
{
	return strchr(target.address, ':') ? "::1" : "127.0.0.1";
}

int listen_somewhere(int *port, int buffers)
{
	struct sockaddr_storage storage;
	socklen_t length = name(&storage, loopback(), 0);
	int sock = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (sock < 0)
		return fail("socket: %s", strerror(errno)), -1;
	prepare(sock, buffers);
	if (bind(sock, (struct sockaddr *)&storage, length) || listen(sock, 64) ||
	    getsockname(sock, (struct sockaddr *)&storage, &length)) {
		fail("listen: %s", strerror(errno));
		close(sock);
		return -1;
	}
	*port = ntohs(((struct sockaddr_in *)&storage)->sin_port); /* at the same place in both
								      families */
	return sock;
}

int take(int listener)
{
	int sock;

	if (!ready(listener, POLLIN, -1))
		return fail("nobody connected to a backend"), -1;
	sock = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (sock < 0)
		fail("accept: %s", strerror(errno));
	return sock;
}

bool ready(int sock, short events, int milliseconds)
{
	struct pollfd poller = { .fd = sock, .events = events };

	return poll(&poller, 1, left(milliseconds)) > 0;
}

ssize_t recv_some(int sock, void *bytes, size_t length)
{
	ssize_t got = recv(sock, bytes, length, MSG_DONTWAIT);

	return got < 0 ? -errno : got;
}

ssize_t send_some(int sock, const void *bytes, size_t length)
{
	ssize_t put = send(sock, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);

	return put < 0 ? -errno : put;
}

bool send_all(int sock, const void *bytes, size_t length)
{
	size_t at = 0;
	ssize_t put;

	while (at < length) {
		put = send_some(sock, (const uint8_t *)bytes + at, length - at);
		if (put >= 0)
			at += put;
		else if (put != -EAGAIN)
			return fail("send: %s behind %zu of %zu bytes", strerror(-put), at, length);
		else if (!ready(sock, POLLOUT, -1))
			return fail("send: only %zu of %zu bytes were taken", at, length);
	}
	return true;
}

bool recv_all(int sock, void *bytes, size_t length)
{
	size_t at = 0;
	ssize_t got;

	while (at < length) {
		got = recv_some(sock, (uint8_t *)bytes + at, length - at);
		if (got > 0)
			at += got;
		else if (got == 0)
			return fail("the connection ended behind %zu of %zu bytes", at, length);
		else if (got != -EAGAIN)
			return fail("recv: %s behind %zu of %zu bytes", strerror(-got), at, length);
		else if (!ready(sock, POLLIN, -1))
			return fail("only %zu of %zu bytes came", at, length);
	}
	return true;
}

bool recv_end(int sock)
{
	uint8_t byte;
	ssize_t got;

	if (!ready(sock, POLLIN, -1))
		return fail("the connection was not ended");
	got = recv_some(sock, &byte, 1);
	if (got > 0)
		return fail("a byte came where the end was due");
	/* RST is not the end: where the network is slower, it takes away what was sent before it.
	 */
	if (got < 0)
		return fail("recv: %s where the end was due", strerror(-got));
	return true;
}

ssize_t send_until_stopped(int sock, const uint8_t *bytes, size_t length, size_t limit, int still)
{
	size_t total = 0;
	ssize_t put;

	while (total <= limit) {
		put = send_some(sock, bytes + total % length, length - total % length);
		if (put >= 0) {
			total += put;
		} else if (put != -EAGAIN) {
			return fail("send: %s", strerror(-put)), -1;
		} else if (!ready(sock, POLLOUT, still)) {
			if (deadline_over())
				return fail("it was still taking bytes when time was up"), -1;
			return total;
		}
	}
	return fail("more than %zu bytes were taken of one whose answers nobody reads", limit), -1;
}

uint8_t pattern(uint32_t seed, size_t at)
{
	uint32_t mixed = (seed * 0x9e3779b1u) ^ (uint32_t)(at * 0x85ebca6bu) ^ (uint32_t)(at >> 8);

	return (uint8_t)(mixed >> 13 ^ mixed >> 24);
}

void fill(uint8_t *bytes, uint32_t seed, size_t at, size_t length)
{
	for (size_t i = 0; i < length; i++)
		bytes[i] = pattern(seed, at + i);
}

size_t differs(const uint8_t *bytes, uint32_t seed, size_t at, size_t length)
{
	size_t i = 0;

	while (i < length && bytes[i] == pattern(seed, at + i))
		i++;
	return i;
}
