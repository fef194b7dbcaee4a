/* SPDX-License-Identifier: BSD-3-Clause */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

#include "ringway.h"

/* One line per thread: a worker's error must not overwrite another's. */
static _Thread_local char line[512];

int error_set(int errnum, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	return -errnum;
}

const char *ringway_error(void)
{
	return line[0] ? line : "no error";
}
