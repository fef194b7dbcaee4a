#!/usr/bin/env bash
# Runs each fuzz target for some time: lab/fuzz/run.sh [SECONDS] [TARGET...]
# Builds as `cargo fuzz` does, but with any toolchain and without that tool, and without tracing comparisons: inputs are
# structured, so there is little to learn from them, and it makes a reset of the NIC five times slower. Findings end up in lab/fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(basename -s .rs fuzz_targets/*.rs)

host=$(rustc -vV | sed -n 's/^host: //p')
out=${CARGO_TARGET_DIR:-../../target}/fuzz
flags=(
  --cfg fuzzing -Cpasses=sancov-module
  -Cllvm-args=-sanitizer-coverage-level=4
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
  -Cllvm-args=-sanitizer-coverage-pc-table
  -Zsanitizer=address
)
# AddressSanitizer is part of every toolchain, but only nightly ones admit it without this variable.
RUSTC_BOOTSTRAP=1 RUSTFLAGS="${flags[*]}" \
  cargo build --quiet --release --target "$host" --target-dir "$out" "${targets[@]/#/--bin=}"

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_odr_violation=0}
for target in "${targets[@]}"; do
  echo "fuzz: $target, $seconds s"
  mkdir -p "artifacts/$target" "corpus/$target"
  log=$(mktemp)
  if ! "$out/$host/release/$target" "corpus/$target" -artifact_prefix="artifacts/$target/" \
    -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "fuzz: $target: a finding, see lab/fuzz/artifacts/$target and lab/fuzz/README.md" >&2
    exit 1
  fi
  grep -E 'number_of_executed_units|peak_rss' "$log"
  rm -f "$log"
done
