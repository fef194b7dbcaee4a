# Memory that the kernel refuses on purpose: first each allocation of a start in turn, then one in ten of those that workers make.
FAIL=/sys/kernel/debug

prepare_refusals() {
	for kind in failslab fail_page_alloc; do
		echo N >$FAIL/$kind/ignore-gfp-wait && echo 0 >$FAIL/$kind/verbose && echo 0 >$FAIL/$kind/probability || return 1
	done
	echo 0 >$FAIL/fail_page_alloc/min-order
}
# The shell itself writes, for its own allocations are those that fail. Both files are open before. What is left of the number when the
# line was taken may hit whatever else the shell does, so only the line's own outcome counts.
start_with_refusal() { # start_with_refusal NUMBER WORD...
	nth=$1
	shift
	sh -c "exec 3>$CONTROL 4>/proc/self/fail-nth 2>/dev/null; echo $nth >&4; echo start $* >&3; code=\$?; echo 0 >&4; exit \$code"
}
each_refused() { # each_refused WORD...: until a start needs no more than so many allocations
	number=0 failed=0 good=0
	while [ $number -lt 400 ] && [ $good -lt 20 ]; do
		number=$((number + 1))
		if ! start_with_refusal $number "$@"; then
			failed=$((failed + 1)) good=0
			[ -z "$(grep "^$2 " /proc/net/slick/services)" ] || { echo "refused number $number, and it is there"; control stop "$2"; return 1; }
		else
			good=$((good + 1))
			control stop "$2" || { echo "start with refusal $number said it was good, but there is nothing to stop"; return 1; }
		fi
	done
	echo "$failed refusals were told, out of $number"
	[ $failed -gt 3 ] && [ $number -lt 400 ]
}
workers() { # workers 0|1: whether the kernel's threads may be refused memory
	for process in $(ps -o pid,comm | awk '$2 ~ /^(kworker|slick)/ { print $1 }'); do
		echo "$1" >/proc/$process/make-it-fail 2>/dev/null
	done
}
one_in_ten() { # one_in_ten COMMAND...: its end is no matter
	for kind in failslab fail_page_alloc; do
		echo Y >$FAIL/$kind/task-filter
		echo -1 >$FAIL/$kind/times
		echo 10 >$FAIL/$kind/probability
	done
	for second in 1 2 3 4 5 6; do
		workers 1
		limit 3 "$@" >/tmp/refused 2>&1
		tail -n 1 /tmp/refused
	done
	workers 0
	for kind in failslab fail_page_alloc; do echo 0 >$FAIL/$kind/probability; done
}

part_refused_memory() {
	check refused_memory::can_be_asked_for prepare_refusals
	for context in $CONTEXTS; do
		check "refused_memory::start_echo_$context" each_refused echo r port=7200 $(echo_arguments $context)
	done
	check refused_memory::start_forward each_refused forward r port=7300 control=7301
	clean refused_memory::start
	for context in $CONTEXTS; do
		control start echo r port=7200 $(echo_arguments $context)
		check "refused_memory::echo_${context}_lives" one_in_ten slickload echo 127.0.0.1 7200 --size 3000 --connections 8 --depth 8 --seconds 2
		check "refused_memory::echo_${context}_connections_go" within 10 no_connections
		check "refused_memory::echo_${context}_is_well_again" limit 30 slickload echo 127.0.0.1 7200 --size 3000 --connections 4 --depth 4 --messages 200 --verify
		control stop r
	done
	control start forward r port=7300 control=7301
	check refused_memory::forward_lives one_in_ten slickload forward 127.0.0.1 7300 7301 --payload 256 --senders 8 --backends 20 --seconds 2
	check refused_memory::forward_connections_go within 15 no_connections
	check refused_memory::forward_is_well_again limit 30 slickload forward 127.0.0.1 7300 7301 --payload 256 --senders 4 --backends 4 --messages 200 --verify
	control stop r
	clean refused_memory
}
