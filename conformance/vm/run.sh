#!/usr/bin/env bash
# Kernel VFIO without a card: boots Debian's kernel in QEMU with an IOMMU and lets the drivers' probes, and `ringway bind`,
# use cards that QEMU plays. Needs no root. Says what it lacks and ends well if it lacks something.
set -euo pipefail
cd "$(dirname "$0")/../.."
room=$PWD/conformance/vm
target=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
place=$target/vm
patience=${RINGWAY_VM_PATIENCE:-170}
# KVM would be faster, but is not everywhere, and where it is it may itself be in a machine that plays it badly.
accelerator=${RINGWAY_VM_ACCELERATOR:-tcg}
log=$place/console.txt

# Modules in the order in which they want to be loaded; which of them there are depends on the kernel.
modules="pps_core ptp e1000e irqbypass iommufd vfio vfio_virqfd vfio_iommu_type1 vfio-pci-core vfio-pci"

skip() { # skip WHY REMEDY
  echo "test-vm: skipped: $1. Run: $2"
  exit 0
}

# prints the root below which boot/vmlinuz-* and lib/modules/* are: what RINGWAY_VM_KERNEL says, or Debian's
kernel() {
  local found package
  if [ -n "${RINGWAY_VM_KERNEL:-}" ]; then
    echo "$RINGWAY_VM_KERNEL"
    return
  fi
  found=$(compgen -G "$place/kernel/boot/vmlinuz-*" || true)
  if [ -z "$found" ]; then
    package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: *//p' | head -n1)
    [ -n "$package" ] || return 1
    rm -rf "$place/kernel" && mkdir -p "$place/download" "$place/kernel"
    (cd "$place/download" && rm -f ./*.deb && apt-get download -qq "$package") >&2 || return 1
    dpkg-deb -x "$place"/download/*.deb "$place/kernel"
    rm -rf "$place/download"
  fi
  echo "$place/kernel"
}

libraries() { # libraries FILE ROOT: copies the libraries that a program or a library loads
  ldd "$1" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$2$(dirname "$library")"
    cp -Ln "$library" "$2$library"
  done
}

with_libraries() { # with_libraries PROGRAM NAME ROOT: copies a program and the libraries that it loads
  cp "$1" "$3/$2"
  libraries "$1" "$3"
}

# prints version and directory of the .NET runtime that the C# driver wants; nothing if there is none
runtime() {
  command -v dotnet >/dev/null || return 0
  dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \(10[^ ]*\) \[\(.*\)\]$/\1 \2/p' | tail -n1
}

# The C# probe with the runtime that it runs on, where the muxer would look for it: a program that wants .NET installed, and
# .NET. The environment of the script is what makes it start soon on a processor that is played.
with_dotnet() { # with_dotnet ROOT
  local version shared library
  read -r version shared < <(runtime)
  mkdir -p "$1/dotnet/shared/Microsoft.NETCore.App" "$1/dotnet/host/fxr" "$1/csharp"
  cp -rL "$shared/$version" "$1/dotnet/shared/Microsoft.NETCore.App/"
  cp -rL "$shared/../../host/fxr/$version" "$1/dotnet/host/fxr/"
  cp drivers/csharp/artifacts/bin/Probe/release/* "$1/csharp/"
  for library in "$1/csharp/Ringway.Probe" "$1"/dotnet/host/fxr/*/*.so "$1"/dotnet/shared/*/*/lib{hostpolicy,coreclr,clrjit,System.Native}.so; do
    libraries "$library" "$1"
  done
  cat >"$1/vfio_probe_csharp" <<'SCRIPT'
#!/bin/sh
export DOTNET_ROOT=/dotnet DOTNET_EnableDiagnostics=0 DOTNET_EnableWriteXorExecute=0 DOTNET_TieredPGO=0
exec /csharp/Ringway.Probe "$@"
SCRIPT
  chmod +x "$1/vfio_probe_csharp"
}

module() { # module NAME KERNEL TO: one module, unpacked
  local file
  file=$(find "$2/lib/modules" -name "$1.ko*" 2>/dev/null | head -n1)
  case $file in
    "") ;;
    *.xz) xz -dc "$file" >"$3" ;;
    *.zst) zstd -qdc "$file" >"$3" ;;
    *) cp "$file" "$3" ;;
  esac
}

