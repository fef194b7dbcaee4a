/* vfio-user messages, kernel VFIO and iommufd calls, PCI config space.
 *
 * Generated from spec/vfio.toml; do not edit. After a change there: `cargo run -p ringway-spec -- generate`.
 * Integers are in host byte order.
 */
#ifndef RINGWAY_WIRE_H
#define RINGWAY_WIRE_H

#include <stdint.h>

/* Protocol version that we speak. vfio-user:VERSION. */
enum {
    WIRE_VERSION_MAJOR = 0x0, /* Incompatible changes */
    WIRE_VERSION_MINOR = 0x1, /* Compatible additions */
};

/* Commands of vfio-user. vfio-user:Commands. */
enum {
    WIRE_COMMAND_VERSION = 0x1, /* First message: version and capabilities */
    WIRE_COMMAND_DMA_MAP = 0x2, /* Give the device memory */
    WIRE_COMMAND_DMA_UNMAP = 0x3, /* Take memory back */
    WIRE_COMMAND_DEVICE_GET_INFO = 0x4, /* How many regions and interrupt kinds */
    WIRE_COMMAND_DEVICE_GET_REGION_INFO = 0x5, /* Size, rights and mappable areas of a region */
    WIRE_COMMAND_DEVICE_GET_REGION_IO_FDS = 0x6, /* Event descriptors of a region */
    WIRE_COMMAND_DEVICE_GET_IRQ_INFO = 0x7, /* Vectors of an interrupt kind */
    WIRE_COMMAND_DEVICE_SET_IRQS = 0x8, /* Bind eventfds to vectors */
    WIRE_COMMAND_REGION_READ = 0x9, /* Read of a region */
    WIRE_COMMAND_REGION_WRITE = 0xa, /* Write to a region */
    WIRE_COMMAND_DMA_READ = 0xb, /* Server reads client memory */
    WIRE_COMMAND_DMA_WRITE = 0xc, /* Server writes client memory */
    WIRE_COMMAND_DEVICE_RESET = 0xd, /* Function level reset */
    WIRE_COMMAND_DIRTY_PAGES = 0xe, /* Withdrawn */
    WIRE_COMMAND_REGION_WRITE_MULTI = 0xf, /* Several writes in one message */
    WIRE_COMMAND_DEVICE_FEATURE = 0x10, /* Migration */
    WIRE_COMMAND_MIG_DATA_READ = 0x11, /* Migration */
    WIRE_COMMAND_MIG_DATA_WRITE = 0x12, /* Migration */
};

/* Flags of the message header. vfio-user:Header. */
enum {
    WIRE_FLAGS_TYPE_MASK = 0xf, /* Bits of the message type */
    WIRE_FLAGS_COMMAND = 0x0, /* Type: command */
    WIRE_FLAGS_REPLY = 0x1, /* Type: reply */
    WIRE_FLAGS_NO_REPLY = 0x10, /* The sender wants no reply, not even to a failure */
    WIRE_FLAGS_ERROR = 0x20, /* Reply to a failed command; errno may still be 0 */
};

/* Flags of a region. vfio.h:vfio_region_info. */
enum {
    WIRE_REGION_FLAGS_READ = 0x1, /* Readable */
    WIRE_REGION_FLAGS_WRITE = 0x2, /* Writable */
    WIRE_REGION_FLAGS_MMAP = 0x4, /* Parts may be mapped */
    WIRE_REGION_FLAGS_CAPS = 0x8, /* Capabilities follow */
};

/* Capabilities of a region. vfio.h:vfio_info_cap_header. */
enum {
    WIRE_REGION_CAP_SPARSE_MMAP = 0x1, /* The areas that may be mapped */
    WIRE_REGION_CAP_TYPE = 0x2, /* Kind of a device specific region */
    WIRE_REGION_CAP_MSIX_MAPPABLE = 0x3, /* The MSI-X table may be mapped */
};

/* Interrupt kinds of a PCI function. vfio.h:VFIO_PCI_INTX_IRQ_INDEX. */
enum {
    WIRE_IRQ_INTX = 0x0, /* Pin */
    WIRE_IRQ_MSI = 0x1, /* MSI */
    WIRE_IRQ_MSIX = 0x2, /* MSI-X */
    WIRE_IRQ_ERR = 0x3, /* Error */
    WIRE_IRQ_REQ = 0x4, /* The host wants the device back */
    WIRE_IRQ_COUNT = 0x5, /* Number of kinds */
};

