/*
 * bus · no source: this is ours
 * An address chooses its way: a socket is a socket, a PCI function that is bound to vfio-pci goes by VFIO, any other by
 * sysfs. Each way is a structure of functions that begins with the same members, which is how C spells an interface.
 */

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "bus.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>

#include "bus/pci.h"
#include "error.h"

struct bus_paths bus_paths = {
	.devices = "/sys/bus/pci/devices",
	.vfio = "/dev/vfio",
	.iommu = "/dev/iommu",
	.hugepages = "/dev/hugepages",
	.hugepages_type = HUGETLBFS_MAGIC,
	.pagemap = "/proc/self/pagemap",
};

static bool is_socket(const char *address)
{
	return strncmp(address, "unix:", 5) == 0;
}

static bool goes_by_vfio(const struct pci *pci)
{
	char driver[PCI_WORD_BYTES];

	return pci_link(pci, "driver", driver) && strcmp(driver, "vfio-pci") == 0;
}

int bus_open(const char *address, struct bus **bus)
{
	struct pci pci;
	int error;

	if (is_socket(address))
		return vfio_user_open(address + 5, bus);
	error = pci_find(address, &pci);
	if (error < 0)
		return error;
	return goes_by_vfio(&pci) ? vfio_open(&pci, bus) : sysfs_open(&pci, bus);
}

/* Only of what will not be refused anyway: nobody should look for hugepages in vain. */
bool ringway_needs_hugepages(const char *address)
{
	char mode[PCI_WORD_BYTES];
	struct pci pci;

	return !is_socket(address) && pci_find(address, &pci) == 0 && !goes_by_vfio(&pci) && pci_is_ethernet(&pci) &&
	       !pci_is_translated(&pci, mode);
}
