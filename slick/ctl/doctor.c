// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What is missing for the modules and their twins, and the command that fixes it. */
#include "ctl.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static int missing;

static void good(const char *what, const char *how)
{
	printf("ok       %s%s%s\n", what, *how ? ": " : "", how);
}

static void bad(const char *what, const char *remedy)
{
	printf("missing  %s. %s\n", what, remedy);
	missing++;
}

static int read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t got = file ? fread(text, 1, size - 1, file) : 0;

	if (file)
		fclose(file);
	text[got] = 0;
	return file ? (int)got : -1;
}

static void the_kernel(const struct utsname *kernel)
{
	int major = 0, minor = 0;

	sscanf(kernel->release, "%d.%d", &major, &minor);
	if (major > 6 || (major == 6 && minor >= 1))
		good("kernel", kernel->release);
	else
		bad("kernel 6.1 or later", "This one is older: the modules are made for 6.1 to 6.12");
}

static void the_headers(const struct utsname *kernel)
{
	char path[512], remedy[512];

	snprintf(path, sizeof(path), "/lib/modules/%s/build", kernel->release);
	if (!access(path, F_OK)) {
		good("kernel headers", path);
		return;
	}
	snprintf(remedy, sizeof(remedy), "Run: sudo apt-get install linux-headers-%s (or build with KDIR= for another kernel)",
		 kernel->release);
	bad("kernel headers", remedy);
}

static void modules_at_all(void)
{
	char text[64];

	if (access("/proc/modules", F_OK)) {
		bad("a kernel that loads modules", "This one does not: use the BPF twin, slick-echo-bpf, or another kernel");
		return;
	}
	if (read_text("/proc/sys/kernel/modules_disabled", text, sizeof(text)) > 0 && text[0] == '1')
		bad("leave to load modules", "kernel.modules_disabled is 1 until the next boot");
	else
		good("modules can be loaded", "");
}

static void secure_boot(void)
{
	char text[128];

	if (read_text("/sys/kernel/security/lockdown", text, sizeof(text)) < 0 || strstr(text, "[none]"))
		good("no lockdown", "modules need no signature");
	else
		bad("a signature", "Secure Boot locks the kernel down. Sign by DKMS: mokutil --import /var/lib/dkms/mok.pub, reboot");
}

static void the_rest(void)
{
	if (access(ROOM "control", F_OK))
		bad("slick.ko", "Run: sudo slickctl load slick/ (after make -C slick modules)");
	else
		good("slick.ko", "loaded");
	if (geteuid())
		bad("root", "Loading, starting and stopping want it: sudo slickctl ...");
	else
		good("root", "");
	if (access("/sys/kernel/btf/vmlinux", F_OK))
		bad("BTF", "The BPF twins want a kernel with CONFIG_DEBUG_INFO_BTF; Debian's have it");
	else
		good("BTF", "the BPF twins can be built");
}

int ctl_doctor(void)
{
	struct utsname kernel;

	uname(&kernel);
	the_kernel(&kernel);
	modules_at_all();
	the_headers(&kernel);
	secure_boot();
	the_rest();
	return missing ? 1 : 0;
}
