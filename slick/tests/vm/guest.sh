# What run.sh and bench/icount.sh share: a kernel, modules for it, static programs, an initramfs. Wants `room` and `place`.

tools() { # tools PROGRAM:PACKAGE...: false, and `missing` says which packages, where some are not there
  local pair
  missing=
  for pair in "$@"; do
    command -v "${pair%:*}" >/dev/null || missing="$missing ${pair#*:}"
  done
  missing=${missing# }
  [ -z "$missing" ]
}

# Debian's kernel and the headers that belong to it: sets image and kdir, or lack and remedy. What SLICK_VM_KERNEL (a vmlinuz) and
# SLICK_VM_KDIR say goes first.
stock_kernel() {
  local cache=$room/build/kernel package release
  if [ -n "${SLICK_VM_KERNEL:-}" ]; then
    image=$SLICK_VM_KERNEL kdir=${SLICK_VM_KDIR:?with SLICK_VM_KERNEL}
    return
  fi
  package=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: *//p' | head -n1)
  release=${package#linux-image-}
  [ -n "$release" ] || { lack="no kernel: Debian's linux-image-amd64 is not known here" remedy="sudo apt-get update, on Debian"; return 1; }
  kdir=/lib/modules/$release/build
  [ -e "$kdir" ] || kdir=/usr/src/linux-headers-$release
  [ -e "$kdir/Makefile" ] || { lack="the headers of $release are not there" remedy="sudo apt-get install --no-install-recommends linux-headers-amd64"; return 1; }
  image=$cache/boot/vmlinuz-$release
  if [ ! -e "$image" ]; then
    rm -rf "$cache"
    mkdir -p "$cache/download"
    (cd "$cache/download" && apt-get -o APT::Sandbox::User=root download -qq "$package" && dpkg-deb -x ./*.deb ..) >&2 ||
      { lack="no kernel: $package cannot be downloaded" remedy="sudo apt-get update, on Debian"; return 1; }
    rm -rf "$cache/download"
  fi
}

# Compiles in a copy of the sources, one for each kernel, so that two kernels' objects never meet.
modules() {
  local release
  release=$(make -s -C "$kdir" kernelrelease 2>/dev/null | tail -n1)
  objects=$room/build/modules/$release
  mkdir -p "$objects"
  rsync -a --delete --include='*/' --include='*.c' --include='*.h' --include=Kbuild --exclude='*' --prune-empty-dirs \
    --filter='protect *.o' --filter='protect *.ko' --filter='protect *.mod*' --filter='protect .*' --filter='protect *.symvers' --filter='protect *.order' \
    "$room/include" "$room/core" "$room/services" "$objects/"
  mkdir -p "$objects/tests"
  cp -u "$room/Kbuild" "$objects/"
  cp -u "$room"/tests/*.h "$objects/tests/" # of core/kunit
  make -s -C "$kdir" M="$objects" modules >"$place/modules.txt" 2>&1 ||
    { cat "$place/modules.txt"; echo "slick: the modules do not build against $kdir"; exit 1; }
  grep -v '^  ' "$place/modules.txt" || true
}

programs() { # programs NAME...: static ones, for there is no libc in the guest; slickload, slickmatrix and slickctl always
  local name
  for name in slickload slickmatrix slickctl "$@"; do
    make -s -C "$room" "build/$name" >&2
  done
}

guest_root() { # guest_root ROOT: everything but init
  rm -rf "$1"
  mkdir -p "$1"/{bin,dev,etc,proc,sys,tmp,modules,parts}
  cp "$(command -v busybox)" "$1/bin/busybox"
  cp "$room"/build/{slickload,slickmatrix,slickctl} "$1/bin/"
  echo 'root:x:0:0::/:/bin/sh
tester:x:1000:1000::/:/bin/sh' >"$1/etc/passwd"
  find "$objects" -name '*.ko' -exec cp {} "$1/modules/" \;
}

pack() { # pack ROOT FILE: not compressed, for the machine would need longer to unpack it than the host saves
  (cd "$1" && find . | cpio --quiet -o -H newc -R 0:0) >"$2"
}
