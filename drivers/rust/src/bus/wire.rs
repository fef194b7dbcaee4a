//! vfio-user messages, kernel VFIO and iommufd calls, PCI config space.
//!
//! Generated from spec/vfio.toml; do not edit. After a change there: `cargo run -p ringway-spec -- generate`.
//! Members of structures are byte offsets; `BYTES` is the size of the fixed part. Integers are in host byte order.

// A group in use brings all its numbers along, used or not.
#![allow(dead_code)]

/// Protocol version that we speak. vfio-user:VERSION.
pub mod version {
    /// Incompatible changes.
    pub const MAJOR: u16 = 0;
    /// Compatible additions.
    pub const MINOR: u16 = 1;
}
/// Commands of vfio-user. vfio-user:Commands.
pub mod command {
    /// First message: version and capabilities.
    pub const VERSION: u16 = 1;
    /// Give the device memory.
    pub const DMA_MAP: u16 = 2;
    /// Take memory back.
    pub const DMA_UNMAP: u16 = 3;
    /// How many regions and interrupt kinds.
    pub const DEVICE_GET_INFO: u16 = 4;
    /// Size, rights and mappable areas of a region.
    pub const DEVICE_GET_REGION_INFO: u16 = 5;
    /// Event descriptors of a region.
    pub const DEVICE_GET_REGION_IO_FDS: u16 = 6;
    /// Vectors of an interrupt kind.
    pub const DEVICE_GET_IRQ_INFO: u16 = 7;
    /// Bind eventfds to vectors.
    pub const DEVICE_SET_IRQS: u16 = 8;
    /// Read of a region.
    pub const REGION_READ: u16 = 9;
    /// Write to a region.
    pub const REGION_WRITE: u16 = 10;
    /// Server reads client memory.
    pub const DMA_READ: u16 = 11;
    /// Server writes client memory.
    pub const DMA_WRITE: u16 = 12;
    /// Function level reset.
    pub const DEVICE_RESET: u16 = 13;
    /// Withdrawn.
    pub const DIRTY_PAGES: u16 = 14;
    /// Several writes in one message.
    pub const REGION_WRITE_MULTI: u16 = 15;
    /// Migration.
    pub const DEVICE_FEATURE: u16 = 16;
    /// Migration.
    pub const MIG_DATA_READ: u16 = 17;
    /// Migration.
    pub const MIG_DATA_WRITE: u16 = 18;
}
/// Flags of the message header. vfio-user:Header.
pub mod flags {
    /// Bits of the message type.
    pub const TYPE_MASK: u32 = 15;
    /// Type: command.
    pub const COMMAND: u32 = 0;
    /// Type: reply.
    pub const REPLY: u32 = 1;
    /// The sender wants no reply, not even to a failure.
    pub const NO_REPLY: u32 = 16;
    /// Reply to a failed command; errno may still be 0.
    pub const ERROR: u32 = 32;
}
/// What holds when the peer does not say otherwise. vfio-user:VERSION.
pub mod limits {
    /// Descriptors in one message.
    pub const MAX_MSG_FDS: u32 = 1;
    /// Bytes of data in one message.
    pub const MAX_DATA_XFER_SIZE: u32 = 0x100000;
    /// Mappings at a time.
    pub const MAX_DMA_MAPS: u32 = 0xffff;
    /// Page sizes, a bit each.
    pub const PGSIZES: u32 = 0x1000;
}
/// Flags of DEVICE_GET_INFO. vfio.h:vfio_device_info.
pub mod device_flags {
    /// Can be reset.
    pub const RESET: u32 = 1;
    /// A PCI function.
    pub const PCI: u32 = 2;
}
/// Regions of a PCI function. vfio.h:VFIO_PCI_BAR0_REGION_INDEX.
pub mod region {
    /// Base address register 0.
    pub const BAR0: u32 = 0;
    /// Base address register 1.
    pub const BAR1: u32 = 1;
    /// Base address register 2.
    pub const BAR2: u32 = 2;
    /// Base address register 3.
    pub const BAR3: u32 = 3;
    /// Base address register 4.
    pub const BAR4: u32 = 4;
    /// Base address register 5.
    pub const BAR5: u32 = 5;
    /// Expansion ROM.
    pub const ROM: u32 = 6;
    /// Config space.
    pub const CONFIG: u32 = 7;
    /// VGA.
    pub const VGA: u32 = 8;
    /// Number of fixed regions.
    pub const COUNT: u32 = 9;
}
/// Flags of a region. vfio.h:vfio_region_info.
pub mod region_flags {
    /// Readable.
    pub const READ: u32 = 1;
    /// Writable.
    pub const WRITE: u32 = 2;
    /// Parts may be mapped.
    pub const MMAP: u32 = 4;
    /// Capabilities follow.
    pub const CAPS: u32 = 8;
}
/// Capabilities of a region. vfio.h:vfio_info_cap_header.
pub mod region_cap {
    /// The areas that may be mapped.
    pub const SPARSE_MMAP: u16 = 1;
    /// Kind of a device specific region.
    pub const TYPE: u16 = 2;
    /// The MSI-X table may be mapped.
    pub const MSIX_MAPPABLE: u16 = 3;
}
/// Interrupt kinds of a PCI function. vfio.h:VFIO_PCI_INTX_IRQ_INDEX.
pub mod irq {
    /// Pin.
    pub const INTX: u32 = 0;
    /// MSI.
    pub const MSI: u32 = 1;
    /// MSI-X.
    pub const MSIX: u32 = 2;
    /// Error.
    pub const ERR: u32 = 3;
    /// The host wants the device back.
    pub const REQ: u32 = 4;
    /// Number of kinds.
    pub const COUNT: u32 = 5;
}
/// Flags of DEVICE_SET_IRQS: one DATA and one ACTION. vfio.h:vfio_irq_set.
pub mod irq_set_flags {
    /// No data: all of the range.
    pub const DATA_NONE: u32 = 1;
    /// A byte for each vector.
    pub const DATA_BOOL: u32 = 2;
    /// A descriptor for each vector.
    pub const DATA_EVENTFD: u32 = 4;
    /// The DATA bits.
    pub const DATA_MASK: u32 = 7;
    /// Mask.
    pub const ACTION_MASK: u32 = 8;
    /// Unmask.
    pub const ACTION_UNMASK: u32 = 16;
    /// Bind, unbind or fire.
    pub const ACTION_TRIGGER: u32 = 32;
    /// The ACTION bits.
    pub const ACTION_TYPE_MASK: u32 = 56;
}
/// Flags of DMA_MAP. vfio.h:vfio_iommu_type1_dma_map.
pub mod dma_flags {
    /// The device may read.
    pub const READ: u32 = 1;
    /// The device may write.
    pub const WRITE: u32 = 2;
}
/// Calls of kernel VFIO. vfio.h:VFIO_TYPE.
pub mod ioctl {
    /// Container: 0.
    pub const GET_API_VERSION: u32 = 0x3b64;
    /// Container: is this IOMMU kind there.
    pub const CHECK_EXTENSION: u32 = 0x3b65;
    /// Container: choose the IOMMU kind.
    pub const SET_IOMMU: u32 = 0x3b66;
    /// Group: is it viable.
    pub const GROUP_GET_STATUS: u32 = 0x3b67;
    /// Group: join a container.
    pub const GROUP_SET_CONTAINER: u32 = 0x3b68;
    /// Group: leave it.
    pub const GROUP_UNSET_CONTAINER: u32 = 0x3b69;
    /// Group: open a device by name.
    pub const GROUP_GET_DEVICE_FD: u32 = 0x3b6a;
    /// Device: regions and interrupt kinds.
    pub const DEVICE_GET_INFO: u32 = 0x3b6b;
    /// Device: one region.
    pub const DEVICE_GET_REGION_INFO: u32 = 0x3b6c;
    /// Device: one interrupt kind.
    pub const DEVICE_GET_IRQ_INFO: u32 = 0x3b6d;
    /// Device: bind eventfds.
    pub const DEVICE_SET_IRQS: u32 = 0x3b6e;
    /// Device: reset.
    pub const DEVICE_RESET: u32 = 0x3b6f;
    /// Container: page sizes.
    pub const IOMMU_GET_INFO: u32 = 0x3b70;
    /// Container only: on a device this number is hot reset.
    pub const IOMMU_MAP_DMA: u32 = 0x3b71;
    /// Container: take memory back.
    pub const IOMMU_UNMAP_DMA: u32 = 0x3b72;
    /// Device node: bind to an iommufd.
    pub const DEVICE_BIND_IOMMUFD: u32 = 0x3b76;
    /// Device node: attach an address space.
    pub const DEVICE_ATTACH_IOMMUFD_PT: u32 = 0x3b77;
    /// Device node: detach.
    pub const DEVICE_DETACH_IOMMUFD_PT: u32 = 0x3b78;
}
/// Calls of iommufd. iommufd.h:IOMMUFD_TYPE.
pub mod iommu_ioctl {
    /// Destroy an object.
    pub const DESTROY: u32 = 0x3b80;
    /// New address space.
    pub const IOAS_ALLOC: u32 = 0x3b81;
    /// Usable addresses.
    pub const IOAS_IOVA_RANGES: u32 = 0x3b84;
    /// Map memory.
    pub const IOAS_MAP: u32 = 0x3b85;
    /// Unmap memory.
    pub const IOAS_UNMAP: u32 = 0x3b86;
    /// Map a memfd (Linux 6.13).
    pub const IOAS_MAP_FILE: u32 = 0x3b8f;
}
/// IOMMU kinds of kernel VFIO. vfio.h:VFIO_TYPE1_IOMMU.
pub mod iommu {
    /// First version.
    pub const TYPE1: u32 = 1;
    /// Second version.
    pub const TYPE1V2: u32 = 3;
    /// None: physical addresses.
    pub const NOIOMMU: u32 = 8;
    /// UNMAP_DMA knows the flag ALL.
    pub const UNMAP_ALL: u32 = 9;
}
/// Flags of GROUP_GET_STATUS. vfio.h:vfio_group_status.
pub mod group_flags {
    /// All devices of the group are on VFIO or without driver.
    pub const VIABLE: u32 = 1;
    /// In a container.
    pub const CONTAINER_SET: u32 = 2;
}
/// Flags of IOAS_MAP and IOAS_MAP_FILE; not those of DMA_MAP. iommufd.h:iommu_ioas_map.
pub mod ioas_map_flags {
    /// The caller chooses the address.
    pub const FIXED_IOVA: u32 = 1;
    /// The device may write.
    pub const WRITEABLE: u32 = 2;
    /// The device may read.
    pub const READABLE: u32 = 4;
}
/// PCI config space: offsets. pci_regs.h:PCI_VENDOR_ID.
pub mod pci {
    /// 16 bits.
    pub const VENDOR_ID: u64 = 0;
    /// 16 bits.
    pub const DEVICE_ID: u64 = 2;
    /// 16 bits, see pci_command.
    pub const COMMAND: u64 = 4;
    /// 16 bits.
    pub const STATUS: u64 = 6;
    /// 8 bits.
    pub const REVISION_ID: u64 = 8;
    /// 24 bits of class code from here.
    pub const CLASS_PROG: u64 = 9;
    /// 8 bits.
    pub const HEADER_TYPE: u64 = 14;
    /// Six registers of 32 bits.
    pub const BASE_ADDRESS_0: u64 = 16;
    /// 16 bits.
    pub const SUBSYSTEM_VENDOR_ID: u64 = 44;
    /// 16 bits.
    pub const SUBSYSTEM_ID: u64 = 46;
    /// Offset of the first capability, 8 bits.
    pub const CAPABILITY_LIST: u64 = 52;
    /// 8 bits.
    pub const INTERRUPT_LINE: u64 = 60;
    /// 8 bits.
    pub const INTERRUPT_PIN: u64 = 61;
    /// Size of conventional config space.
    pub const BYTES: u64 = 0x100;
}
/// Bits of the PCI command register. pci_regs.h:PCI_COMMAND.
pub mod pci_command {
    /// I/O space.
    pub const IO: u16 = 1;
    /// Memory space.
    pub const MEMORY: u16 = 2;
    /// Bus master: without it no DMA happens.
    pub const MASTER: u16 = 4;
    /// No pin interrupts.
    pub const INTX_DISABLE: u16 = 0x400;
}
/// Identities of the functions that we drive or serve. 82599:9.3.
pub mod pci_id {
    /// Vendor Intel.
    pub const INTEL: u16 = 0x8086;
    /// 82599 with SFP+.
    pub const I82599_SFP: u16 = 0x10fb;
    /// 82599 on a backplane: no module, no I2C.
    pub const I82599_BACKPLANE: u16 = 0x10f8;
}

