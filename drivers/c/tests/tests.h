/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of tests, one a file, run by main.c. Each returns the number of tests that failed. */
#ifndef RINGWAY_TESTS_TESTS_H
#define RINGWAY_TESTS_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after those four, which it needs */
#include <cmocka.h>

int test_ring(void);
int test_desc(void);
int test_dma(void);
int test_packet(void);
int test_mmio(void);
int test_device(void);
int test_rx(const char *name);
int test_tx(const char *name);
int test_sysfs(void);
int test_vfio(void);

/** Fails unless `needle` occurs in the library's last error message. */
void assert_error_names(const char *needle);

#endif