/* Flags of DEVICE_SET_IRQS: one DATA and one ACTION. vfio.h:vfio_irq_set. */
enum {
    WIRE_IRQ_SET_FLAGS_DATA_NONE = 0x1, /* No data: all of the range */
    WIRE_IRQ_SET_FLAGS_DATA_BOOL = 0x2, /* A byte for each vector */
    WIRE_IRQ_SET_FLAGS_DATA_EVENTFD = 0x4, /* A descriptor for each vector */
    WIRE_IRQ_SET_FLAGS_DATA_MASK = 0x7, /* The DATA bits */
    WIRE_IRQ_SET_FLAGS_ACTION_MASK = 0x8, /* Mask */
    WIRE_IRQ_SET_FLAGS_ACTION_UNMASK = 0x10, /* Unmask */
    WIRE_IRQ_SET_FLAGS_ACTION_TRIGGER = 0x20, /* Bind, unbind or fire */
    WIRE_IRQ_SET_FLAGS_ACTION_TYPE_MASK = 0x38, /* The ACTION bits */
};

/* Flags of DMA_MAP. vfio.h:vfio_iommu_type1_dma_map. */
enum {
    WIRE_DMA_FLAGS_READ = 0x1, /* The device may read */
    WIRE_DMA_FLAGS_WRITE = 0x2, /* The device may write */
};

/* Calls of kernel VFIO. vfio.h:VFIO_TYPE. */
enum {
    WIRE_IOCTL_GET_API_VERSION = 0x3b64, /* Container: 0 */
    WIRE_IOCTL_CHECK_EXTENSION = 0x3b65, /* Container: is this IOMMU kind there */
    WIRE_IOCTL_SET_IOMMU = 0x3b66, /* Container: choose the IOMMU kind */
    WIRE_IOCTL_GROUP_GET_STATUS = 0x3b67, /* Group: is it viable */
    WIRE_IOCTL_GROUP_SET_CONTAINER = 0x3b68, /* Group: join a container */
    WIRE_IOCTL_GROUP_UNSET_CONTAINER = 0x3b69, /* Group: leave it */
    WIRE_IOCTL_GROUP_GET_DEVICE_FD = 0x3b6a, /* Group: open a device by name */
    WIRE_IOCTL_DEVICE_GET_INFO = 0x3b6b, /* Device: regions and interrupt kinds */
    WIRE_IOCTL_DEVICE_GET_REGION_INFO = 0x3b6c, /* Device: one region */
    WIRE_IOCTL_DEVICE_GET_IRQ_INFO = 0x3b6d, /* Device: one interrupt kind */
    WIRE_IOCTL_DEVICE_SET_IRQS = 0x3b6e, /* Device: bind eventfds */
    WIRE_IOCTL_DEVICE_RESET = 0x3b6f, /* Device: reset */
    WIRE_IOCTL_IOMMU_GET_INFO = 0x3b70, /* Container: page sizes */
    WIRE_IOCTL_IOMMU_MAP_DMA = 0x3b71, /* Container only: on a device this number is hot reset */
    WIRE_IOCTL_IOMMU_UNMAP_DMA = 0x3b72, /* Container: take memory back */
    WIRE_IOCTL_DEVICE_BIND_IOMMUFD = 0x3b76, /* Device node: bind to an iommufd */
    WIRE_IOCTL_DEVICE_ATTACH_IOMMUFD_PT = 0x3b77, /* Device node: attach an address space */
    WIRE_IOCTL_DEVICE_DETACH_IOMMUFD_PT = 0x3b78, /* Device node: detach */
};

/* Calls of iommufd. iommufd.h:IOMMUFD_TYPE. */
enum {
    WIRE_IOMMU_IOCTL_DESTROY = 0x3b80, /* Destroy an object */
    WIRE_IOMMU_IOCTL_IOAS_ALLOC = 0x3b81, /* New address space */
    WIRE_IOMMU_IOCTL_IOAS_IOVA_RANGES = 0x3b84, /* Usable addresses */
    WIRE_IOMMU_IOCTL_IOAS_MAP = 0x3b85, /* Map memory */
    WIRE_IOMMU_IOCTL_IOAS_UNMAP = 0x3b86, /* Unmap memory */
    WIRE_IOMMU_IOCTL_IOAS_MAP_FILE = 0x3b8f, /* Map a memfd (Linux 6.13) */
};

