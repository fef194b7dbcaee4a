/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "../error.h"
#include "wire.h"

#define DEADLINE_SECONDS 2
#define REPLY_BYTES      (2u << 20)

int channel_connect(struct channel *channel, const char *path)
{
	const struct timeval deadline = { .tv_sec = DEADLINE_SECONDS };
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	channel->peer = path;
	pthread_mutex_init(&channel->asking, NULL);
	if (strlen(path) >= sizeof(address.sun_path))
		return error_set(ENOENT, "unix:%s: the path of a socket has at most %zu bytes", path, sizeof(address.sun_path) - 1);
	strcpy(address.sun_path, path);
	channel->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (channel->socket < 0)
		return error_set(errno, "unix:%s: socket: %s", path, strerror(errno));
	setsockopt(channel->socket, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof(deadline));
	setsockopt(channel->socket, SOL_SOCKET, SO_SNDTIMEO, &deadline, sizeof(deadline));
	if (connect(channel->socket, (const struct sockaddr *)&address, sizeof(address)) == 0)
		return 0;
	if (errno == EACCES || errno == EPERM)
		return error_set(EACCES, "unix:%s: permission denied; run as the user who started the device, or change the mode of the socket", path);
	return error_set(ENOENT, "unix:%s: no device answers there (%s); start one with `ringway lab`", path, strerror(errno));
}

static int gone(const struct channel *channel, const char *why)
{
	return error_set(EIO, "unix:%s: the device is gone: %s", channel->peer, why);
}

static int send_message(struct channel *channel, const struct request *request, uint32_t flags, uint16_t id)
{
	size_t total = sizeof(struct wire_header) + request->bytes;
	struct wire_header header = { .id = id, .command = request->command, .size = (uint32_t)total, .flags = flags };
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(CHANNEL_FDS * sizeof(int))];
	} control;
	struct iovec parts[2] = { { &header, sizeof(header) }, { (void *)request->payload, request->bytes } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	if (request->fd_count) {
		struct cmsghdr *rights;

		memset(&control, 0, sizeof(control));
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(request->fd_count * sizeof(int));
		rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(request->fd_count * sizeof(int));
		memcpy(CMSG_DATA(rights), request->fds, request->fd_count * sizeof(int));
	}
	for (;;) {
		ssize_t sent = sendmsg(channel->socket, &message, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent == (ssize_t)total)
			return 0;
		return gone(channel, sent < 0 ? strerror(errno) : "it took half a message");
	}
}

/* Reads exactly `bytes`. */
static int read_exactly(struct channel *channel, uint8_t *into, size_t bytes)
{
	while (bytes) {
		ssize_t n = recv(channel->socket, into, bytes, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			return gone(channel, "it closed the connection");
		if (n < 0)
			return gone(channel, errno == EAGAIN ? "no answer within 2 s" : strerror(errno));
		into += n;
		bytes -= (size_t)n;
	}
	return 0;
}

/* Keeps the first descriptor of a control message and closes the others. */
static void take_descriptors(struct msghdr *message, int *fd)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
		size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			int received;

			memcpy(&received, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
			if (*fd < 0)
				*fd = received;
			else
				close(received);
		}
	}
}

/* The header comes alone, with its descriptors: recv would silently drop them. */
static int read_header(struct channel *channel, struct wire_header *header, int *fd)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(CHANNEL_FDS * sizeof(int))];
	} control;
	struct iovec part = { header, sizeof(*header) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
		.msg_controllen = sizeof(control) };
	ssize_t n;

	*fd = -1;
	do
		n = recvmsg(channel->socket, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return gone(channel, "it closed the connection");
	if (n < 0)
		return gone(channel, errno == EAGAIN ? "no answer within 2 s" : strerror(errno));
	take_descriptors(&message, fd);
	return read_exactly(channel, (uint8_t *)header + n, sizeof(*header) - (size_t)n);
}

/* Error replies may carry half a payload, which has to be drained too. */
static int read_payload(struct channel *channel, size_t bytes, struct reply *reply)
{
	uint8_t rest[256];
	size_t kept = bytes < sizeof(reply->payload) ? bytes : sizeof(reply->payload);
	int error = read_exactly(channel, reply->payload, kept);

	reply->bytes = kept;
	for (bytes -= kept; !error && bytes; ) {
		size_t part = bytes < sizeof(rest) ? bytes : sizeof(rest);

		error = read_exactly(channel, rest, part);
		bytes -= part;
	}
	return error;
}

static int check_header(struct channel *channel, const struct wire_header *header, const struct request *request,
                        uint16_t id)
{
	if (header->id == id && header->command == request->command &&
	    (header->flags & WIRE_FLAGS_TYPE_MASK) == WIRE_FLAGS_REPLY && header->size >= sizeof(*header) &&
	    header->size <= REPLY_BYTES)
		return 0;
	return gone(channel, "it does not speak vfio-user");
}

/* The error number of a reply may be 0 although it says that it is an error. */
static int refused(const struct channel *channel, const struct wire_header *header)
{
	int errnum = header->errnum > 0 && header->errnum < 4096 ? (int)header->errnum : EINVAL;

	return error_set(errnum, "unix:%s: the device refused command %u: %s", channel->peer, header->command,
	                 strerror(errnum));
}

static int call(struct channel *channel, const struct request *request, struct reply *reply)
{
	struct wire_header header;
	uint16_t id = channel->next_id++;
	int error = send_message(channel, request, 0, id);

	reply->fd = -1;
	reply->bytes = 0;
	if (!error)
		error = read_header(channel, &header, &reply->fd);
	if (!error)
		error = check_header(channel, &header, request, id);
	if (!error)
		error = read_payload(channel, header.size - sizeof(header), reply);
	if (!error && header.flags & WIRE_FLAGS_ERROR)
		error = refused(channel, &header);
	if (error && reply->fd >= 0) {
		close(reply->fd);
		reply->fd = -1;
	}
	return error;
}

int channel_call(struct channel *channel, const struct request *request, struct reply *reply)
{
	int error;

	pthread_mutex_lock(&channel->asking);
	error = call(channel, request, reply);
	pthread_mutex_unlock(&channel->asking);
	return error;
}

int channel_alive(struct channel *channel)
{
	struct pollfd state = { .fd = channel->socket, .events = POLLRDHUP };

	if (poll(&state, 1, 0) <= 0)
		return 0;
	return gone(channel, "it closed the connection");
}
