#!/usr/bin/env bash
# Guest instructions per message: Debian's kernel in QEMU with -icount shift=0, where the guest's nanoseconds are its instructions, one
# virtual processor, the load beside the service. Blind to caches, to mitigations of the host and to interrupts of other processors;
# immune to neighbours, and the same tomorrow. Writes build/icount.json (icount.py says what is in it) and prints tables.
#   SLICK_ICOUNT_SIZES="32 128 ..."   of echoed messages           SLICK_ICOUNT_PAYLOADS="32 ..."   of forwarded ones
#   SLICK_ICOUNT_RUNS=2   of everything     SLICK_ICOUNT_WORK=200   million instructions a cell
#   SLICK_ICOUNT_CPUS="max max,-erms,-fsrm"   the processors, one guest each. `max` copies by `rep movsb`, of which QEMU counts every
#       byte as an instruction, where a processor moves 32 or more in a cycle: it makes large messages dear, and saved copies worth too
#       much. Without it 8 bytes count as one. The truth of a real processor is beyond the second, not between them.
#   SLICK_ICOUNT_KERNEL, SLICK_ICOUNT_USERS, SLICK_ICOUNT_FLUSHES: the contenders    SLICK_ICOUNT_OUTPUT: the file
set -euo pipefail
cd "$(dirname "$0")/.."
room=$PWD
place=$room/build/icount
output=${SLICK_ICOUNT_OUTPUT:-$room/build/icount.json}
read -ra cpus <<<"${SLICK_ICOUNT_CPUS:-max max,-erms,-fsrm}"
mkdir -p "$place"
exec 9>"$place/lock"
flock -n 9 || { echo "icount: it runs already in $place" >&2; exit 2; }
. "$room/tests/vm/guest.sh"

fail() { # fail WHY REMEDY
  echo "icount: $1. Run: $2" >&2
  exit 2
}

tools qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio make:make gcc:gcc rsync:rsync python3:python3 ||
  fail "it needs $missing" "sudo apt-get install --no-install-recommends $missing"
stock_kernel || fail "$lack" "$remedy"
modules
programs slick-echo slick-forward
gcc -O2 -static -o "$room/build/icount_loop" bench/icount_loop.c
guest_root "$place/root"
cp "$room"/build/{slick-echo,slick-forward,icount_loop} "$place/root/bin/"
cp bench/icount.init "$place/root/init"
cat >"$place/root/settings" <<SETTINGS
ECHO_SIZES="${SLICK_ICOUNT_SIZES-32 64 128 256 512 1024 2048 4096 8192 16384}"
FORWARD_SIZES="${SLICK_ICOUNT_PAYLOADS-32 64 128 256 512 1024 2048 4096}"
RUNS=${SLICK_ICOUNT_RUNS:-2}
WORK=${SLICK_ICOUNT_WORK:-200}
KERNEL="${SLICK_ICOUNT_KERNEL-kernel-percpu kernel-ordered kernel-kthread kernel-softirq kernel-strparser}"
USERS="${SLICK_ICOUNT_USERS-user-epoll user-libevent user-io_uring}"
FLUSHES="${SLICK_ICOUNT_FLUSHES-message 1 8}"
SETTINGS
pack "$place/root" "$place/initramfs"
consoles=()
for cpu in "${cpus[@]}"; do
  console=$place/console-${cpu//,/}.txt
  echo "icount: a guest with -cpu $cpu" >&2
  timeout -k 5 "${SLICK_ICOUNT_PATIENCE:-7200}" qemu-system-x86_64 -machine pc -accel tcg -icount shift=0,sleep=off -cpu "$cpu" -smp 1 -m 2048 \
    -seed 1 -rtc base=2026-01-01,clock=vm -display none -no-reboot -serial stdio -monitor none -nodefaults \
    -kernel "$image" -initrd "$place/initramfs" \
    -append "console=ttyS0 no_timer_check panic=-1 quiet nokaslr tsc=reliable clocksource=tsc" </dev/null 2>"$place/qemu.txt" |
    sed -u 's/\r$//' | tee "$console" | grep --line-buffered '^icount: ' >&2 || true
  consoles+=("$cpu=$console")
done
python3 bench/icount.py "$output" "${consoles[@]}"
