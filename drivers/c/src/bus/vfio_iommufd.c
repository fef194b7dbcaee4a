/* SPDX-License-Identifier: BSD-3-Clause */
/* A device node and iommufd: VFIO since Linux 6.6. Closing the device undoes bind and attach. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../bus.h"
#include "../error.h"
#include "vfio.h"
#include "wire.h"

static struct {
	int fd; /* of iommufd, while there are users */
	uint32_t address_space;
	uint32_t users;
} iommu;

/* The node of the function: the only vfioN in its directory vfio-dev. */
static bool node_of(const struct pci *pci, char node[PATH_MAX])
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *directory;

	if (pci_path(pci, "vfio-dev", path) < 0 || !(directory = opendir(path)))
		return false;
	while ((entry = readdir(directory)) && strncmp(entry->d_name, "vfio", 4) != 0)
		;
	if (entry && snprintf(node, PATH_MAX, "%s/devices/%s", bus_paths.vfio, entry->d_name) >= PATH_MAX)
		entry = NULL;
	closedir(directory);
	return entry != NULL;
}

bool vfio_iommufd_is_there(const struct pci *pci)
{
	char node[PATH_MAX];

	return node_of(pci, node) && access(node, R_OK | W_OK) == 0 && access(bus_paths.iommu, R_OK | W_OK) == 0;
}

static int open_iommufd(const struct pci *pci)
{
	struct wire_ioas_alloc alloc = { .size = sizeof(alloc) };

	if (iommu.users++)
		return 0;
	iommu.fd = open(bus_paths.iommu, O_RDWR | O_CLOEXEC);
	if (iommu.fd < 0) {
		iommu.users = 0;
		return error_set(errno == EACCES ? EACCES : ENOTSUP, "%s: %s: %s", pci->name, bus_paths.iommu, strerror(errno));
	}
	if (ioctl(iommu.fd, WIRE_IOMMU_IOCTL_IOAS_ALLOC, &alloc) < 0)
		return error_set(EIO, "%s: IOMMU_IOAS_ALLOC: %s", pci->name, strerror(errno));
	iommu.address_space = alloc.out_ioas_id;
	return 0;
}

static void iommufd_leave(uint32_t id)
{
	(void)id;
	if (--iommu.users == 0)
		close(iommu.fd);
}

static int attach(const struct pci *pci, int device)
{
	struct wire_bind_iommufd bind = { .argsz = sizeof(bind), .iommufd = (uint32_t)iommu.fd };
	struct wire_attach_iommufd_pt table = { .argsz = sizeof(table), .pt_id = iommu.address_space };

	if (ioctl(device, WIRE_IOCTL_DEVICE_BIND_IOMMUFD, &bind) < 0) {
		if (errno == EBUSY || errno == EINVAL)
			return error_set(EACCES, "%s: it, or another function of its IOMMU group, is in use by another program or driver; "
			                 "stop that one first", pci->name);
		return error_set(EIO, "%s: VFIO_DEVICE_BIND_IOMMUFD: %s", pci->name, strerror(errno));
	}
	if (ioctl(device, WIRE_IOCTL_DEVICE_ATTACH_IOMMUFD_PT, &table) < 0)
		return error_set(EIO, "%s: VFIO_DEVICE_ATTACH_IOMMUFD_PT: %s", pci->name, strerror(errno));
	return 0;
}

static int iommufd_join(const struct pci *pci, uint32_t *id)
{
	char node[PATH_MAX] = "";
	int device, error;

	*id = 0;
	if (!node_of(pci, node) || (device = open(node, O_RDWR | O_CLOEXEC)) < 0)
		return error_set(EACCES, "%s: %s: %s", pci->name, node, strerror(errno));
	error = open_iommufd(pci);
	if (!error)
		error = attach(pci, device);
	if (!error)
		return device;
	close(device);
	if (iommu.users)
		iommufd_leave(*id);
	return error;
}

static int iommufd_map(const struct ringway_memory *memory, const struct dma_run *run)
{
	struct wire_ioas_map map = { .size = sizeof(map), .ioas_id = iommu.address_space,
		.flags = WIRE_IOAS_MAP_FLAGS_FIXED_IOVA | WIRE_IOAS_MAP_FLAGS_READABLE | WIRE_IOAS_MAP_FLAGS_WRITEABLE,
		.user_va = (uintptr_t)(memory->base + run->offset), .length = run->bytes, .iova = run->iova };

	return ioctl(iommu.fd, WIRE_IOMMU_IOCTL_IOAS_MAP, &map) < 0 ? -errno : 0;
}

static int iommufd_unmap(const struct dma_run *run)
{
	struct wire_ioas_unmap unmap = { .size = sizeof(unmap), .ioas_id = iommu.address_space, .iova = run->iova,
		.length = run->bytes };

	return ioctl(iommu.fd, WIRE_IOMMU_IOCTL_IOAS_UNMAP, &unmap) < 0 ? -errno : 0;
}

const struct vfio_kind vfio_iommufd = { .join = iommufd_join, .leave = iommufd_leave, .map = iommufd_map,
	.unmap = iommufd_unmap };
