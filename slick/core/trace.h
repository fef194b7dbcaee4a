/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Tracepoints: /sys/kernel/tracing/events/slick. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM slick

#if !defined(SLICK_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SLICK_TRACE_H

#include <linux/tracepoint.h>

#include "internal.h"

#define slick_show_what(what)						\
	__print_flags(what, "|",					\
		      { SLICK_READ, "read" },				\
		      { SLICK_WRITE, "write" },				\
		      { SLICK_EOF, "eof" },				\
		      { SLICK_ERROR, "error" },				\
		      { SLICK_TIMEOUT, "timeout" },			\
		      { SLICK_KICK, "kick" })

TRACE_EVENT(slick_event,
	TP_PROTO(const struct slick_ev *ev, u32 what, int ret),
	TP_ARGS(ev, what, ret),
	TP_STRUCT__entry(
		__array(char, loop, SLICK_NAME)
		__field(const void *, sk)
		__field(u32, what)
		__field(int, ret)
	),
	TP_fast_assign(
		memcpy(__entry->loop, ev->loop->name, SLICK_NAME);
		__entry->sk = ev->sk;
		__entry->what = what;
		__entry->ret = ret;
	),
	TP_printk("loop=%s sk=%p what=%s ret=%s", __entry->loop, __entry->sk,
		  slick_show_what(__entry->what),
		  __print_symbolic(__entry->ret, { SLICK_DONE, "done" }, { SLICK_AGAIN, "again" },
				   { SLICK_CLOSE, "close" }))
);

TRACE_EVENT(slick_accept,
	TP_PROTO(const struct slick_loop *loop, const struct sock *sk),
	TP_ARGS(loop, sk),
	TP_STRUCT__entry(
		__array(char, loop, SLICK_NAME)
		__field(const void *, sk)
		__field(u16, port)
	),
	TP_fast_assign(
		memcpy(__entry->loop, loop->name, SLICK_NAME);
		__entry->sk = sk;
		__entry->port = sk->sk_num;
	),
	TP_printk("loop=%s sk=%p port=%u", __entry->loop, __entry->sk, __entry->port)
);

TRACE_EVENT(slick_close,
	TP_PROTO(const struct slick_ev *ev),
	TP_ARGS(ev),
	TP_STRUCT__entry(
		__array(char, loop, SLICK_NAME)
		__field(const void *, sk)
	),
	TP_fast_assign(
		memcpy(__entry->loop, ev->loop->name, SLICK_NAME);
		__entry->sk = ev->sk;
	),
	TP_printk("loop=%s sk=%p", __entry->loop, __entry->sk)
);

TRACE_EVENT(slick_refused,
	TP_PROTO(const struct slick_loop *loop, const struct sock *sk, int error),
	TP_ARGS(loop, sk, error),
	TP_STRUCT__entry(
		__array(char, loop, SLICK_NAME)
		__field(const void *, sk)
		__field(int, error)
	),
	TP_fast_assign(
		memcpy(__entry->loop, loop->name, SLICK_NAME);
		__entry->sk = sk;
		__entry->error = error;
	),
	TP_printk("loop=%s sk=%p error=%d", __entry->loop, __entry->sk, __entry->error)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
