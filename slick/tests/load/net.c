// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <fcntl.h>

uint64_t socket_calls;

static socklen_t parse(const char *text, uint16_t port, struct sockaddr_storage *address)
{
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
	struct sockaddr_in *four = (struct sockaddr_in *)address;

	memset(address, 0, sizeof(*address));
	if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
		four->sin_family = AF_INET;
		four->sin_port = htons(port);
		return sizeof(*four);
	}
	if (inet_pton(AF_INET6, text, &six->sin6_addr) != 1)
		die("'%s' is neither an IPv4 nor an IPv6 address", text);
	six->sin6_family = AF_INET6;
	six->sin6_port = htons(port);
	return sizeof(*six);
}

static int await(int fd, short events, uint64_t patience)
{
	struct pollfd one = { .fd = fd, .events = events };

	return poll(&one, 1, (int)(patience / 1000000));
}

int net_connect(const char *address, uint16_t port, uint64_t patience)
{
	struct sockaddr_storage to;
	socklen_t length = parse(address, port, &to), size = sizeof(int);
	int fd = socket(to.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	int error = 0, on = 1;

	if (fd < 0)
		die("no socket: %s", strerror(errno));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (!connect(fd, (struct sockaddr *)&to, length))
		return fd;
	if (errno == EINPROGRESS) {
		if (await(fd, POLLOUT, patience) <= 0)
			die("%s port %u does not answer", address, port);
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
	} else {
		error = errno;
	}
	if (error)
		die("no connection to %s port %u: %s", address, port, strerror(error));
	return fd;
}

static uint16_t *port_of(struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET ? &((struct sockaddr_in *)address)->sin_port :
		&((struct sockaddr_in6 *)address)->sin6_port;
}

int net_listen(int like, struct sockaddr_storage *address, uint16_t *port)
{
	socklen_t length = sizeof(*address);
	int fd;

	if (getsockname(like, (struct sockaddr *)address, &length))
		die("no address of our own: %s", strerror(errno));
	*port_of(address) = 0;
	fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	if (fd < 0 || bind(fd, (struct sockaddr *)address, length) || listen(fd, 4) ||
	    getsockname(fd, (struct sockaddr *)address, &length))
		die("a backend cannot listen: %s", strerror(errno));
	*port = ntohs(*port_of(address));
	return fd;
}

int net_accept(int listener, uint64_t patience, const char *what)
{
	int fd = -1;

	if (await(listener, POLLIN, patience) > 0)
		fd = accept(listener, NULL, NULL);
	if (fd < 0)
		die("no connection came for %s", what);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

int64_t net_send(int fd, struct iovec *parts, int number)
{
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = (size_t)number };
	ssize_t sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);

	socket_calls++;
	if (sent >= 0)
		return sent;
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

int64_t net_recv(int fd, void *bytes, size_t length, bool *ended)
{
	ssize_t got = recv(fd, bytes, length, MSG_DONTWAIT);

	socket_calls++;
	*ended = got == 0;
	if (got >= 0)
		return got;
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

void net_lowat(int fd, uint32_t bytes)
{
	int value = (int)bytes;

	setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &value, sizeof(value));
}
