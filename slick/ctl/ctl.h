/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* slickctl: a door to /proc/net/slick, and to the modules behind it. */
#ifndef SLICK_CTL_H
#define SLICK_CTL_H

#define ROOM "/proc/net/slick/"

/* Exit codes. */
enum {
	CTL_USAGE = 2,		/* the command line is wrong */
	CTL_NO_MODULE = 3,	/* slick.ko is not loaded, or cannot be */
	CTL_REFUSED = 4,	/* the kernel did not do it */
};

/* One line on standard error, as printf(3); gives `code` back. */
int ctl_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* control.c: words are joined to the line that is written to control. All give an exit code. */
int ctl_control(const char *verb, int count, char **words);
int ctl_show(const char *file);

/* modules.c: from `directory`, or where modprobe finds them if it is NULL. */
int ctl_load(const char *directory);
int ctl_unload(void);
/* Why a module could not be loaded, and what helps. */
const char *ctl_remedy(int error);

/* doctor.c */
int ctl_doctor(void);

#endif
