/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the parts of slick.ko know of each other. */
#ifndef SLICK_INTERNAL_H
#define SLICK_INTERNAL_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/refcount.h>
#include <linux/seq_file.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <net/sock.h>

#include <slick/klibevent.h>

#define SLICK_NAME 32		/* of a loop or an instance, with the 0 behind it */
#define SLICK_BUDGET 64

/* What is counted: slick_counter_names says how it is called in /proc/net/slick/counters. */
enum slick_counter {
	SLICK_COUNT_ACCEPTED,	/* connections */
	SLICK_COUNT_REFUSED,	/* by accept(), or sockets that are not to be had */
	SLICK_COUNT_CLOSED,	/* events that ended */
	SLICK_COUNT_CALLBACKS,
	SLICK_COUNT_AGAIN,	/* budgets spent */
	SLICK_COUNT_DEFERRED,	/* from a softirq to a work */
	SLICK_COUNT_KICKS,
	SLICK_COUNT_TIMEOUTS,
	SLICK_COUNT_ERRORS,	/* dead connections */
	SLICK_COUNT_NUMBER
};

extern const char *const slick_counter_names[SLICK_COUNT_NUMBER];

struct slick_counts {
	u64 of[SLICK_COUNT_NUMBER];
};

/* Of a network namespace. */
struct slick_net {
	struct net *net;
	spinlock_t lock;		/* for what follows */
	struct list_head loops;
	struct slick_counts past;	/* of loops that are gone */
	struct proc_dir_entry *proc;
	struct slick_loop *usual;	/* of register_sock() */
};

struct slick_loop {
	enum slick_context context;
	u32 budget;
	struct slick_counts __percpu *counts;
	struct workqueue_struct *queue;		/* NULL on SLICK_KTHREAD */
	struct kthread_worker **workers;	/* by CPU, on SLICK_KTHREAD */
	struct net *net;
	spinlock_t lock;			/* for events and ending */
	struct list_head events;
	bool ending;
	refcount_t live;			/* events that are not gone, and the loop itself */
	struct completion empty;
	struct list_head list;			/* in slick_net.loops */
	char name[SLICK_NAME];
};

/* How far slick_kind.step() came. */
enum slick_step {
	SLICK_STEP_IDLE,	/* nothing is due */
	SLICK_STEP_SERVED,	/* something was; look again */
	SLICK_STEP_MORE,	/* something still is, when others had their turn */
};

struct slick_kind {
	/* In the loop's context, by the one who owns the event. */
	enum slick_step (*step)(struct slick_ev *ev);
	void (*data_ready)(struct sock *sk);
	/* With the socket's lock held, when its callbacks are its own again; may be NULL. */
	void (*unhooked)(struct slick_ev *ev);
	/* Behind unhooked(), without the lock; may be NULL. */
	void (*gone)(struct slick_ev *ev);
	const struct slick_transport_ops *transport;
	size_t size;	/* of what a struct slick_ev is the beginning of; 0: of nothing */
	bool listens;
	bool locked;	/* event() runs with the socket's lock held */
};

extern const struct slick_kind slick_process_kind, slick_softirq_kind, slick_listen_kind;

/* A socket's own, while its callbacks are ours. */
struct slick_saved {
	void (*data_ready)(struct sock *sk);
	void (*state_change)(struct sock *sk);
	void (*write_space)(struct sock *sk);
	void (*error_report)(struct sock *sk);
	gfp_t allocation;
	bool task_frag;
};

/*
 * slick_ev.state. An event is worked on by its owner only: who sets SLICK_OWNED where it was not
 * has to see to it that slick_ev_serve() runs. SLICK_POKED tells the owner to look again, and
 * SLICK_DOOMED to end it: who sets that may not touch the event behind it, unless he is the owner.
 */
#define SLICK_OWNED 1
#define SLICK_POKED 2
#define SLICK_DOOMED 4

/* slick_ev.flags, by number. SLICK_DYING is for those who look: it may be a little ahead. */
#define SLICK_DYING 0
#define SLICK_KICKED 1
#define SLICK_TIMED_OUT 2

/* slick_ev.told */
#define SLICK_TOLD_EOF 1	/* at all */
#define SLICK_TOLD_END 2	/* when nothing was left to be read */
#define SLICK_TOLD_ERROR 4

