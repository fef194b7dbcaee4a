// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Services and their instances. One lock for all: they are started here, not served. */
#include <linux/ctype.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include <slick/service.h>

#include "internal.h"

struct service {
	const struct slick_service_ops *ops;
	struct list_head list;
};

struct instance {
	const struct slick_service_ops *ops;
	const struct net *net;
	void *it;
	struct list_head list;
	char name[SLICK_NAME];
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(services);
static LIST_HEAD(instances);

static struct service *service_find(const char *name)
{
	struct service *service;

	list_for_each_entry(service, &services, list)
		if (!strcmp(service->ops->name, name))
			return service;
	return NULL;
}

static struct instance *instance_find(const struct net *net, const char *name)
{
	struct instance *instance;

	list_for_each_entry(instance, &instances, list)
		if (instance->net == net && !strcmp(instance->name, name))
			return instance;
	return NULL;
}

static void instance_stop(struct instance *instance)
{
	instance->ops->stop(instance->it);
	list_del(&instance->list);
	kfree(instance);
}

/* The next word, or NULL. */
static char *word(char **line)
{
	char *at = skip_spaces(*line);

	if (!*at) {
		*line = at;
		return NULL;
	}
	*line = at + strcspn(at, " \t");
	if (**line)
		*(*line)++ = 0;
	return at;
}

static bool good_name(const char *name)
{
	size_t length = strlen(name);
	size_t i;

	for (i = 0; i < length; i++)
		if (!isalnum(name[i]) && !strchr("-_.", name[i]))
			return false;
	return length < SLICK_NAME;
}

static int start(struct net *net, char *line)
{
	const char *kind = word(&line);
	const char *name = word(&line);
	struct instance *instance;
	struct service *service;

	if (!kind || !name || !good_name(name))
		return -EINVAL;
	service = service_find(kind);
	if (!service)
		return -ENOENT;
	if (instance_find(net, name))
		return -EEXIST;
	instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	if (!instance)
		return -ENOMEM;
	instance->it = service->ops->start(net, line);
	if (IS_ERR(instance->it)) {
		int error = PTR_ERR(instance->it);

		kfree(instance);
		return error;
	}
	instance->ops = service->ops;
	instance->net = net;
	strscpy(instance->name, name, sizeof(instance->name));
	list_add_tail(&instance->list, &instances);
	return 0;
}

static int stop(struct net *net, char *line)
{
	const char *name = word(&line);
	struct instance *instance;

	if (!name || word(&line))
		return -EINVAL;
	instance = instance_find(net, name);
	if (!instance)
		return -ENOENT;
	instance_stop(instance);
	return 0;
}

static int set(struct net *net, char *line)
{
	const char *name = word(&line);
	struct instance *instance;

	if (!name)
		return -EINVAL;
	instance = instance_find(net, name);
	if (!instance)
		return -ENOENT;
	return instance->ops->set ? instance->ops->set(instance->it, line) : -EOPNOTSUPP;
}

static const struct {
	const char *name;
	int (*run)(struct net *net, char *line);
} commands[] = {
	{ "start", start },
	{ "stop", stop },
	{ "set", set },
};

int slick_service_command(struct net *net, char *line)
{
	const char *name;
	int error = -EINVAL;
	int i;

	line = strim(line);
	name = word(&line);
	if (!name || strchr(line, '\n'))
		return -EINVAL;
	mutex_lock(&lock);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			error = commands[i].run(net, line);
	mutex_unlock(&lock);
	return error;
}

void slick_services_show(struct seq_file *file, const struct net *net)
{
	struct instance *instance;

	mutex_lock(&lock);
	list_for_each_entry(instance, &instances, list) {
		if (instance->net != net)
			continue;
		seq_printf(file, "%s %s ", instance->name, instance->ops->name);
		if (instance->ops->show)
			instance->ops->show(file, instance->it);
		seq_putc(file, '\n');
	}
	mutex_unlock(&lock);
}

void slick_services_names(struct seq_file *file)
{
	struct service *service;

	mutex_lock(&lock);
	list_for_each_entry(service, &services, list)
		seq_printf(file, "%s\n", service->ops->name);
	mutex_unlock(&lock);
}

void slick_services_end(const struct net *net)
{
	struct instance *instance, *after;

	mutex_lock(&lock);
	list_for_each_entry_safe(instance, after, &instances, list)
		if (instance->net == net)
			instance_stop(instance);
	mutex_unlock(&lock);
}

int slick_service_register(const struct slick_service_ops *ops)
{
	struct service *service = kzalloc(sizeof(*service), GFP_KERNEL);
	int error = 0;

	if (!service)
		return -ENOMEM;
	service->ops = ops;
	mutex_lock(&lock);
	if (service_find(ops->name))
		error = -EEXIST;
	else
		list_add_tail(&service->list, &services);
	mutex_unlock(&lock);
	if (error)
		kfree(service);
	return error;
}
EXPORT_SYMBOL_GPL(slick_service_register);

void slick_service_unregister(const struct slick_service_ops *ops)
{
	struct instance *instance, *after;
	struct service *service;

	mutex_lock(&lock);
	service = service_find(ops->name);
	if (service && service->ops == ops) {
		list_del(&service->list);
		kfree(service);
	}
	list_for_each_entry_safe(instance, after, &instances, list)
		if (instance->ops == ops)
			instance_stop(instance);
	mutex_unlock(&lock);
}
EXPORT_SYMBOL_GPL(slick_service_unregister);
