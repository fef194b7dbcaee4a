// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* /proc/net/slick: what there is, and one file to command by. */
#include <linux/capability.h>
#include <linux/proc_fs.h>
#include <linux/seq_file_net.h>
#include <net/net_namespace.h>
#include <net/tcp.h>

#include "internal.h"

const char *const slick_counter_names[SLICK_COUNT_NUMBER] = {
	[SLICK_COUNT_ACCEPTED] = "accepted",
	[SLICK_COUNT_REFUSED] = "refused",
	[SLICK_COUNT_CLOSED] = "closed",
	[SLICK_COUNT_CALLBACKS] = "callbacks",
	[SLICK_COUNT_AGAIN] = "again",
	[SLICK_COUNT_DEFERRED] = "deferred",
	[SLICK_COUNT_KICKS] = "kicks",
	[SLICK_COUNT_TIMEOUTS] = "timeouts",
	[SLICK_COUNT_ERRORS] = "errors",
};

static const char *const context_names[] = {
	[SLICK_PERCPU] = "percpu",
	[SLICK_ORDERED] = "ordered",
	[SLICK_KTHREAD] = "kthread",
	[SLICK_SOFTIRQ] = "softirq",
};

static int control_show(struct seq_file *file, void *unused)
{
	slick_services_names(file);
	return 0;
}

static int control_write(struct file *file, char *line, size_t length)
{
	struct net *net = seq_file_single_net(file->private_data);

	if (!ns_capable(net->user_ns, CAP_NET_ADMIN))
		return -EPERM;
	return slick_service_command(net, line);
}

static int services_show(struct seq_file *file, void *unused)
{
	slick_services_show(file, seq_file_single_net(file));
	return 0;
}

static unsigned int count_events(struct slick_loop *loop)
{
	struct slick_ev *ev;
	unsigned int count = 0;

	spin_lock(&loop->lock);
	list_for_each_entry(ev, &loop->events, list)
		count++;
	spin_unlock(&loop->lock);
	return count;
}

static int loops_show(struct seq_file *file, void *unused)
{
	struct slick_net *here = slick_net_of(seq_file_single_net(file));
	struct slick_loop *loop;
	int i;

	spin_lock(&here->lock);
	list_for_each_entry(loop, &here->loops, list) {
		struct slick_counts counts = { };

		slick_loop_counts(loop, &counts);
		seq_printf(file, "%s context=%s budget=%u events=%u", loop->name,
			   context_names[loop->context], loop->budget, count_events(loop));
		for (i = 0; i < SLICK_COUNT_NUMBER; i++)
			seq_printf(file, " %s=%llu", slick_counter_names[i], counts.of[i]);
		seq_putc(file, '\n');
	}
	spin_unlock(&here->lock);
	return 0;
}

static void show_addresses(struct seq_file *file, const struct sock *sk)
{
	u16 local = sk->sk_num;
	u16 peer = ntohs(sk->sk_dport);

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		seq_printf(file, " local=[%pI6c]:%u peer=[%pI6c]:%u", &sk->sk_v6_rcv_saddr, local,
			   &sk->sk_v6_daddr, peer);
		return;
	}
#endif
	seq_printf(file, " local=%pI4:%u peer=%pI4:%u", &sk->sk_rcv_saddr, local, &sk->sk_daddr,
		   peer);
}

static void show_socket(struct seq_file *file, const struct slick_ev *ev)
{
	const struct tcp_sock *tp = tcp_sk(ev->sk);
	u32 wanted = READ_ONCE(ev->wanted);

	seq_puts(file, ev->loop->name);
	show_addresses(file, ev->sk);
	if (ev->kind->listens) {
		seq_printf(file, " listens waiting=%u\n", READ_ONCE(ev->sk->sk_ack_backlog));
		return;
	}
	seq_printf(file, " wanted=%s%s%s received=%llu sent=%llu unread=%u unacknowledged=%u\n",
		   wanted & SLICK_READ ? "r" : "", wanted & SLICK_WRITE ? "w" : "",
		   wanted ? "" : "-", READ_ONCE(tp->bytes_received), READ_ONCE(tp->bytes_acked),
		   READ_ONCE(tp->rcv_nxt) - READ_ONCE(tp->copied_seq),
		   READ_ONCE(tp->write_seq) - READ_ONCE(tp->snd_una));
}

static int sockets_show(struct seq_file *file, void *unused)
{
	struct slick_net *here = slick_net_of(seq_file_single_net(file));
	struct slick_loop *loop;
	struct slick_ev *ev;

	spin_lock(&here->lock);
	list_for_each_entry(loop, &here->loops, list) {
		spin_lock(&loop->lock);
		list_for_each_entry(ev, &loop->events, list)
			show_socket(file, ev);
		spin_unlock(&loop->lock);
	}
	spin_unlock(&here->lock);
	return 0;
}

static int counters_show(struct seq_file *file, void *unused)
{
	struct slick_net *here = slick_net_of(seq_file_single_net(file));
	struct slick_counts counts;
	struct slick_loop *loop;
	int i;

	spin_lock(&here->lock);
	counts = here->past;
	list_for_each_entry(loop, &here->loops, list)
		slick_loop_counts(loop, &counts);
	spin_unlock(&here->lock);
	for (i = 0; i < SLICK_COUNT_NUMBER; i++)
		seq_printf(file, "%s %llu\n", slick_counter_names[i], counts.of[i]);
	return 0;
}

int slick_proc_begin(struct slick_net *here)
{
	static const struct {
		const char *name;
		int (*show)(struct seq_file *file, void *unused);
	} files[] = {
		{ "services", services_show },
		{ "loops", loops_show },
		{ "sockets", sockets_show },
		{ "counters", counters_show },
	};
	int i;

	here->proc = proc_net_mkdir(here->net, "slick", here->net->proc_net);
	if (!here->proc)
		return -ENOMEM;
	if (!proc_create_net_single_write("control", 0600, here->proc, control_show, control_write,
					  NULL))
		goto remove;
	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (!proc_create_net_single(files[i].name, 0444, here->proc, files[i].show, NULL))
			goto remove;
	return 0;
remove:
	slick_proc_end(here);
	return -ENOMEM;
}

void slick_proc_end(struct slick_net *here)
{
	proc_remove(here->proc);
	here->proc = NULL;
}