/// Header of every vfio-user message. vfio-user:Header.
pub mod header {
    /// Echoed in the reply (u16).
    pub const ID: usize = 0;
    /// Echoed in the reply (u16).
    pub const COMMAND: usize = 2;
    /// Whole message with this header (u32).
    pub const SIZE: usize = 4;
    /// See flags (u32).
    pub const FLAGS: usize = 8;
    /// Replies with ERROR: positive errno (u32).
    pub const ERRNO: usize = 12;
    /// Size of the fixed part.
    pub const BYTES: usize = 16;
}
/// VERSION; JSON with a terminating NUL may follow. vfio-user:VERSION.
pub mod version_payload {
    /// Major version (u16).
    pub const MAJOR: usize = 0;
    /// Highest minor version of the client; chosen one in the reply (u16).
    pub const MINOR: usize = 2;
    /// Size of the fixed part.
    pub const BYTES: usize = 4;
}
/// DMA_MAP of vfio-user; the file descriptor comes along. vfio-user:DMA_MAP.
pub mod dma_map {
    /// Size of this structure (u32).
    pub const ARGSZ: usize = 0;
    /// See dma_flags (u32).
    pub const FLAGS: usize = 4;
    /// Offset in the file (u64).
    pub const OFFSET: usize = 8;
    /// Address for the device (u64).
    pub const IOVA: usize = 16;
    /// Bytes (u64).
    pub const SIZE: usize = 24;
    /// Size of the fixed part.
    pub const BYTES: usize = 32;
}
/// DMA_UNMAP; kernel VFIO_IOMMU_UNMAP_DMA is the same. vfio.h:vfio_iommu_type1_dma_unmap.
pub mod dma_unmap {
    /// Size of this structure (u32).
    pub const ARGSZ: usize = 0;
    /// See dma_unmap_flags (u32).
    pub const FLAGS: usize = 4;
    /// Address for the device (u64).
    pub const IOVA: usize = 8;
    /// Bytes; the kernel returns how many were unmapped (u64).
    pub const SIZE: usize = 16;
    /// Size of the fixed part.
    pub const BYTES: usize = 24;
}
/// DEVICE_GET_INFO; newer kernels add capabilities. vfio.h:vfio_device_info.
pub mod device_info {
    /// Space of the caller; size of the full answer (u32).
    pub const ARGSZ: usize = 0;
    /// See device_flags (u32).
    pub const FLAGS: usize = 4;
    /// Number of regions (u32).
    pub const NUM_REGIONS: usize = 8;
    /// Number of interrupt kinds, not of vectors (u32).
    pub const NUM_IRQS: usize = 12;
    /// Size of the fixed part.
    pub const BYTES: usize = 16;
}
/// DEVICE_GET_REGION_INFO; capabilities may follow. vfio.h:vfio_region_info.
pub mod region_info {
    /// Space of the caller; size of the full answer (u32).
    pub const ARGSZ: usize = 0;
    /// See region_flags (u32).
    pub const FLAGS: usize = 4;
    /// Region (u32).
    pub const INDEX: usize = 8;
    /// First capability, from the start of this structure; 0 none (u32).
    pub const CAP_OFFSET: usize = 12;
    /// Bytes; 0 if the region is absent (u64).
    pub const SIZE: usize = 16;
    /// Add to every mmap offset (u64).
    pub const OFFSET: usize = 24;
    /// Size of the fixed part.
    pub const BYTES: usize = 32;
}
/// Head of a capability. vfio.h:vfio_info_cap_header.
pub mod cap_header {
    /// See region_cap and iommu_cap (u16).
    pub const ID: usize = 0;
    /// Version, 1 (u16).
    pub const VERSION: usize = 2;
    /// Next capability, from the start of the structure; 0 ends (u32).
    pub const NEXT: usize = 4;
    /// Size of the fixed part.
    pub const BYTES: usize = 8;
}
/// Capability SPARSE_MMAP; sparse_area follows NR_AREAS times. vfio.h:vfio_region_info_cap_sparse_mmap.
pub mod sparse_mmap {
    /// See cap_header (u64).
    pub const HEADER: usize = 0;
    /// Number of areas (u32).
    pub const NR_AREAS: usize = 8;
    /// 0 (u32).
    pub const RESERVED: usize = 12;
    /// Size of the fixed part.
    pub const BYTES: usize = 16;
}
/// A part of a region that may be mapped. vfio.h:vfio_region_sparse_mmap_area.
pub mod sparse_area {
    /// From the start of the region (u64).
    pub const OFFSET: usize = 0;
    /// Bytes (u64).
    pub const SIZE: usize = 8;
    /// Size of the fixed part.
    pub const BYTES: usize = 16;
}
/// DEVICE_GET_IRQ_INFO. vfio.h:vfio_irq_info.
pub mod irq_info {
    /// Size of this structure (u32).
    pub const ARGSZ: usize = 0;
    /// See irq_flags (u32).
    pub const FLAGS: usize = 4;
    /// Interrupt kind (u32).
    pub const INDEX: usize = 8;
    /// Number of vectors (u32).
    pub const COUNT: usize = 12;
    /// Size of the fixed part.
    pub const BYTES: usize = 16;
}
/// DEVICE_SET_IRQS; data may follow. vfio.h:vfio_irq_set.
pub mod irq_set {
    /// Size of this structure and the data (u32).
    pub const ARGSZ: usize = 0;
    /// See irq_set_flags (u32).
    pub const FLAGS: usize = 4;
    /// Interrupt kind (u32).
    pub const INDEX: usize = 8;
    /// First vector (u32).
    pub const START: usize = 12;
    /// Number of vectors (u32).
    pub const COUNT: usize = 16;
    /// Size of the fixed part.
    pub const BYTES: usize = 20;
}
/// REGION_READ and REGION_WRITE; data follows in the read's reply and in the write. vfio-user:REGION_READ.
pub mod region_access {
    /// From the start of the region (u64).
    pub const OFFSET: usize = 0;
    /// Region (u32).
    pub const REGION: usize = 8;
    /// Bytes of data (u32).
    pub const COUNT: usize = 12;
    /// Size of the fixed part.
    pub const BYTES: usize = 16;
}
/// VFIO_GROUP_GET_STATUS. vfio.h:vfio_group_status.
pub mod group_status {
    /// Size of this structure (u32).
    pub const ARGSZ: usize = 0;
    /// See group_flags (u32).
    pub const FLAGS: usize = 4;
    /// Size of the fixed part.
    pub const BYTES: usize = 8;
}
/// VFIO_IOMMU_MAP_DMA. vfio.h:vfio_iommu_type1_dma_map.
pub mod type1_dma_map {
    /// Size of this structure (u32).
    pub const ARGSZ: usize = 0;
    /// See dma_flags (u32).
    pub const FLAGS: usize = 4;
    /// Address in the process (u64).
    pub const VADDR: usize = 8;
    /// Address for the device (u64).
    pub const IOVA: usize = 16;
    /// Bytes (u64).
    pub const SIZE: usize = 24;
    /// Size of the fixed part.
    pub const BYTES: usize = 32;
}
/// VFIO_DEVICE_BIND_IOMMUFD; newer kernels add a token. vfio.h:vfio_device_bind_iommufd.
pub mod bind_iommufd {
    /// Size of this structure (u32).
    pub const ARGSZ: usize = 0;
    /// 0 (u32).
    pub const FLAGS: usize = 4;
    /// Descriptor of /dev/iommu (u32).
    pub const IOMMUFD: usize = 8;
    /// Returned device id (u32).
    pub const OUT_DEVID: usize = 12;
    /// Size of the fixed part.
    pub const BYTES: usize = 16;
}
/// VFIO_DEVICE_ATTACH_IOMMUFD_PT; newer kernels add a PASID. vfio.h:vfio_device_attach_iommufd_pt.
pub mod attach_iommufd_pt {
    /// Size of this structure (u32).
    pub const ARGSZ: usize = 0;
    /// 0 (u32).
    pub const FLAGS: usize = 4;
    /// Address space (u32).
    pub const PT_ID: usize = 8;
    /// Size of the fixed part.
    pub const BYTES: usize = 12;
}
/// IOMMU_IOAS_ALLOC. iommufd.h:iommu_ioas_alloc.
pub mod ioas_alloc {
    /// Size of this structure (u32).
    pub const SIZE: usize = 0;
    /// 0 (u32).
    pub const FLAGS: usize = 4;
    /// Returned address space (u32).
    pub const OUT_IOAS_ID: usize = 8;
    /// Size of the fixed part.
    pub const BYTES: usize = 12;
}
/// IOMMU_IOAS_MAP. iommufd.h:iommu_ioas_map.
pub mod ioas_map {
    /// Size of this structure (u32).
    pub const SIZE: usize = 0;
    /// See ioas_map_flags (u32).
    pub const FLAGS: usize = 4;
    /// Address space (u32).
    pub const IOAS_ID: usize = 8;
    /// 0 (u32).
    pub const RESERVED: usize = 12;
    /// Address in the process (u64).
    pub const USER_VA: usize = 16;
    /// Bytes (u64).
    pub const LENGTH: usize = 24;
    /// Address for the device (u64).
    pub const IOVA: usize = 32;
    /// Size of the fixed part.
    pub const BYTES: usize = 40;
}
/// IOMMU_IOAS_UNMAP. iommufd.h:iommu_ioas_unmap.
pub mod ioas_unmap {
    /// Size of this structure (u32).
    pub const SIZE: usize = 0;
    /// Address space (u32).
    pub const IOAS_ID: usize = 4;
    /// Address for the device (u64).
    pub const IOVA: usize = 8;
    /// Bytes; 0 to 2^64 - 1 is everything (u64).
    pub const LENGTH: usize = 16;
    /// Size of the fixed part.
    pub const BYTES: usize = 24;
}
