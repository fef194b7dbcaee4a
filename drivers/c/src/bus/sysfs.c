/*
 * bus/sysfs · Linux ABI sysfs-bus-pci
 * The kernel's driver is asked to let go, and gets the function back when it is closed; resource0 is mapped. The card reads
 * and writes physical addresses, so nothing but this program's care keeps it within the memory.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bus.h"
#include "../dma.h"
#include "../error.h"
#include "../mmio.h"
#include "pci.h"
#include "region.h"

#define COMMAND         4u
#define REVISION        8u /* with the class */
#define INTERFACE_IS_UP 1u /* IFF_UP */

struct sysfs {
	struct bus bus; /* first: a bus pointer is a sysfs pointer */
	struct pci pci;
	int config;
	int resource;           /* locked, so that no other driver in user space takes it */
	uint32_t command;       /* as it was found */
	bool claimed;
	char driver[PATH_MAX];  /* directory of the kernel driver that gets the function back; empty if it had none */
};

static struct sysfs *of(struct bus *bus)
{
	return (struct sysfs *)bus;
}

/* --- accesses --------------------------------------------------------------------------------------------------- */

static int sysfs_read(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t *value)
{
	struct sysfs *sysfs = of(bus);

	if (region == BUS_BAR0 && width == 4 && mmio_mapped(bus, offset))
		return mmio_read(bus, offset, value); /* a load: its effects are those of the card */
	*value = 0;
	if (region == BUS_CONFIG && pread(sysfs->config, value, width, offset) == (ssize_t)width)
		return 0;
	return error_set(EIO, "%s: the device is gone: cannot read 0x%x of region %u", sysfs->pci.name, offset, region);
}

static int sysfs_write(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t value)
{
	struct sysfs *sysfs = of(bus);

	if (region == BUS_BAR0 && width == 4 && mmio_mapped(bus, offset))
		return mmio_write(bus, offset, value);
	if (region == BUS_CONFIG && pwrite(sysfs->config, &value, width, offset) == (ssize_t)width)
		return 0;
	return error_set(EIO, "%s: the device is gone: cannot write 0x%x of region %u", sysfs->pci.name, offset, region);
}

/* --- taking it from the kernel, and giving it back -------------------------------------------------------------- */

/* The first network interface of the function that is up: somebody may be logged in through it. */
static bool interface_in_use(const struct pci *pci, char name[PCI_WORD_BYTES])
{
	char path[PATH_MAX], attribute[PCI_WORD_BYTES + 16];
	struct dirent *entry;
	bool up = false;
	DIR *directory;

	if (pci_path(pci, "net", path) < 0 || !(directory = opendir(path)))
		return false;
	while (!up && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, PCI_WORD_BYTES, "%.*s", PCI_WORD_BYTES - 1, entry->d_name);
		snprintf(attribute, sizeof(attribute), "net/%s/flags", name);
		up = pci_number(pci, attribute, 0) & INTERFACE_IS_UP;
	}
	closedir(directory);
	return up;
}

static int lock_resource(struct sysfs *sysfs)
{
	struct stat status;

	sysfs->resource = pci_attribute(&sysfs->pci, "resource0", O_RDWR);
	if (sysfs->resource < 0)
		return sysfs->resource;
	if (flock(sysfs->resource, LOCK_EX | LOCK_NB) < 0)
		return error_set(EACCES, "%s: it is in use by another driver in user space; stop that one first", sysfs->pci.name);
	if (fstat(sysfs->resource, &status) < 0 || status.st_size < (off_t)BAR0_BYTES)
		return error_set(ENOTSUP, "%s: BAR0 is smaller than the 128 KiB of an 82599", sysfs->pci.name);
	return 0;
}

static int tell_driver(const struct sysfs *sysfs, const char *verb)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", sysfs->driver, verb) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return pci_write(path, sysfs->pci.name);
}

/* Remembers the driver by its own directory: the link is gone once it has let go. */
static int unbind(struct sysfs *sysfs)
{
	char link[PATH_MAX];
	int error = pci_path(&sysfs->pci, "driver", link);

	if (error < 0 || !realpath(link, sysfs->driver)) {
		sysfs->driver[0] = '\0';
		return error;
	}
	error = tell_driver(sysfs, "unbind");
	if (error == 0)
		return 0;
	error = error_set(EACCES, "%s: cannot take it from its driver (%s/unbind: %s); run as root", sysfs->pci.name, sysfs->driver,
	                  strerror(-error));
	sysfs->driver[0] = '\0'; /* it still has it */
	return error;
}

