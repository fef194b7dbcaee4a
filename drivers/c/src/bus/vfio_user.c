/*
 * bus/vfio_user · vfio-user protocol 0.1
 * A client of messages over a socket, for which it needs neither root nor card: doorbell pages are mapped, every other
 * access is a message.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bus.h"
#include "../dma.h"
#include "../error.h"
#include "channel.h"
#include "region.h"
#include "wire.h"

struct vfio_user {
	struct bus bus; /* first: a bus pointer is a vfio_user pointer */
	struct channel channel;
	char *name; /* the address, for messages */
};

static struct vfio_user *of(struct bus *bus)
{
	return (struct vfio_user *)bus;
}

/* --- region accesses -------------------------------------------------------------------------------------------- */

/* A request that is a structure, with nothing behind it. */
#define REQUEST(number, structure) \
	&(struct request){ .command = (number), .payload = &(structure), .bytes = sizeof(structure) }

static int region_read(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t *value)
{
	struct vfio_user *user = of(bus);
	struct wire_region_access access = { .offset = offset, .region = region, .count = width };
	struct reply reply;
	int error = channel_call(&user->channel, REQUEST(WIRE_COMMAND_REGION_READ, access), &reply);

	if (error < 0)
		return error;
	if (reply.bytes < sizeof(access) + width)
		return error_set(EIO, "%s: short answer to a read of 0x%x", user->name, offset);
	*value = 0;
	memcpy(value, reply.payload + sizeof(access), width);
	return 0;
}

static int region_write(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t value)
{
	struct {
		struct wire_region_access access;
		uint32_t value;
	} write = { { .offset = offset, .region = region, .count = width }, value };
	struct request request = { .command = WIRE_COMMAND_REGION_WRITE, .payload = &write,
		.bytes = sizeof(write.access) + width };
	struct reply reply;

	return channel_call(&of(bus)->channel, &request, &reply);
}

/* --- connecting ------------------------------------------------------------------------------------------------- */

static int negotiate(struct vfio_user *user)
{
	const struct {
		struct wire_version_payload version;
		char json[80];
	} offer = { { .major = WIRE_VERSION_MAJOR, .minor = WIRE_VERSION_MINOR },
		"{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576}}" };
	struct request request = { .command = WIRE_COMMAND_VERSION, .payload = &offer,
		.bytes = sizeof(offer.version) + strlen(offer.json) + 1 };
	struct wire_version_payload chosen;
	struct reply reply;
	int error = channel_call(&user->channel, &request, &reply);

	if (reply.fd >= 0)
		close(reply.fd);
	if (error == -EBUSY)
		return error_set(EACCES, "%s: the device is in use by another driver; stop that one first", user->name);
	if (error < 0 || reply.bytes < sizeof(chosen))
		return error_set(ENOENT, "%s: nothing there that speaks vfio-user", user->name);
	memcpy(&chosen, reply.payload, sizeof(chosen));
	if (chosen.major != WIRE_VERSION_MAJOR)
		return error_set(ENOTSUP, "%s: vfio-user version %u is not supported, %d is", user->name, chosen.major,
		                 WIRE_VERSION_MAJOR);
	return 0;
}

static int map_bar0(struct vfio_user *user)
{
	struct wire_region_info query = { .argsz = CHANNEL_PAYLOAD_BYTES, .index = BUS_BAR0 };
	struct reply reply;
	int error = channel_call(&user->channel, REQUEST(WIRE_COMMAND_DEVICE_GET_REGION_INFO, query), &reply);

	if (!error)
		error = region_map(&user->bus, user->name, reply.fd, reply.payload, reply.bytes);
	if (reply.fd >= 0)
		close(reply.fd);
	return error;
}

/* --- memory, interrupts, reset ---------------------------------------------------------------------------------- */

static int unmap_run(struct bus *bus, const struct dma_run *run)
{
	const struct wire_dma_unmap unmap = { .argsz = sizeof(unmap), .iova = run->iova, .size = run->bytes };
	struct reply reply;

	return channel_call(&of(bus)->channel, REQUEST(WIRE_COMMAND_DMA_UNMAP, unmap), &reply);
}

static int map_run(struct bus *bus, const struct ringway_memory *memory, const struct dma_run *run)
{
	const struct wire_dma_map map = { .argsz = sizeof(map), .flags = WIRE_DMA_FLAGS_READ | WIRE_DMA_FLAGS_WRITE,
		.offset = run->offset, .iova = run->iova, .size = run->bytes };
	struct request request = { .command = WIRE_COMMAND_DMA_MAP, .payload = &map, .bytes = sizeof(map),
		.fds = &memory->fd, .fd_count = 1 };
	struct reply reply;

	return channel_call(&of(bus)->channel, &request, &reply);
}

/* What was mapped before an error ends with the connection. */
static int map_memory(struct bus *bus, struct ringway_memory *memory)
{
	int error = 0;

	for (struct dma_run run = dma_run_at(memory, 0); !error && run.bytes; run = dma_run_at(memory, run.offset + run.bytes))
		error = map_run(bus, memory, &run);
	return error;
}

static int unmap_memory(struct bus *bus, struct ringway_memory *memory)
{
	int error = 0;

	for (struct dma_run run = dma_run_at(memory, 0); !error && run.bytes; run = dma_run_at(memory, run.offset + run.bytes))
		error = unmap_run(bus, &run);
	return error;
}

static int bind_vectors(struct bus *bus, uint32_t first, const int *eventfds, uint32_t count)
{
	const struct wire_irq_set set = { .argsz = sizeof(set),
		.flags = WIRE_IRQ_SET_FLAGS_ACTION_TRIGGER |
		         (count ? WIRE_IRQ_SET_FLAGS_DATA_EVENTFD : WIRE_IRQ_SET_FLAGS_DATA_NONE),
		.index = WIRE_IRQ_MSIX, .start = first, .count = count };
	struct request request = { .command = WIRE_COMMAND_DEVICE_SET_IRQS, .payload = &set, .bytes = sizeof(set),
		.fds = eventfds, .fd_count = count };
	struct reply reply;

	return channel_call(&of(bus)->channel, &request, &reply);
}

static int function_reset(struct bus *bus)
{
	struct reply reply;

	return channel_call(&of(bus)->channel, &(struct request){ .command = WIRE_COMMAND_DEVICE_RESET }, &reply);
}

static int alive(struct bus *bus)
{
	return channel_alive(&of(bus)->channel);
}

static void vfio_user_close(struct bus *bus)
{
	struct vfio_user *user = of(bus);

	region_unmap(bus);
	if (user->channel.socket >= 0)
		close(user->channel.socket);
	free(user->name);
	free(user);
}

static const struct bus_ops vfio_user_ops = {
	.way = "vfio-user",
	.read = region_read,
	.write = region_write,
	.map_memory = map_memory,
	.unmap_memory = unmap_memory,
	.bind_vectors = bind_vectors,
	.reset = function_reset,
	.alive = alive,
	.close = vfio_user_close,
};

int vfio_user_open(const char *path, struct bus **bus)
{
	struct vfio_user *user = calloc(1, sizeof(*user));
	int error;

	if (!user || asprintf(&user->name, "unix:%s", path) < 0) {
		free(user);
		return error_set(ENOMEM, "out of memory");
	}
	user->bus.ops = &vfio_user_ops;
	user->channel.socket = -1;
	error = channel_connect(&user->channel, user->name + strlen("unix:"));
	if (!error)
		error = negotiate(user);
	if (!error)
		error = map_bar0(user);
	if (error < 0) {
		vfio_user_close(&user->bus);
		return error;
	}
	*bus = &user->bus;
	return 0;
}
