// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "ctl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the order in which they want to be loaded. */
static const char *const modules[] = { "slick", "slick_echo", "slick_forward" };
#define MODULES (int)(sizeof(modules) / sizeof(modules[0]))

const char *ctl_remedy(int error)
{
	static char text[256];
	struct utsname kernel;

	uname(&kernel);
	switch (error) {
	case EPERM:
		return "it wants root (sudo), and a kernel that loads modules (not lockdown: cat /sys/kernel/security/lockdown)";
	case EKEYREJECTED:
	case ENOKEY:
	case EBADMSG:
		return "Secure Boot wants it signed: with DKMS, mokutil --import /var/lib/dkms/mok.pub and reboot";
	case ENOEXEC:
		snprintf(text, sizeof(text),
			 "it was built for another kernel: sudo apt-get install linux-headers-%s && make -C slick modules KDIR=/lib/modules/%s/build",
			 kernel.release, kernel.release);
		return text;
	case ENOENT:
		return "the kernel lacks a symbol that it wants (dmesg), or the module before it is not loaded";
	case ENOSYS:
		return "this kernel cannot load modules at all: the BPF twin, slick-echo-bpf, needs none";
	default:
		return "see dmesg";
	}
}

static int load_file(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	int error = 0;

	if (file < 0)
		return ctl_fail(CTL_NO_MODULE, "%s: %s (make -C slick modules builds it)", path, strerror(errno));
	if (syscall(SYS_finit_module, file, "", 0) && errno != EEXIST)
		error = errno;
	close(file);
	return error ? ctl_fail(CTL_NO_MODULE, "%s: %s (%s)", path, strerror(error), ctl_remedy(error)) : 0;
}

static int load_from(const char *directory)
{
	/* As installed, or as make leaves them. */
	static const char *const places[] = { "", "core/", "services/" };
	char path[512];
	int module, code, place;

	for (module = 0; module < MODULES; module++) {
		for (place = 0; place < 3; place++) {
			snprintf(path, sizeof(path), "%s/%s%s.ko", directory, places[place], modules[module]);
			if (!access(path, F_OK))
				break;
		}
		code = load_file(path);
		if (code)
			return code;
	}
	return 0;
}

static int modprobe(const char *module)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -1;
	if (!child) {
		execlp("modprobe", "modprobe", "-q", module, (char *)NULL);
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int ctl_load(const char *directory)
{
	int module;

	if (directory)
		return load_from(directory);
	for (module = 0; module < MODULES; module++) {
		if (!modprobe(modules[module]))
			continue;
		return ctl_fail(CTL_NO_MODULE,
				"modprobe finds no %s that it can load (root? installed? From a build: slickctl load slick/; slickctl doctor)",
				modules[module]);
	}
	return 0;
}

int ctl_unload(void)
{
	int module;

	for (module = MODULES - 1; module >= 0; module--) {
		if (!syscall(SYS_delete_module, modules[module], O_NONBLOCK) || errno == ENOENT)
			continue;
		if (errno == EWOULDBLOCK || errno == EBUSY)
			return ctl_fail(CTL_REFUSED, "%s is used by another module: lsmod | grep slick", modules[module]);
		return ctl_fail(CTL_REFUSED, "%s: %s (%s)", modules[module], strerror(errno),
				errno == EPERM ? "it wants root: sudo slickctl unload" : "see dmesg");
	}
	return 0;
}