initramfs() { # initramfs KERNEL: the root of the virtual machine
  local root=$place/root number=10 name
  rm -rf "$root"
  mkdir -p "$root"/{bin,dev,etc,proc,sys,modules}
  cp "$(command -v busybox)" "$root/bin/busybox"
  cp "$room/init" "$root/init"
  echo 'root:x:0:0::/:/bin/sh
tester:x:1000:1000::/:/bin/sh' >"$root/etc/passwd"
  for name in $modules; do
    module "$name" "$1" "$root/modules/$number-$name.ko"
    number=$((number + 1))
  done
  with_libraries "$target/release/ringway" ringway "$root"
  with_libraries "$target/release/examples/vfio_probe" vfio_probe_rust "$root"
  with_libraries "$target/release/examples/huge" huge_rust "$root"
  with_libraries drivers/c/build/vfio_probe vfio_probe_c "$root"
  case $drivers in *csharp) with_dotnet "$root" ;; esac
  echo "$drivers" >"$root/drivers"
  # Not compressed: to unpack it would cost the machine more time than it saves the host.
  (cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$place/initramfs"
}

# Runs the virtual machine: its console on standard output, its frames in a file. The check of the timer is left out since it
# fails where the host is so busy that the machine misses ticks.
boot() { # boot KERNEL
  timeout "$patience" qemu-system-x86_64 -machine "q35,accel=$accelerator" -cpu max -m 1024 -display none -no-reboot \
    -serial stdio -monitor none -nodefaults \
    -kernel "$(compgen -G "$1/boot/vmlinuz-*" | head -n1)" -initrd "$place/initramfs" \
    -append "console=ttyS0 intel_iommu=on no_timer_check panic=-1 quiet" \
    -device intel-iommu,intremap=on \
    -netdev hubport,id=one,hubid=0 -device e1000e,netdev=one,addr=4,romfile= \
    -netdev hubport,id=two,hubid=1 -device e1000e,netdev=two,addr=5,romfile= \
    -netdev hubport,id=three,hubid=2 \
    -device virtio-net-pci,netdev=three,addr=6,disable-legacy=on,iommu_platform=on,romfile= \
    -object "filter-dump,id=dump,netdev=one,file=$place/frames.pcap" </dev/null
}

on_the_wire() { # on_the_wire LANGUAGE: a frame that only mapped memory held has left the card
  # Behind the text the frame is zero: C is not C#.
  if LC_ALL=C grep -aq "by way of an IOMMU, written in $1[^#]" "$place/frames.pcap"; then
    echo "vm: ok frames_from_the_driver_in_$1_reach_the_wire"
  else
    echo "vm: FAILED frames_from_the_driver_in_$1_reach_the_wire"
  fi
}

verdicts() { # keeps what it reads in the log, and says what of it is a verdict
  tee -a "$log" | sed -n -u 's/^vm: \(ok\|ignored.*\|FAILED.*\) \([^ ]*\)$/test vm::\2 ... \1/p'
}

[ "$(uname -m)" = x86_64 ] || skip "the virtual machine is for x86-64" "it on such a machine"
missing=()
command -v qemu-system-x86_64 >/dev/null || missing+=(qemu-system-x86)
command -v busybox >/dev/null && ! ldd "$(command -v busybox)" >/dev/null 2>&1 || missing+=(busybox-static)
command -v cpio >/dev/null || missing+=(cpio)
[ ${#missing[@]} = 0 ] || skip "it needs ${missing[*]}" "sudo apt-get install --no-install-recommends ${missing[*]}"
kernel=$(kernel) || skip "no kernel: Debian's linux-image-amd64 cannot be downloaded" "sudo apt-get update, on Debian"

start=$SECONDS
# As `make test` does: of less than everything most crates would be built again, for tests want more features of them.
cargo build --release --quiet --workspace --exclude ringway --bins --tests
cargo build --release --quiet --package ringway --example vfio_probe --example huge
make -s -C drivers/c probe
drivers="rust c" languages=(Rust C) left_out=
if [ -n "$(runtime)" ]; then
  mkdir -p "$place"
  dotnet build drivers/csharp/probe/Probe.csproj --configuration Release --nologo >"$place/dotnet.txt" || { cat "$place/dotnet.txt"; exit 1; }
  drivers="$drivers csharp" languages+=("C#")
else
  left_out="vm: ignored (there is no dotnet on the path with a runtime 10: it wants the .NET SDK 10) csharp"
fi
initramfs "$kernel"
: >"$log"
echo "$left_out" | verdicts
boot "$kernel" 2>"$place/qemu.txt" | sed -u 's/\r$//' | verdicts || true
for language in "${languages[@]}"; do on_the_wire "$language"; done | verdicts

passed=$(grep -c '^vm: ok' "$log" || true)
failed=$(grep -c '^vm: FAILED' "$log" || true)
ignored=$(grep -c '^vm: ignored' "$log" || true)
grep -q '^vm: done' "$log" || { echo "test-vm: the virtual machine did not get to its end (it may take $patience s)"; failed=$((failed + 1)); }
echo "test result: $([ "$failed" = 0 ] && echo ok || echo FAILED). $passed passed; $failed failed; $ignored ignored; finished in $((SECONDS - start))s"
[ "$failed" = 0 ] || { echo "test-vm: what the machine said: $log (QEMU itself: $place/qemu.txt)"; exit 1; }