struct slick_ev {
	const struct slick_ev_ops *ops;
	const struct slick_kind *kind;
	struct slick_loop *loop;
	struct sock *sk;
	atomic_t state;
	u32 wanted;
	unsigned long flags;
	u32 told;
	u32 again;		/* what SLICK_AGAIN wants to be told once more */
	bool serving;		/* with the socket's lock: event() runs */
	bool dead;		/* it had an error */
	int broken;		/* the strparser's, for slick_ev_error() */
	u32 timeout;		/* jiffies; 0: none */
	unsigned long last;	/* when something was told, in jiffies */
	void *data;
	union {
		struct work_struct work;
		struct kthread_work thread_work;
	};
	struct kthread_worker *worker;
	struct socket *sock;
	struct timer_list timer;
	struct slick_saved saved;
	struct sk_buff_head lent;	/* what a walk has shown, until it is given back */
	struct list_head list;		/* in slick_loop.events */
	struct completion *gone;	/* slick_ev_del() waits */
	slick_accept_fn accept;		/* of a listener */
};

static inline void slick_count(struct slick_loop *loop, enum slick_counter counter)
{
	this_cpu_inc(loop->counts->of[counter]);
}

/* module.c */
struct slick_net *slick_net_of(const struct net *net);

/* context.c */
int slick_context_open(struct slick_loop *loop);
void slick_context_close(struct slick_loop *loop);
void slick_context_bind(struct slick_ev *ev);
void slick_context_queue(struct slick_ev *ev);

/* loop.c */
/* Counts what a loop has counted in, without a lock. */
void slick_loop_counts(const struct slick_loop *loop, struct slick_counts *sum);
void slick_loops_end(struct slick_net *here);
int slick_loop_enter(struct slick_loop *loop, struct slick_ev *ev);
void slick_loop_hide(struct slick_loop *loop, struct slick_ev *ev);
void slick_loop_leave(struct slick_loop *loop);

/* event.c */
struct slick_ev *slick_ev_new(struct slick_loop *loop, struct socket *sock,
			      const struct slick_ev_ops *ops, void *data,
			      const struct slick_kind *kind, u32 what);
/* Begins: hooks the socket, looks once. On an error the event is freed. */
struct slick_ev *slick_ev_begin(struct slick_ev *ev);
void slick_ev_refused(struct slick_loop *loop, const struct socket *sock, int error);
/* Somebody has to look at the event: from anywhere. */
void slick_ev_poke(struct slick_ev *ev);
/* false: somebody was faster. */
bool slick_ev_doom(struct slick_ev *ev);
void slick_ev_serve(struct slick_ev *ev);
enum slick_ret slick_ev_call(struct slick_ev *ev, u32 what);

/* look.c */
/* What is due, and nothing changes by asking. */
u32 slick_ev_due(struct slick_ev *ev);
/* Likewise, and it counts as told. */
u32 slick_ev_take(struct slick_ev *ev);
/* Takes what was said to the event and not to its socket: SLICK_KICK, SLICK_TIMEOUT. */
u32 slick_ev_take_flags(struct slick_ev *ev, u32 what);
bool slick_writable(struct sock *sk);

/* hook.c */
int slick_sock_check(const struct socket *sock);
/* Whether anybody has it. With the socket's lock and its callbacks' held. */
bool slick_sock_taken(const struct sock *sk);
int slick_hook(struct slick_ev *ev);
void slick_unhook(struct slick_ev *ev);
/* The event of a socket whose lock is held, or NULL. */
struct slick_ev *slick_ev_of(const struct sock *sk);

/* transport.c */
extern const struct slick_transport_ops slick_process_transport, slick_locked_transport;

/* walk.c */
ssize_t slick_process_walk(void *context, size_t most, slick_walk_fn fn, void *data);
void slick_process_walked(void *context);
ssize_t slick_process_sendv(void *context, const struct slick_piece *pieces, unsigned int number);

/* proc.c */
int slick_proc_begin(struct slick_net *here);
void slick_proc_end(struct slick_net *here);

/* service.c */
/* `line` is cut up; as the write to /proc/net/slick/control. */
int slick_service_command(struct net *net, char *line);
void slick_services_show(struct seq_file *file, const struct net *net);
void slick_services_names(struct seq_file *file);
void slick_services_end(const struct net *net);

#endif
