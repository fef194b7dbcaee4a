/* SPDX-License-Identifier: BSD-3-Clause */
/* How the library says what went wrong: a negative errno to act on, and one line for people. */
#ifndef RINGWAY_SRC_ERROR_H
#define RINGWAY_SRC_ERROR_H

/** Records the line that ringway_error() gives and returns `-errnum`. */
int error_set(int errnum, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
