#!/usr/bin/env bash
# The modules in a real kernel: boots Debian's in QEMU, loads them and lets `init` try everything: each context, the failure matrix,
# killed clients, unloading under load, the end of a network namespace. Needs no root. Says what it lacks and ends well if it
# lacks something.
#   run.sh            Debian's kernel: some minutes
#   run.sh debug      the kernel that debug-kernel.sh builds (KASAN, lockdep, PROVE_RCU): more of everything, KUnit, refused memory
# SLICK_DEBUG_VERSION: which, 6.1 or 6.12.
# SLICK_VM_PATIENCE: seconds that the machine may take. SLICK_VM_ONLY: names of the parts of init that are to run.
# SLICK_VM_CYCLES: how often the modules are loaded and unloaded. SLICK_CACHE: where debug-kernel.sh keeps its kernel.
set -euo pipefail
cd "$(dirname "$0")/../.."
room=$PWD
here=$room/tests/vm
mode=${1:-stock}
version=${SLICK_DEBUG_VERSION:-6.1}
place=$room/build/vm/$mode
[ $mode != debug ] || place=$place-$version
log=$place/console.txt
mkdir -p "$place"
. "$here/guest.sh"

skip() { # skip WHY REMEDY
  echo "slick test-vm: skipped: $1. Run: $2"
  exit 0
}

verdicts() { # keeps what it reads in the log, and says what of it is a verdict
  tee -a "$log" | sed -n -u 's/^vm: \(ok\|ignored.*\|FAILED.*\) \([^ ]*\)$/test slick_vm::\2 ... \1/p'
}

boot() { # boot: its console on standard output
  timeout -k 5 "$patience" qemu-system-x86_64 -machine pc -accel tcg,thread=multi -cpu max -smp 2 -m 1536 -display none -no-reboot \
    -serial stdio -monitor none -nodefaults -kernel "$image" -initrd "$place/initramfs" \
    -append "console=ttyS0 no_timer_check panic=-1 quiet $append" </dev/null
}

[ "$(uname -m)" = x86_64 ] || skip "the virtual machine is for x86-64" "it on such a machine"
tools qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio make:make gcc:gcc rsync:rsync ||
  skip "it needs $missing" "sudo apt-get install --no-install-recommends $missing"

exec 9>"$place/lock"
flock -n 9 || { echo "slick test-vm: it runs already in $place"; exit 1; }
start=$SECONDS
case $mode in
  stock)
    patience=${SLICK_VM_PATIENCE:-400} cycles=${SLICK_VM_CYCLES:-6} append=
    stock_kernel || skip "$lack" "$remedy"
    ;;
  debug)
    patience=${SLICK_VM_PATIENCE:-3600} cycles=${SLICK_VM_CYCLES:-100} append="kunit.enable=1 workqueue.watchdog_thresh=60"
    kdir=$("$here/debug-kernel.sh" "$version") || skip "there is no debug kernel" "slick/tests/vm/debug-kernel.sh"
    image=$kdir/arch/x86/boot/bzImage
    ;;
  *) echo "run.sh: $mode is neither stock nor debug"; exit 2 ;;
esac
modules
programs sockmap
root=$place/root
guest_root "$root"
cp "$room/build/sockmap" "$root/bin/"
cp "$here/init" "$here/functions" "$root/"
cp "$here"/parts/*.sh "$root/parts/"
printf 'MODE=%s\nCYCLES=%s\nONLY="%s"\n' "$mode" "$cycles" "${SLICK_VM_ONLY:-}" >"$root/settings"
pack "$root" "$place/initramfs"
: >"$log"
boot 2>"$place/qemu.txt" | sed -u 's/\r$//' | verdicts || true

passed=$(grep -c '^vm: ok' "$log" || true)
failed=$(grep -c '^vm: FAILED' "$log" || true)
ignored=$(grep -c '^vm: ignored' "$log" || true)
grep -q '^vm: done' "$log" || { echo "slick test-vm: the virtual machine did not get to its end (it may take $patience s)"; failed=$((failed + 1)); }
echo "test result: $([ "$failed" = 0 ] && echo ok || echo FAILED). $passed passed; $failed failed; $ignored ignored; finished in $((SECONDS - start))s"
[ "$failed" = 0 ] || { echo "slick test-vm: what the machine said: $log (QEMU itself: $place/qemu.txt)"; exit 1; }
