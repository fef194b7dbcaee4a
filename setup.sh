#!/usr/bin/env bash
# Sees to what `make run`, `make test`, `make test-vm` or `make test-slick` needs: installs it on Debian where it may (as root or by sudo without a
# password), and otherwise prints the one command that does.
set -euo pipefail

want_rust=1.88
packages=()

need() { # need COMMAND PACKAGE: queues the Debian package if the command is missing
  command -v "$1" >/dev/null || PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null || packages+=("$2")
}

need_file() { # need_file FILE PACKAGE: queues the Debian package if no such file is there; FILE may be a pattern
  compgen -G "$1" >/dev/null || packages+=("$2")
}

need_a_machine() { # what a virtual machine and its root directory want
  need qemu-system-x86_64 qemu-system-x86
  need cpio cpio
  # A dynamic one would want its libraries in the machine.
  command -v busybox >/dev/null && ! ldd "$(command -v busybox)" >/dev/null 2>&1 || packages+=(busybox-static)
}

check_rust() {
  local have
  if ! command -v cargo >/dev/null; then
    echo "setup: cargo is missing. Install Rust $want_rust or later: curl -sSf https://sh.rustup.rs | sh" >&2
    exit 1
  fi
  have=$(rustc --version | cut -d' ' -f2)
  if [ "$(printf '%s\n' "$want_rust" "$have" | sort -V | head -n1)" != "$want_rust" ]; then
    echo "setup: rustc is $have, Ringway needs $want_rust or later. Run: rustup update stable" >&2
    exit 1
  fi
}

as_root() { # how to become root without asking, if at all
  if [ "$(id -u)" = 0 ]; then echo env; elif sudo -n true 2>/dev/null; then echo sudo; fi
}

install_packages() { # install_packages MUST [WHAT]: MUST=yes ends with 1 if they cannot be installed; WHAT is an option of apt-get
  [ ${#packages[@]} -gt 0 ] || return 0
  local root what=${2:---no-install-recommends}
  local install="apt-get install -y $what ${packages[*]}"
  root=$(as_root)
  if command -v apt-get >/dev/null && [ -n "$root" ]; then
    echo "setup: $install"
    if $root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $root $install -qq >/dev/null; then return 0; fi
  fi
  echo "setup: missing: ${packages[*]}. Run: sudo apt-get install $what ${packages[*]}" >&2
  [ "$1" = no ] || exit 1
}

[ "${1:-run}" = slick ] || check_rust # there is no Rust in slick/
need cc build-essential
install_packages yes

if [ "${1:-run}" = vm ]; then
  packages=()
  need_a_machine
  install_packages no # the test says that it was skipped
fi

if [ "${1:-run}" = slick ]; then
  packages=()
  need pkg-config pkg-config
  need python3 python3
  need clang clang
  need_file '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a' libclang-rt-14-dev
  need bpftool bpftool
  need rsync rsync
  need_file /usr/include/cmocka.h libcmocka-dev
  need_file /usr/include/event2/event.h libevent-dev
  need_file /usr/include/liburing.h liburing-dev
  need_file /usr/include/bpf/libbpf.h libbpf-dev
  # Those of the kernel that the virtual machine will boot.
  release=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: *linux-image-//p' | head -n1)
  need_file "/usr/src/linux-headers-${release:-*-amd64}" linux-headers-amd64
  need_a_machine
  install_packages no # the tests that want them say that they were skipped
fi

if [ "${1:-run}" = test ]; then
  packages=()
  need ip iproute2
  need ping iputils-ping
  need iperf3 iperf3
  need curl curl
  need tcpdump tcpdump
  need python3 python3
  need ethtool ethtool
  [ -e /usr/include/cmocka.h ] || packages+=(libcmocka-dev)
  install_packages no # the tests that want them say that they were skipped
  packages=()
  need dpdk-testpmd dpdk
  install_packages no --install-recommends # its drivers are packages that it recommends
fi
