/* SPDX-License-Identifier: BSD-3-Clause */
/* bus/pci -- a PCI function in sysfs: its directory, its attributes, its links. */
#ifndef RINGWAY_SRC_BUS_PCI_H
#define RINGWAY_SRC_BUS_PCI_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define PCI_WORD_BYTES 64

struct pci {
	char name[16];            /* 0000:03:00.0 */
	char directory[PATH_MAX]; /* in sysfs */
};

/** Finds the function; the domain 0000: may be left out. -ENOENT if the address is none, or nothing is there. */
int pci_find(const char *address, struct pci *pci);
/** The path of something in the function's directory; -ENOENT if it is too long. */
int pci_path(const struct pci *pci, const char *name, char path[PATH_MAX]);
/** Opens an attribute; -EACCES with the remedy if that is not allowed. */
int pci_attribute(const struct pci *pci, const char *name, int flags);
/** Reads a number from an attribute such as `class`; `otherwise` if it is not there. */
uint32_t pci_number(const struct pci *pci, const char *name, uint32_t otherwise);
/** Whether it is an Ethernet controller by its PCI class, which is above the 8 bits of the programming interface. */
static inline bool pci_is_ethernet(const struct pci *pci)
{
	return pci_number(pci, "class", 0) >> 8 == 0x0200;
}
/** Whether an IOMMU translates what the function reads and writes, and then how: `DMA`, `DMA-FQ`. False without an IOMMU. */
bool pci_is_translated(const struct pci *pci, char mode[PCI_WORD_BYTES]);
/** The last part of what a link such as `driver` or `iommu_group` leads to. False if there is no such link. */
bool pci_link(const struct pci *pci, const char *name, char word[PCI_WORD_BYTES]);
/** Writes a word to the file at `path`: 0 or a negative errno, without a message. */
int pci_write(const char *path, const char *word);

#endif
