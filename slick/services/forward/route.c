// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

int route_add(struct forward_sender *sender, struct forward_backend *backend)
{
	struct forward_route *route = slick_alloc(sizeof(*route));

	if (!route)
		return -ENOMEM;
	route->sender = sender;
	route->backend = backend;
	route->key = backend->key;
	list_add_tail(&route->bucket, &sender->buckets[route_bucket(route->key)]);
	list_add_tail(&route->of_sender, &sender->routes);
	list_add_tail(&route->of_backend, &backend->routes);
	return 0;
}

static void route_free(struct forward_route *route)
{
	list_del_init(&route->bucket);
	list_del_init(&route->of_sender);
	list_del_init(&route->of_backend);
	slick_free(route);
}

void routes_hide(struct forward_backend *backend)
{
	struct forward_route *route;

	list_for_each_entry(route, &backend->routes, of_backend)
		list_del_init(&route->bucket);
}

void routes_free_sender(struct forward_sender *sender)
{
	struct forward_route *route, *after;

	list_for_each_entry_safe(route, after, &sender->routes, of_sender)
		route_free(route);
}

void routes_free_backend(struct forward_backend *backend, const char *reason)
{
	struct forward_route *route, *after;

	list_for_each_entry_safe(route, after, &backend->routes, of_backend) {
		if (reason)
			sender_failed(route->sender, backend->key, reason);
		route_free(route);
	}
}