/* IOMMU kinds of kernel VFIO. vfio.h:VFIO_TYPE1_IOMMU. */
enum {
    WIRE_IOMMU_TYPE1 = 0x1, /* First version */
    WIRE_IOMMU_TYPE1V2 = 0x3, /* Second version */
    WIRE_IOMMU_NOIOMMU = 0x8, /* None: physical addresses */
    WIRE_IOMMU_UNMAP_ALL = 0x9, /* UNMAP_DMA knows the flag ALL */
};

/* Flags of GROUP_GET_STATUS. vfio.h:vfio_group_status. */
enum {
    WIRE_GROUP_FLAGS_VIABLE = 0x1, /* All devices of the group are on VFIO or without driver */
    WIRE_GROUP_FLAGS_CONTAINER_SET = 0x2, /* In a container */
};

/* Flags of IOAS_MAP and IOAS_MAP_FILE; not those of DMA_MAP. iommufd.h:iommu_ioas_map. */
enum {
    WIRE_IOAS_MAP_FLAGS_FIXED_IOVA = 0x1, /* The caller chooses the address */
    WIRE_IOAS_MAP_FLAGS_WRITEABLE = 0x2, /* The device may write */
    WIRE_IOAS_MAP_FLAGS_READABLE = 0x4, /* The device may read */
};

/* Bits of the PCI command register. pci_regs.h:PCI_COMMAND. */
enum {
    WIRE_PCI_COMMAND_IO = 0x1, /* I/O space */
    WIRE_PCI_COMMAND_MEMORY = 0x2, /* Memory space */
    WIRE_PCI_COMMAND_MASTER = 0x4, /* Bus master: without it no DMA happens */
    WIRE_PCI_COMMAND_INTX_DISABLE = 0x400, /* No pin interrupts */
};

/* Header of every vfio-user message. vfio-user:Header. */
struct wire_header {
    uint16_t id; /* Echoed in the reply */
    uint16_t command; /* Echoed in the reply */
    uint32_t size; /* Whole message with this header */
    uint32_t flags; /* See flags */
    uint32_t errnum; /* Replies with ERROR: positive errno */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_header) == 16, "header");

/* VERSION; JSON with a terminating NUL may follow. vfio-user:VERSION. */
struct wire_version_payload {
    uint16_t major; /* Major version */
    uint16_t minor; /* Highest minor version of the client; chosen one in the reply */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_version_payload) == 4, "version_payload");

/* DMA_MAP of vfio-user; the file descriptor comes along. vfio-user:DMA_MAP. */
struct wire_dma_map {
    uint32_t argsz; /* Size of this structure */
    uint32_t flags; /* See dma_flags */
    uint64_t offset; /* Offset in the file */
    uint64_t iova; /* Address for the device */
    uint64_t size; /* Bytes */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_dma_map) == 32, "dma_map");

/* DMA_UNMAP; kernel VFIO_IOMMU_UNMAP_DMA is the same. vfio.h:vfio_iommu_type1_dma_unmap. */
struct wire_dma_unmap {
    uint32_t argsz; /* Size of this structure */
    uint32_t flags; /* See dma_unmap_flags */
    uint64_t iova; /* Address for the device */
    uint64_t size; /* Bytes; the kernel returns how many were unmapped */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_dma_unmap) == 24, "dma_unmap");

/* DEVICE_GET_REGION_INFO; capabilities may follow. vfio.h:vfio_region_info. */
struct wire_region_info {
    uint32_t argsz; /* Space of the caller; size of the full answer */
    uint32_t flags; /* See region_flags */
    uint32_t index; /* Region */
    uint32_t cap_offset; /* First capability, from the start of this structure; 0 none */
    uint64_t size; /* Bytes; 0 if the region is absent */
    uint64_t offset; /* Add to every mmap offset */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_region_info) == 32, "region_info");

/* Head of a capability. vfio.h:vfio_info_cap_header. */
struct wire_cap_header {
    uint16_t id; /* See region_cap and iommu_cap */
    uint16_t version; /* Version, 1 */
    uint32_t next; /* Next capability, from the start of the structure; 0 ends */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_cap_header) == 8, "cap_header");

