/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups in a container: VFIO as it has been since Linux 3.6. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../bus.h"
#include "../error.h"
#include "vfio.h"
#include "wire.h"

struct group {
	uint32_t number;
	uint32_t users;
	int fd;
	struct group *next;
};

static struct group *groups;
static int container = -1; /* open while there are groups */

static int no_iommu(const struct pci *pci)
{
	return error_set(ENOTSUP, "%s: there is no IOMMU for it: enable VT-d or AMD-Vi in the firmware and boot with intel_iommu=on, "
	                 "or unbind it from vfio-pci and run as root", pci->name);
}

static int open_container(const struct pci *pci)
{
	char path[PATH_MAX];

	if (container >= 0)
		return 0;
	snprintf(path, sizeof(path), "%s/vfio", bus_paths.vfio);
	container = open(path, O_RDWR | O_CLOEXEC);
	if (container < 0 && (errno == EACCES || errno == EPERM))
		return error_set(EACCES, "%s: %s: permission denied: sudo chmod 666 %s", pci->name, path, path);
	if (container < 0)
		return error_set(ENOTSUP, "%s: %s: %s: the kernel has no VFIO, or it is not loaded: sudo modprobe vfio-pci", pci->name,
		                 path, strerror(errno));
	if (ioctl(container, WIRE_IOCTL_GET_API_VERSION) != 0)
		return error_set(ENOTSUP, "%s: this kernel's VFIO has another interface", pci->name);
	if (ioctl(container, WIRE_IOCTL_CHECK_EXTENSION, WIRE_IOMMU_TYPE1V2) <= 0)
		return no_iommu(pci);
	return 0;
}

static int open_group(const struct pci *pci, const char *number)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/noiommu-%s", bus_paths.vfio, number);
	if (access(path, F_OK) == 0)
		return no_iommu(pci);
	snprintf(path, sizeof(path), "%s/%s", bus_paths.vfio, number);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	if (errno == EBUSY)
		return error_set(EACCES, "%s: IOMMU group %s is in use by another program; stop that one first", pci->name, number);
	if (errno == EACCES || errno == EPERM)
		return error_set(EACCES, "%s: %s: permission denied: sudo chown $USER %s", pci->name, path, path);
	return error_set(ENOTSUP, "%s: %s: %s: is it bound to vfio-pci?", pci->name, path, strerror(errno));
}

/* Names a function of the group that another driver has. */
static int not_viable(const struct pci *pci, const char *number)
{
	char path[PATH_MAX], driver[PCI_WORD_BYTES];
	struct pci member;
	struct dirent *entry;
	DIR *directory;
	int error = error_set(EACCES, "%s: IOMMU group %s is not viable: bind all of its functions to vfio-pci", pci->name, number);

	if (pci_path(pci, "iommu_group/devices", path) < 0 || !(directory = opendir(path)))
		return error;
	while ((entry = readdir(directory)))
		if (pci_find(entry->d_name, &member) == 0 && pci_link(&member, "driver", driver) && strcmp(driver, "vfio-pci") != 0)
			break;
	if (entry)
		error_set(EACCES, "%s: IOMMU group %s is not viable: %s in the same group is bound to %s; bind it to vfio-pci too",
		          pci->name, number, member.name, driver);
	else
		error_set(EACCES, "%s: IOMMU group %s is not viable: bind all of its functions to vfio-pci", pci->name, number);
	closedir(directory);
	return error;
}

/* Puts a new group into the container; the first one decides the IOMMU kind. */
static int enter_container(const struct pci *pci, int group, const char *number)
{
	struct wire_group_status status = { .argsz = sizeof(status) };

	if (ioctl(group, WIRE_IOCTL_GROUP_GET_STATUS, &status) < 0)
		return error_set(EIO, "%s: status of IOMMU group %s: %s", pci->name, number, strerror(errno));
	if (!(status.flags & WIRE_GROUP_FLAGS_VIABLE))
		return not_viable(pci, number);
	if (ioctl(group, WIRE_IOCTL_GROUP_SET_CONTAINER, &container) < 0)
		return error_set(errno == EBUSY ? EACCES : EIO, "%s: IOMMU group %s cannot enter the container: %s", pci->name, number,
		                 strerror(errno));
	if (!groups && ioctl(container, WIRE_IOCTL_SET_IOMMU, WIRE_IOMMU_TYPE1V2) < 0)
		return error_set(EIO, "%s: VFIO_SET_IOMMU: %s", pci->name, strerror(errno));
	return 0;
}

static void close_container_if_empty(void)
{
	if (groups || container < 0)
		return;
	close(container);
	container = -1;
}

static struct group *group_of(uint32_t number)
{
	struct group *group = groups;

	while (group && group->number != number)
		group = group->next;
	return group;
}

static int add_group(const struct pci *pci, const char *number)
{
	struct group *group = calloc(1, sizeof(*group));
	int error = group ? open_container(pci) : error_set(ENOMEM, "out of memory");

	if (!error) {
		group->fd = open_group(pci, number);
		error = group->fd < 0 ? group->fd : enter_container(pci, group->fd, number);
		if (error < 0 && group->fd >= 0)
			close(group->fd);
	}
	if (error < 0) {
		free(group);
		close_container_if_empty();
		return error;
	}
	group->number = (uint32_t)strtoul(number, NULL, 10);
	group->next = groups;
	groups = group;
	return 0;
}

static void group_leave(uint32_t id)
{
	struct group **at = &groups, *group;

	while (*at && (*at)->number != id)
		at = &(*at)->next;
	group = *at;
	if (!group || --group->users)
		return;
	*at = group->next;
	close(group->fd);
	free(group);
	close_container_if_empty();
}

static int group_join(const struct pci *pci, uint32_t *id)
{
	char number[PCI_WORD_BYTES];
	int device, error;

	if (!pci_link(pci, "iommu_group", number))
		return no_iommu(pci);
	*id = (uint32_t)strtoul(number, NULL, 10);
	error = group_of(*id) ? 0 : add_group(pci, number);
	if (error < 0)
		return error;
	group_of(*id)->users++;
	device = ioctl(group_of(*id)->fd, WIRE_IOCTL_GROUP_GET_DEVICE_FD, pci->name);
	if (device >= 0)
		return device;
	error = error_set(errno == EBUSY ? EACCES : EIO, "%s: VFIO does not open it: %s", pci->name, strerror(errno));
	group_leave(*id);
	return error;
}

static int group_map(const struct ringway_memory *memory, const struct dma_run *run)
{
	struct wire_type1_dma_map map = { .argsz = sizeof(map), .flags = WIRE_DMA_FLAGS_READ | WIRE_DMA_FLAGS_WRITE,
		.vaddr = (uintptr_t)(memory->base + run->offset), .iova = run->iova, .size = run->bytes };

	return ioctl(container, WIRE_IOCTL_IOMMU_MAP_DMA, &map) < 0 ? -errno : 0;
}

static int group_unmap(const struct dma_run *run)
{
	struct wire_dma_unmap unmap = { .argsz = sizeof(unmap), .iova = run->iova, .size = run->bytes };

	return ioctl(container, WIRE_IOCTL_IOMMU_UNMAP_DMA, &unmap) < 0 ? -errno : 0;
}

const struct vfio_kind vfio_group = { .join = group_join, .leave = group_leave, .map = group_map, .unmap = group_unmap };
