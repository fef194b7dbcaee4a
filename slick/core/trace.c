// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Where the tracepoints live. */
#define CREATE_TRACE_POINTS
#include "trace.h"