/* Capability SPARSE_MMAP; sparse_area follows NR_AREAS times. vfio.h:vfio_region_info_cap_sparse_mmap. */
struct wire_sparse_mmap {
    uint64_t header; /* See cap_header */
    uint32_t nr_areas; /* Number of areas */
    uint32_t reserved; /* 0 */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_sparse_mmap) == 16, "sparse_mmap");

/* A part of a region that may be mapped. vfio.h:vfio_region_sparse_mmap_area. */
struct wire_sparse_area {
    uint64_t offset; /* From the start of the region */
    uint64_t size; /* Bytes */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_sparse_area) == 16, "sparse_area");

/* DEVICE_SET_IRQS; data may follow. vfio.h:vfio_irq_set. */
struct wire_irq_set {
    uint32_t argsz; /* Size of this structure and the data */
    uint32_t flags; /* See irq_set_flags */
    uint32_t index; /* Interrupt kind */
    uint32_t start; /* First vector */
    uint32_t count; /* Number of vectors */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_irq_set) == 20, "irq_set");

/* REGION_READ and REGION_WRITE; data follows in the read's reply and in the write. vfio-user:REGION_READ. */
struct wire_region_access {
    uint64_t offset; /* From the start of the region */
    uint32_t region; /* Region */
    uint32_t count; /* Bytes of data */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_region_access) == 16, "region_access");

/* VFIO_GROUP_GET_STATUS. vfio.h:vfio_group_status. */
struct wire_group_status {
    uint32_t argsz; /* Size of this structure */
    uint32_t flags; /* See group_flags */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_group_status) == 8, "group_status");

/* VFIO_IOMMU_MAP_DMA. vfio.h:vfio_iommu_type1_dma_map. */
struct wire_type1_dma_map {
    uint32_t argsz; /* Size of this structure */
    uint32_t flags; /* See dma_flags */
    uint64_t vaddr; /* Address in the process */
    uint64_t iova; /* Address for the device */
    uint64_t size; /* Bytes */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_type1_dma_map) == 32, "type1_dma_map");

/* VFIO_DEVICE_BIND_IOMMUFD; newer kernels add a token. vfio.h:vfio_device_bind_iommufd. */
struct wire_bind_iommufd {
    uint32_t argsz; /* Size of this structure */
    uint32_t flags; /* 0 */
    uint32_t iommufd; /* Descriptor of /dev/iommu */
    uint32_t out_devid; /* Returned device id */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_bind_iommufd) == 16, "bind_iommufd");

/* VFIO_DEVICE_ATTACH_IOMMUFD_PT; newer kernels add a PASID. vfio.h:vfio_device_attach_iommufd_pt. */
struct wire_attach_iommufd_pt {
    uint32_t argsz; /* Size of this structure */
    uint32_t flags; /* 0 */
    uint32_t pt_id; /* Address space */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_attach_iommufd_pt) == 12, "attach_iommufd_pt");

/* IOMMU_IOAS_ALLOC. iommufd.h:iommu_ioas_alloc. */
struct wire_ioas_alloc {
    uint32_t size; /* Size of this structure */
    uint32_t flags; /* 0 */
    uint32_t out_ioas_id; /* Returned address space */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_ioas_alloc) == 12, "ioas_alloc");

/* IOMMU_IOAS_MAP. iommufd.h:iommu_ioas_map. */
struct wire_ioas_map {
    uint32_t size; /* Size of this structure */
    uint32_t flags; /* See ioas_map_flags */
    uint32_t ioas_id; /* Address space */
    uint32_t reserved; /* 0 */
    uint64_t user_va; /* Address in the process */
    uint64_t length; /* Bytes */
    uint64_t iova; /* Address for the device */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_ioas_map) == 40, "ioas_map");

/* IOMMU_IOAS_UNMAP. iommufd.h:iommu_ioas_unmap. */
struct wire_ioas_unmap {
    uint32_t size; /* Size of this structure */
    uint32_t ioas_id; /* Address space */
    uint64_t iova; /* Address for the device */
    uint64_t length; /* Bytes; 0 to 2^64 - 1 is everything */
} __attribute__((packed));
_Static_assert(sizeof(struct wire_ioas_unmap) == 24, "ioas_unmap");

#endif
