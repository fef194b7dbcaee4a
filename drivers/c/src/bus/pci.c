/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "pci.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bus.h"
#include "../error.h"

/* Hex digits of the form 0000:03:00.0, with or without the domain. */
static bool parse(const char *address, char name[16])
{
	unsigned domain = 0, bus, slot, function;
	int end = -1;

	if (sscanf(address, "%4x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) < 4 || address[end]) {
		end = -1;
		domain = 0;
		if (sscanf(address, "%2x:%2x.%1x%n", &bus, &slot, &function, &end) < 3 || end < 0 || address[end])
			return false;
	}
	if (slot > 31 || function > 7 || strspn(address, "0123456789abcdefABCDEF:.") != strlen(address))
		return false;
	snprintf(name, 16, "%04x:%02x:%02x.%x", domain & 0xFFFF, bus & 0xFF, slot, function);
	return true;
}

int pci_find(const char *address, struct pci *pci)
{
	const char *devices = getenv("RINGWAY_SYSFS");
	struct stat status;
	int length;

	if (!devices || !devices[0])
		devices = bus_paths.devices;
	if (!parse(address, pci->name))
		return error_set(ENOENT, "%s: no address: want unix:/path/to/socket, or a PCI function such as 0000:03:00.0", address);
	length = snprintf(pci->directory, sizeof(pci->directory), "%s/%s", devices, pci->name);
	if (length < (int)sizeof(pci->directory) && stat(pci->directory, &status) == 0)
		return 0;
	return error_set(ENOENT, "%s: no such PCI function in %s; `lspci -D` lists what is there", pci->name, devices);
}

int pci_path(const struct pci *pci, const char *name, char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/%s", pci->directory, name) < PATH_MAX)
		return 0;
	return error_set(ENOENT, "%s: the path of %s is too long", pci->name, name);
}

int pci_attribute(const struct pci *pci, const char *name, int flags)
{
	char path[PATH_MAX];
	int fd, error = pci_path(pci, name, path);

	if (error < 0)
		return error;
	fd = open(path, flags | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	if (errno == EACCES || errno == EPERM)
		return error_set(EACCES, "%s: %s: permission denied; run as root, or bind the function to vfio-pci and give yourself "
		                 "its group in %s", pci->name, path, bus_paths.vfio);
	return error_set(ENOTSUP, "%s: %s: %s", pci->name, path, strerror(errno));
}

/* Reads an attribute without the end of its line. False if it cannot be read. */
static bool read_text(const struct pci *pci, const char *name, char text[PCI_WORD_BYTES])
{
	char path[PATH_MAX];
	ssize_t length;
	int fd;

	if (pci_path(pci, name, path) < 0 || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	length = read(fd, text, PCI_WORD_BYTES - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

uint32_t pci_number(const struct pci *pci, const char *name, uint32_t otherwise)
{
	char text[PCI_WORD_BYTES];

	return read_text(pci, name, text) ? (uint32_t)strtoul(text, NULL, 0) : otherwise;
}

bool pci_is_translated(const struct pci *pci, char mode[PCI_WORD_BYTES])
{
	return read_text(pci, "iommu_group/type", mode) && strcmp(mode, "identity") != 0;
}

bool pci_link(const struct pci *pci, const char *name, char word[PCI_WORD_BYTES])
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *last;
	ssize_t length;

	if (pci_path(pci, name, path) < 0 || (length = readlink(path, target, sizeof(target) - 1)) < 0)
		return false;
	target[length] = '\0';
	last = strrchr(target, '/');
	snprintf(word, PCI_WORD_BYTES, "%.*s", PCI_WORD_BYTES - 1, last ? last + 1 : target);
	return true;
}

int pci_write(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, word, strlen(word)) < 0)
		error = -errno;
	close(fd);
	return error;
}
