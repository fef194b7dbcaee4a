// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* slick.ko: begins and ends with each network namespace. */
#include <linux/module.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "internal.h"

static unsigned int net_id;

struct slick_net *slick_net_of(const struct net *net)
{
	return net_generic(net, net_id);
}

static int __net_init net_begin(struct net *net)
{
	struct slick_net *here = slick_net_of(net);

	here->net = net;
	spin_lock_init(&here->lock);
	INIT_LIST_HEAD(&here->loops);
	return slick_proc_begin(here);
}

/*
 * Before any part of the namespace is gone, so that peers elsewhere are told. The files first: who
 * is in the middle of a command is waited for, and nobody begins another.
 */
static void __net_exit net_end(struct net *net)
{
	struct slick_net *here = slick_net_of(net);

	slick_proc_end(here);
	slick_services_end(net);
	slick_loops_end(here);
}

static struct pernet_operations net_ops = {
	.init = net_begin,
	.pre_exit = net_end,
	.id = &net_id,
	.size = sizeof(struct slick_net),
};

static int __init slick_init(void)
{
	return register_pernet_subsys(&net_ops);
}

/*
 * All events are gone behind the first line, all sockets have their own functions again. Who read
 * a pointer to one of ours before that is done with it behind the second.
 */
static void __exit slick_exit(void)
{
	unregister_pernet_subsys(&net_ops);
	synchronize_rcu();
	rcu_barrier();
}

module_init(slick_init);
module_exit(slick_exit);

MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Event-driven network services in the kernel");
