#!/usr/bin/env bash
# The failure matrix against the services as user processes, on each loop that was built: tests/twins.sh BUILD
# They are tried beside each other: the matrix mostly waits.
set -euo pipefail
build=${1:?BUILD is the directory of the programs}
start=$SECONDS
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

verdict() { echo "test $1 ... $2"; } # verdict NAME WHAT

serve() { # serve OUT COMMAND...: starts it as $server; `ports` are those that it says; fails if it cannot run here
  local out=$1
  shift
  : >"$out.said"
  "$@" >"$out.said" 2>"$out.why" &
  server=$!
  for _ in $(seq 200); do
    if grep -q listening "$out.said"; then
      ports=$(sed -E 's/.* port ([0-9]+)( control ([0-9]+))?/\1 \3/' "$out.said")
      return 0
    fi
    kill -0 "$server" 2>/dev/null || return 1
    sleep 0.05
  done
  kill "$server"
  return 1
}

matrix() { # matrix NAME TESTS OUT: its lines under another name
  local line
  # shellcheck disable=SC2086
  "$build/slickmatrix" "$2" 127.0.0.1 $ports >"$3.matrix" 2>&1 || true
  while read -r line; do
    [[ $line =~ ^test\ matrix::([^ ]+)\ \.\.\.\ (.*)$ ]] && verdict "$1::${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  done <"$3.matrix"
  grep -q '^test result' "$3.matrix" || verdict "$1::matrix_came_to_its_end" "FAILED ($(tail -n1 "$3.matrix"))"
}

judge() { # judge OUT LOOP SERVICE OPTION...: one twin from its start to its end
  local out=$1 loop=$2 service=$3 code=0 name tests
  shift 3
  name=twin::$loop::${service}_$2
  tests=$service
  [ "$2" != thrift ] || tests=thrift
  if ! serve "$out" "$build/slick-$service" --loop "$loop" --port 0 --address 127.0.0.1 "$@"; then
    verdict "$name" "ignored ($(head -n1 "$out.why"))"
    return
  fi
  matrix "$name" "$tests" "$out"
  kill "$server"
  wait "$server" || code=$?
  verdict "$name::ends_on_a_signal" "$([ $code = 0 ] && echo ok || echo "FAILED (exit $code)")"
}

number=0
for loop in epoll libevent io_uring; do
  for what in "echo --chunk 0" "echo --chunk 1000" "echo --frames thrift" "forward --flush message" "forward --flush 1"; do
    number=$((number + 1))
    # shellcheck disable=SC2086
    judge "$place/$number" "$loop" $what >"$place/$number.out" 2>&1 &
  done
done
wait
for one in $(seq $number); do cat "$place/$one.out"; done | tee "$place/all"
passed=$(grep -c '\.\.\. ok$' "$place/all" || true)
failed=$(grep -c '\.\.\. FAILED' "$place/all" || true)
ignored=$(grep -c '\.\.\. ignored' "$place/all" || true)
[ "$passed" -gt 0 ] || failed=$((failed + 1)) # that nothing ran is no success
echo "test result: $([ "$failed" = 0 ] && echo ok || echo FAILED). $passed passed; $failed failed; $ignored ignored; finished in $((SECONDS - start))s"
[ "$failed" = 0 ]
