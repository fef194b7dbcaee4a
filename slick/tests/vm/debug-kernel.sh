#!/usr/bin/env bash
# Builds a kernel with KASAN, lockdep, PROVE_RCU and KUnit from Debian's linux-source, once: debug.config says what is in it. Needs no
# root. The last line on standard output is the directory that modules are built against; arch/x86/boot/bzImage below it boots.
#   debug-kernel.sh [6.1|6.12]             the kernel: about 20 minutes of one processor, 3 GB
#   debug-kernel.sh --prepare [6.1|6.12]   only what modules want to be compiled (without Module.symvers: KBUILD_MODPOST_WARN=1)
# SLICK_CACHE: where it is kept (slick/build/kernels); SLICK_JOBS: how many compilers at once (as many as there are processors).
set -euo pipefail
room=$(cd "$(dirname "$0")" && pwd)
cache=${SLICK_CACHE:-$room/../../build/kernels}
jobs=${SLICK_JOBS:-$(nproc)}

fail() { # fail WHY REMEDY
  echo "debug-kernel: $1. $2" >&2
  exit 2
}

what=kernel
[ "${1:-}" != --prepare ] || { what=prepare; shift; }
version=${1:-6.1}
case $version in 6.1 | 6.12) ;; *) fail "there is no linux-source-$version here" "Ask for 6.1 or 6.12." ;; esac

missing=()
for tool in gcc make flex bison bc xz; do
  command -v $tool >/dev/null || missing+=("${tool/xz/xz-utils}")
done
[ -e /usr/include/libelf.h ] || missing+=(libelf-dev)
[ -e /usr/include/openssl/opensslv.h ] || missing+=(libssl-dev)
[ ${#missing[@]} = 0 ] || fail "it needs ${missing[*]}" "Run: sudo apt-get install --no-install-recommends ${missing[*]}"

# prints the archive with the source: the installed package's, or that of one that is downloaded
archive() {
  local name=linux-source-$version.tar.xz
  if [ ! -e "/usr/src/$name" ] && [ ! -e "$cache/download/usr/src/$name" ]; then
    (mkdir -p "$cache/download" && cd "$cache/download" && apt-get -o APT::Sandbox::User=root download -qq "linux-source-$version" &&
      dpkg-deb -x linux-source-"$version"_*.deb . && rm linux-source-"$version"_*.deb) >&2 || return 1
  fi
  if [ -e "/usr/src/$name" ]; then echo "/usr/src/$name"; else echo "$cache/download/usr/src/$name"; fi
}

source_tree() { # source_tree ARCHIVE: unpacks it unless that was done
  local tree=$cache/linux-source-$version mark
  mark="$(stat -Lc '%s %Y' "$1")"
  if [ "$(cat "$tree/.slick" 2>/dev/null)" != "$mark" ]; then
    rm -rf "$tree" "$cache/debug-$version"
    tar -xJf "$1" -C "$cache"
    echo "$mark" >"$tree/.slick"
  fi
}

mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
exec 9>"$cache/lock-$version"
flock 9
archive=$(archive) || fail "linux-source-$version cannot be downloaded" "Run: sudo apt-get update, on Debian 12."
source_tree "$archive"

tree=$cache/debug-$version
mark=$(cat "$room/debug.config" "$cache/linux-source-$version/.slick" | sha256sum)
make=(nice -n 10 make -s -C "$cache/linux-source-$version" O="$tree" ARCH=x86_64)
if [ "$(cat "$tree/.slick-config" 2>/dev/null)" != "$mark" ]; then
  mkdir -p "$tree"
  rm -f "$tree/.slick-kernel" "$tree/.slick-prepare"
  "${make[@]}" KCONFIG_ALLCONFIG="$room/debug.config" allnoconfig >"$tree/config.txt" 2>&1 ||
    fail "the configuration was not taken" "See $tree/config.txt"
  echo "$mark" >"$tree/.slick-config"
fi
if [ ! -e "$tree/.slick-$what" ]; then
  targets=(bzImage modules)
  [ $what = kernel ] || targets=(modules_prepare)
  echo "debug-kernel: building ${targets[*]} of Linux $version in $tree" >&2
  "${make[@]}" -j"$jobs" "${targets[@]}" >"$tree/$what.txt" 2>&1 || fail "the build failed" "See $tree/$what.txt"
  touch "$tree/.slick-$what"
fi
echo "$tree"
