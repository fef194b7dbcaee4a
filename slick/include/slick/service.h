/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Services of the kernel: started, stopped and looked at by way of /proc/net/slick, in each network
 * namespace apart.
 */
#ifndef SLICK_SERVICE_H
#define SLICK_SERVICE_H

#include <linux/device/driver.h>
#include <linux/list.h>
#include <linux/seq_file.h>

struct module;
struct net;

struct slick_service_ops {
	const char *name;	/* "echo" */
	struct module *owner;
	/* An instance or ERR_PTR. `arguments` are "key=value ...", and may be cut up. */
	void *(*start)(struct net *net, char *arguments);
	/* Behind it nothing of the instance runs. */
	void (*stop)(void *instance);
	int (*set)(void *instance, char *arguments);	/* may be NULL: nothing can be set */
	/* "key=value key=value ...", without the end of the line; may be NULL. */
	void (*show)(struct seq_file *file, void *instance);
};

/* -EEXIST: there is one of that name. */
int slick_service_register(const struct slick_service_ops *ops);
/* Stops its instances in all namespaces. */
void slick_service_unregister(const struct slick_service_ops *ops);

/* For a module that is one service and nothing else. */
#define module_slick_service(ops) \
	module_driver(ops, slick_service_register, slick_service_unregister)

#endif