static int sysfs_claim(struct bus *bus, const struct ringway_memory *memory)
{
	struct sysfs *sysfs = of(bus);
	char interface[PCI_WORD_BYTES];
	int error;

	if (!memory->physical)
		return error_set(ENOMEM, "%s: it is reached over sysfs, which needs memory of hugepages (ringway_memory_create_huge)",
		                 sysfs->pci.name);
	if (interface_in_use(&sysfs->pci, interface))
		return error_set(EACCES, "%s: the kernel uses it as %s, which is up: sudo ip link set %s down", sysfs->pci.name, interface,
		                 interface);
	error = lock_resource(sysfs);
	if (!error)
		error = unbind(sysfs);
	if (!error)
		error = sysfs_read(bus, BUS_CONFIG, COMMAND, 2, &sysfs->command);
	sysfs->claimed = error == 0;
	return error ? error : region_map_area(bus, sysfs->pci.name, sysfs->resource, 0, 0, BAR0_BYTES);
}

static void sysfs_close(struct bus *bus)
{
	struct sysfs *sysfs = of(bus);

	region_unmap(bus);
	if (sysfs->claimed)
		sysfs_write(bus, BUS_CONFIG, COMMAND, 2, sysfs->command);
	if (sysfs->driver[0])
		tell_driver(sysfs, "bind");
	if (sysfs->resource >= 0)
		close(sysfs->resource);
	if (sysfs->config >= 0)
		close(sysfs->config);
	free(sysfs);
}

/* --- the rest of what a bus can --------------------------------------------------------------------------------- */

/* Physical addresses: the card reaches the memory, and everything else, already. */
static int map_memory(struct bus *bus, struct ringway_memory *memory)
{
	(void)bus;
	(void)memory;
	return 0;
}

static int bind_vectors(struct bus *bus, uint32_t first, const int *eventfds, uint32_t count)
{
	(void)first;
	(void)eventfds;
	return count == 0 ? 0 : error_set(ENOTSUP, "%s: sysfs has no interrupts; bind it to vfio-pci", of(bus)->pci.name);
}

static int function_reset(struct bus *bus)
{
	char path[PATH_MAX];
	int error = pci_path(&of(bus)->pci, "reset", path);

	if (error == 0)
		error = pci_write(path, "1");
	return error < 0 ? error_set(EIO, "%s: cannot reset it: %s", of(bus)->pci.name, strerror(-error)) : 0;
}

/* A function that was pulled out reads as ones. */
static int alive(struct bus *bus)
{
	uint32_t class;
	int error = sysfs_read(bus, BUS_CONFIG, REVISION, 4, &class);

	return error == 0 && class == UINT32_MAX ? error_set(EIO, "%s: the device is gone: it was removed", of(bus)->pci.name) : error;
}

static const struct bus_ops sysfs_ops = {
	.way = "sysfs",
	.read = sysfs_read,
	.write = sysfs_write,
	.claim = sysfs_claim,
	.map_memory = map_memory,
	.unmap_memory = map_memory,
	.bind_vectors = bind_vectors,
	.reset = function_reset,
	.alive = alive,
	.close = sysfs_close,
};

int sysfs_open(const struct pci *pci, struct bus **bus)
{
	char mode[PCI_WORD_BYTES];
	struct sysfs *sysfs;

	if (!pci_is_ethernet(pci))
		return error_set(ENOTSUP, "%s: it is no Ethernet controller (PCI class 0x%06x); nothing was done to it", pci->name,
		                 pci_number(pci, "class", 0));
	if (pci_is_translated(pci, mode))
		return error_set(ENOTSUP, "%s: an IOMMU translates for it (%s), so it cannot be given physical addresses; use VFIO: "
		                 "sudo ringway bind %s --user $USER", pci->name, mode, pci->name);
	sysfs = calloc(1, sizeof(*sysfs));
	if (!sysfs)
		return error_set(ENOMEM, "out of memory");
	sysfs->bus.ops = &sysfs_ops;
	sysfs->pci = *pci;
	sysfs->resource = -1;
	sysfs->config = pci_attribute(pci, "config", O_RDWR);
	if (sysfs->config < 0) {
		int error = sysfs->config;

		sysfs_close(&sysfs->bus);
		return error;
	}
	*bus = &sysfs->bus;
	return 0;
}
