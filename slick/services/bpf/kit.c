// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "kit.h"

#include <bpf/bpf.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#ifndef TCP_RTO_MAX_MS
#define TCP_RTO_MAX_MS 44
#endif

#define BACKLOG 4096
#define WIDER (512 * 1024)
#define STATE_CLOSE 7
#define STATE_CLOSE_WAIT 8

int slick_bpf_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	return EXIT_FAILURE;
}

const char *slick_bpf_remedy(int error)
{
	switch (-error) {
	case EPERM:
		return "run as root, or with CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN";
	case ESRCH:
	case EINVAL:
	case EACCES:
		return "it takes Linux 6.14 with CONFIG_DEBUG_INFO_BTF and "
		       "CONFIG_BPF_STREAM_PARSER; --verbose tells more";
	case EOPNOTSUPP:
		return "the kernel has no CONFIG_BPF_STREAM_PARSER: boot one that has it";
	case ENOMEM:
	case E2BIG:
		return "fewer --connections need less memory";
	default:
		return "--verbose tells more";
	}
}

static int say_nothing(enum libbpf_print_level level, const char *format, va_list arguments)
{
	(void)level;
	(void)format;
	(void)arguments;
	return 0;
}

static int say_all(enum libbpf_print_level level, const char *format, va_list arguments)
{
	return level == LIBBPF_DEBUG ? 0 : vfprintf(stderr, format, arguments);
}

void slick_bpf_verbose(bool verbose)
{
	libbpf_set_print(verbose ? say_all : say_nothing);
}

/*
 * The link's descriptor stays open as long as the process lives. Without links the map itself holds
 * the program, and drops it with the last descriptor of the map: either way nothing outlives the
 * process.
 */
int slick_bpf_attach(const struct bpf_program *program, const struct bpf_map *map,
		     enum bpf_attach_type type)
{
	int link = bpf_link_create(bpf_program__fd(program), bpf_map__fd(map), type, NULL);

	if (link >= 0)
		return 0;
	return bpf_prog_attach(bpf_program__fd(program), bpf_map__fd(map), type, 0);
}

int slick_bpf_filter(int fd, const struct bpf_program *program)
{
	int filter = bpf_program__fd(program);

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_BPF, &filter, sizeof(filter)) ? -errno : 0;
}

int slick_bpf_descriptors(unsigned int wanted)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return -errno;
	if (limit.rlim_cur >= wanted)
		return 0;
	limit.rlim_cur = wanted;
	if (limit.rlim_max < wanted)
		limit.rlim_max = wanted;
	return setrlimit(RLIMIT_NOFILE, &limit) ? -errno : 0;
}

static int listen_at(const struct sockaddr_storage *address, int length)
{
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int yes = 1, no = 0;

	if (fd < 0)
		return -errno;
	/* Accepted sockets are born with what the listener was told. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	if (address->ss_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	if (bind(fd, (const struct sockaddr *)address, length) || listen(fd, BACKLOG)) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

int slick_bpf_listen(const char *text, u16 *port)
{
	struct sockaddr_storage address;
	int length = slick_address(text, *port, &address);
	socklen_t bound = sizeof(address);
	int fd;

	if (length < 0)
		return length;
	fd = listen_at(&address, length);
	if (fd < 0)
		return fd;
	if (getsockname(fd, (struct sockaddr *)&address, &bound)) {
		int error = -errno;

		close(fd);
		return error;
	}
	/* The port lies at the same place in both families. */
	*port = ntohs(((struct sockaddr_in *)&address)->sin_port);
	return fd;
}

int slick_bpf_listen_or_say(const char *address, u16 *port)
{
	int fd = slick_bpf_listen(address, port);

	if (fd == -EINVAL)
		slick_bpf_fail("%s is no IPv4 or IPv6 address; --address wants a literal one",
			       address);
	else if (fd < 0)
		slick_bpf_fail(
			"cannot listen on %s port %u: %s; is another service there? 0 takes any port",
			address, *port, strerror(-fd));
	return fd;
}

int slick_bpf_connect(const struct sockaddr_storage *address, int length, u32 send)
{
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int yes = 1;

	if (fd < 0)
		return -errno;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	slick_bpf_buffers(fd, send, send);
	if (connect(fd, (const struct sockaddr *)address, length) && errno != EINPROGRESS) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

int slick_bpf_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int slick_bpf_watch(int epoll, int fd, u32 events, u64 data)
{
	struct epoll_event event = { .events = events, .data.u64 = data };

	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

void slick_bpf_kick(int fd)
{
	int least = 1;

	setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof(least));
}

void slick_bpf_buffers(int fd, u32 receive, u32 send)
{
	int bytes = send, patience = 1000;

	slick_bpf_room(fd, receive);
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
	/*
	 * The worker fills the receive buffer behind TCP's back, so that segments it had offered
	 * room for are dropped. Before Linux 6.15, which does not know this option, the times until
	 * another try double up to minutes.
	 */
	setsockopt(fd, IPPROTO_TCP, TCP_RTO_MAX_MS, &patience, sizeof(patience));
}

void slick_bpf_room(int fd, u32 room)
{
	int bytes = room;

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
}

u32 slick_bpf_wider(int fd, u64 waiting)
{
	u32 info[SK_MEMINFO_VARS] = {};
	socklen_t length = sizeof(info);
	u64 bytes;

	getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &length);
	bytes = info[SK_MEMINFO_RMEM_ALLOC];
	if (waiting > bytes)
		bytes = waiting;
	return (bytes + bytes / 4 + WIDER) / 2;
}

void slick_bpf_reset(int fd)
{
	const struct linger linger = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

/*
 * What was written is what was acknowledged and what is still queued. Asked in this order, because
 * an acknowledgement in between then makes the sum too small, which is only a reason to ask again,
 * and never too large.
 */
int slick_bpf_progress(int fd, struct slick_bpf_progress *progress)
{
	struct tcp_info info = {};
	socklen_t length = sizeof(info);
	int queued;

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) || ioctl(fd, SIOCOUTQ, &queued))
		return -errno;
	if (info.tcpi_state == STATE_CLOSE)
		return -ECONNRESET;
	progress->ended = info.tcpi_state == STATE_CLOSE_WAIT;
	progress->received = info.tcpi_bytes_received - progress->ended;
	progress->acked = info.tcpi_bytes_acked;
	progress->written = progress->acked + queued;
	return 0;
}
