//! The two ways of VFIO, on a tree of files and a kernel of our own.

use std::fs;

use super::fake::{FakeKernel, event};
use super::*;
use crate::bus::tree::{BAR_BYTES, NIC, SIBLING, Tree};
use crate::bus::{self, CONFIG_SPACE, wire};

/// Two ports in one group, on vfio-pci.
pub(crate) fn group() -> (Tree, Arc<FakeKernel>) {
    let tree = Tree::new();
    for function in [NIC, SIBLING] {
        tree.bind(function, "vfio-pci");
        tree.group(function, "12");
    }
    let kernel = FakeKernel::new(&tree);
    (tree, kernel)
}

/// The same with nodes and iommufd.
pub(crate) fn nodes() -> (Tree, Arc<FakeKernel>) {
    let (tree, kernel) = group();
    for (function, node) in [(NIC, "vfio0"), (SIBLING, "vfio1")] {
        tree.write(&format!("devices/{function}/vfio-dev/{node}/dev"), "");
        tree.write(&format!("vfio/devices/{node}"), "");
    }
    tree.write("iommu", "");
    (tree, kernel)
}

fn open(tree: &Tree, session: &Arc<Session>, address: &str) -> Result<Vfio> {
    Vfio::open(session, &tree.find(address)?)
}

fn assert_refused(tree: &Tree, kernel: &Arc<FakeKernel>, kind: &str, words: &[&str]) {
    let error = open(tree, &kernel.session(), NIC).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "{error} lacks {word}");
    }
    assert!(!error.to_string().contains('\n'));
}

#[test]
fn either_way_reaches_config_space_and_registers() {
    for (tree, kernel) in [group(), nodes()] {
        let nic = open(&tree, &kernel.session(), "03:00.0").unwrap();
        assert_eq!((nic.address(), nic.way().to_string().as_str()), (NIC, "vfio"));
        assert_eq!((nic.size(0), nic.size(7), nic.size(1), nic.size(8)), (BAR_BYTES, 256, 0, 0));
        assert_eq!(bus::identity(&nic).unwrap(), (0x8086, 0x10fb));
        bus::enable_dma(&nic).unwrap();
        assert_eq!(tree.command("device"), 6);
        nic.write(0, 8, &7u32.to_le_bytes()).unwrap();
        assert_eq!(kernel.card().load(8), 7);
        let mut word = [0; 4];
        kernel.card().store(12, 9);
        nic.read(0, 12, &mut word).unwrap();
        assert_eq!(word, [9, 0, 0, 0]);
        nic.check().unwrap();
        assert_eq!(kernel.state().spaces, 1);
    }
}

#[test]
fn the_node_is_taken_where_it_may_be_opened() {
    let (tree, kernel) = nodes();
    let _nic = open(&tree, &kernel.session(), NIC).unwrap();
    assert_eq!(kernel.state().containers, 0);
    for closed in ["devices/vfio0", "iommu"] {
        let (tree, kernel) = nodes();
        kernel.state().refuse.push((closed, Errno::ACCESS));
        let _nic = open(&tree, &kernel.session(), NIC).unwrap();
        assert_eq!(kernel.state().containers, 1, "{closed}");
    }
}

#[test]
fn what_is_not_mapped_goes_by_the_kernel() {
    let (tree, kernel) = group();
    kernel.state().sparse = vec![(0x1000, 0x1000), (0x6000, 0x2000)];
    let nic = open(&tree, &kernel.session(), NIC).unwrap();
    let ranges: Vec<_> = nic.windows(0).iter().map(|window| window.range()).collect();
    assert_eq!(ranges, [(0x1000, 0x1000), (0x6000, 0x2000)]);
    nic.write(0, 0x3000, &5u32.to_le_bytes()).unwrap();
    nic.write(0, 0x1018, &6u32.to_le_bytes()).unwrap();
    assert_eq!((kernel.card().load(0x3000), kernel.card().load(0x1018)), (5, 6));
    let mut word = [0; 4];
    nic.read(0, 0x3000, &mut word).unwrap();
    assert_eq!(word, [5, 0, 0, 0]);
}

#[test]
fn what_is_no_whole_page_is_not_mapped() {
    let (tree, kernel) = group();
    kernel.state().sparse = vec![(0, 0x100), (0x1000, 0x1000)];
    let nic = open(&tree, &kernel.session(), NIC).unwrap();
    assert_eq!(nic.windows(0).len(), 1);
    nic.write(0, 8, &7u32.to_le_bytes()).unwrap();
    assert_eq!(kernel.card().load(8), 7);
}

