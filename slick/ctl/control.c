// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "ctl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_MOST 1024

static const char *remedy(const char *verb, int error)
{
	const int starts = !strcmp(verb, "start");

	switch (error) {
	case EEXIST:
		return "this name is taken: slickctl services";
	case ENOENT:
		return starts ? "there is no such service: echo and forward are, once their modules are loaded" :
				"there is none of this name: slickctl services";
	case EADDRINUSE:
		return "another program listens on this port: ss -ltn";
	case EADDRNOTAVAIL:
		return "no interface of this network namespace has that address: ip address";
	case EINVAL:
		return starts ? "a key or a value is wrong: the services' README.md lists them" :
				"a key or a value is wrong: forward takes marks=HIGH,LOW";
	case EOPNOTSUPP:
		return "this service has nothing that can be changed while it runs: stop it, and start it anew";
	case EPERM:
	case EACCES:
		return "it wants CAP_NET_ADMIN in this network namespace: sudo slickctl ...";
	default:
		return "see dmesg";
	}
}

static int no_room(int error)
{
	if (error == ENOENT)
		return ctl_fail(CTL_NO_MODULE, "slick.ko is not loaded. Run: sudo slickctl load");
	return ctl_fail(CTL_REFUSED, "cannot open " ROOM ": %s (sudo slickctl ...)", strerror(error));
}

static int join(char *line, size_t size, const char *verb, int count, char **words)
{
	size_t length = snprintf(line, size, "%s", verb);
	int word;

	for (word = 0; word < count && length < size; word++) {
		/* A word of several would be several words to the kernel. */
		if (!*words[word] || strpbrk(words[word], " \t\n"))
			return -1;
		length += snprintf(line + length, size - length, " %s", words[word]);
	}
	return length < size ? (int)length : -1;
}

int ctl_control(const char *verb, int count, char **words)
{
	char line[LINE_MOST];
	int length = join(line, sizeof(line), verb, count, words);
	int file, error = 0;

	if (length < 0)
		return ctl_fail(CTL_USAGE, "the words are empty, hold blanks, or are more than %d bytes", LINE_MOST);
	file = open(ROOM "control", O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return no_room(errno);
	if (write(file, line, length) != length)
		error = errno;
	close(file);
	if (!error)
		return 0;
	return ctl_fail(CTL_REFUSED, "%s: %s (%s)", line, strerror(error), remedy(verb, error));
}

int ctl_show(const char *name)
{
	char path[64], bytes[4096];
	ssize_t got;
	int file;

	snprintf(path, sizeof(path), ROOM "%s", name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return no_room(errno);
	while ((got = read(file, bytes, sizeof(bytes))) > 0)
		fwrite(bytes, 1, got, stdout);
	close(file);
	return got < 0 || fflush(stdout) ? ctl_fail(CTL_REFUSED, "%s: %s", path, strerror(errno)) : 0;
}
