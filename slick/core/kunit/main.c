// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* slick_kunit.ko: the suites run when it is loaded. */
#include <linux/module.h>

#include "kunit.h"

kunit_test_suites(&slick_buffer_suite, &slick_thrift_suite, &slick_tstrp_suite, &slick_whole_suite,
		  &slick_strp_suite, &slick_room_suite, &slick_bsock_suite, &slick_loop_suite,
		  &slick_end_suite, &slick_taken_suite);

MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Unit tests of slick.ko");