#[test]
fn an_access_outside_a_region_is_no_access_elsewhere() {
    let (tree, kernel) = group();
    let nic = open(&tree, &kernel.session(), NIC).unwrap();
    let mut word = [0; 4];
    for (region, offset) in [(0, BAR_BYTES), (0, u64::MAX - 1), (1, 0), (7, 254), (9, 0), (u32::MAX, 0)] {
        assert_eq!(nic.read(region, offset, &mut word).unwrap_err().kind(), "DeviceFailed");
        assert_eq!(nic.write(region, offset, &word).unwrap_err().kind(), "DeviceFailed");
    }
}

#[test]
fn two_ports_of_a_group_share_container_and_mapping() {
    for (tree, kernel) in [group(), nodes()] {
        let (session, memory) = (kernel.session(), DmaMemory::new(4 << 20).unwrap());
        let (first, second) = (open(&tree, &session, NIC).unwrap(), open(&tree, &session, SIBLING).unwrap());
        first.map_dma(&memory).unwrap();
        second.map_dma(&memory).unwrap();
        assert_eq!(kernel.state().maps, [(memory.address() as u64, DmaMemory::IOVA, 4 << 20)]);
        assert_eq!(kernel.state().spaces, 1);
        first.unmap_dma(&memory).unwrap();
        assert_eq!(kernel.state().maps.len(), 1);
        drop(second);
        assert!(kernel.state().maps.is_empty(), "a device that is dropped unmaps too");
        drop(first);
        let _again = open(&tree, &session, NIC).unwrap();
        assert_eq!(kernel.state().spaces, 2);
    }
}

#[test]
fn hugepages_are_mapped_run_by_run_and_all_or_none() {
    for (tree, kernel) in [group(), nodes()] {
        let (session, memory) = (kernel.session(), DmaMemory::fake_huge(6 << 20));
        let nic = open(&tree, &session, NIC).unwrap();
        nic.map_dma(&memory).unwrap();
        let runs = memory.runs();
        let maps =
            runs.iter().map(|run| ((memory.address() + run.offset) as u64, run.iova, run.bytes as u64));
        assert_eq!(kernel.state().maps, maps.collect::<Vec<_>>());
        nic.unmap_dma(&memory).unwrap();
        assert!(kernel.state().maps.is_empty());
        kernel.state().maps.push((0, runs[2].iova, 4096));
        let error = nic.map_dma(&memory).unwrap_err();
        assert!(error.to_string().contains("devices of one process share one"), "{error}");
        assert_eq!(kernel.state().maps.len(), 1);
    }
}

#[test]
fn interrupts_are_bound_by_their_eventfds() {
    let (tree, kernel) = group();
    let nic = open(&tree, &kernel.session(), NIC).unwrap();
    let (one, two) = (event(), event());
    assert_eq!(nic.vectors().unwrap(), 64);
    nic.bind_vectors(0, &[one.as_fd(), two.as_fd()]).unwrap();
    assert_eq!(kernel.state().vectors, 2);
    nic.bind_vectors(0, &[]).unwrap();
    assert_eq!(kernel.state().vectors, 2);
    nic.unbind_vectors().unwrap();
    assert_eq!(kernel.state().vectors, 0);
    assert_eq!(nic.bind_vectors(63, &[one.as_fd(), two.as_fd()]).unwrap_err().kind(), "Unsupported");
}

#[test]
fn a_reset_is_the_kernels() {
    let (tree, kernel) = group();
    let nic = open(&tree, &kernel.session(), NIC).unwrap();
    nic.reset().unwrap();
    assert_eq!(kernel.state().resets, 1);
    kernel.state().refuse_call.push((ioctl::DEVICE_RESET, Errno::NOTTY));
    assert_eq!(nic.reset().unwrap_err().kind(), "Unsupported");
}

#[test]
fn a_host_that_wants_it_back_is_noticed() {
    let (tree, kernel) = group();
    let nic = open(&tree, &kernel.session(), NIC).unwrap();
    let request = kernel.state().request.take().unwrap();
    rustix::io::write(&request, &1u64.to_ne_bytes()).unwrap();
    for _ in 0..2 {
        let error = nic.check().unwrap_err();
        assert!(error.to_string().contains("wants it back"), "{error}");
    }
}

#[test]
fn a_card_that_was_pulled_out_is_noticed() {
    let (tree, kernel) = nodes();
    let nic = open(&tree, &kernel.session(), NIC).unwrap();
    nic.write(CONFIG_SPACE, wire::pci::REVISION_ID, &[0xFF; 4]).unwrap();
    assert!(nic.check().unwrap_err().to_string().contains("removed"));
}

#[test]
fn a_kernel_without_vfio() {
    let (tree, kernel) = group();
    kernel.state().refuse.push(("vfio/vfio", Errno::NOENT));
    assert_refused(&tree, &kernel, "Unsupported", &["no VFIO", "sudo modprobe vfio-pci"]);
    kernel.state().refuse.clear();
    kernel.state().version = 1;
    assert_refused(&tree, &kernel, "Unsupported", &["another interface"]);
}

#[test]
fn no_iommu() {
    let remedy = &["no IOMMU for 0000:03:00.0", "intel_iommu=on"];
    let (tree, kernel) = group();
    kernel.state().no_iommu = true;
    assert_refused(&tree, &kernel, "Unsupported", remedy);
    kernel.state().no_iommu = false;
    tree.write("vfio/noiommu-12", "");
    assert_refused(&tree, &kernel, "Unsupported", remedy);
    fs::remove_file(tree.path("devices/0000:03:00.0/iommu_group")).unwrap();
    assert_refused(&tree, &kernel, "Unsupported", remedy);
}

#[test]
fn a_group_that_is_not_viable_names_the_other_driver() {
    let (tree, kernel) = group();
    kernel.state().not_viable = true;
    assert_refused(&tree, &kernel, "PermissionDenied", &["not viable", "bind all of its functions"]);
    tree.bind(SIBLING, "ixgbe");
    let words = ["not viable", SIBLING, "bound to ixgbe", "sudo ringway bind 0000:03:00.1"];
    assert_refused(&tree, &kernel, "PermissionDenied", &words);
}

#[test]
fn somebody_else_has_it() {
    let (tree, kernel) = group();
    kernel.state().refuse.push(("vfio/12", Errno::BUSY));
    assert_refused(&tree, &kernel, "PermissionDenied", &["group 12 is in use", "stop that one"]);
    kernel.state().refuse.clear();
    kernel.state().refuse_call.push((ioctl::GROUP_GET_DEVICE_FD, Errno::BUSY));
    assert_refused(&tree, &kernel, "PermissionDenied", &["another driver in user space", "stop that one"]);
    let (tree, kernel) = nodes();
    for errno in [Errno::BUSY, Errno::INVAL] {
        kernel.state().refuse_call = vec![(ioctl::DEVICE_BIND_IOMMUFD, errno)];
        assert_refused(&tree, &kernel, "PermissionDenied", &["in use by another", "stop that one"]);
    }
}

#[test]
fn no_permission() {
    let (tree, kernel) = group();
    kernel.state().refuse.push(("vfio/12", Errno::ACCESS));
    let words = ["vfio/12", "permission denied", "sudo ringway bind 0000:03:00.0 --user $USER"];
    assert_refused(&tree, &kernel, "PermissionDenied", &words);
    kernel.state().refuse.push(("vfio/vfio", Errno::ACCESS));
    assert_refused(&tree, &kernel, "PermissionDenied", &["vfio/vfio", "sudo chmod 666"]);
}

#[test]
fn a_limit_of_locked_memory_that_is_too_small() {
    for ((tree, kernel), call) in [(group(), ioctl::IOMMU_MAP_DMA), (nodes(), wire::iommu_ioctl::IOAS_MAP)] {
        let nic = open(&tree, &kernel.session(), NIC).unwrap();
        kernel.state().refuse_call.push((call, Errno::NOMEM));
        let error = nic.map_dma(&DmaMemory::new(8 << 20).unwrap()).unwrap_err();
        assert_eq!(error.kind(), "OutOfMemory");
        for word in ["cannot pin 8 MiB", "ulimit -l unlimited", "limits.conf"] {
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}

#[test]
fn a_failed_open_leaves_nothing() {
    let calls = [
        ioctl::GROUP_GET_STATUS,
        ioctl::GROUP_SET_CONTAINER,
        ioctl::SET_IOMMU,
        ioctl::GROUP_GET_DEVICE_FD,
        ioctl::DEVICE_GET_REGION_INFO,
    ];
    for call in calls {
        let (tree, kernel) = group();
        let session = kernel.session();
        kernel.state().refuse_call.push((call, Errno::IO));
        let error = open(&tree, &session, NIC).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), "DeviceFailed", "{error}");
        kernel.state().refuse_call.clear();
        open(&tree, &session, NIC).unwrap();
    }
}
