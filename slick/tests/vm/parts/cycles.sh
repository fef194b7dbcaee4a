# Loaded and unloaded again and again, each time with clients in another context.
cycle() { # cycle NUMBER
	set -- $1 $CONTEXTS
	shift $(($1 % 5 + 1))
	control start echo u port=7200 $(echo_arguments "$1") && control start forward f port=7300 control=7301 || return 1
	stream
	first=$!
	stream_messages
	second=$!
	within 10 has_connections 40
	streaming=$?
	unload_all
	unloaded=$?
	end_stream $first
	end_stream $second
	[ $streaming = 0 ] && [ $unloaded = 0 ] && load_all
}
cycles() {
	number=0
	while [ $number -lt "$CYCLES" ]; do
		number=$((number + 1))
		cycle $number || { echo "cycle $number failed: streaming=$streaming unloaded=$unloaded"; cat /tmp/stream /tmp/messages; return 1; }
		quiet_kernel || return 1
		[ $((number % 10)) != 0 ] || echo "    cycle $number at $(cut -d' ' -f1 /proc/uptime) s" >/dev/console
	done
	echo "$number cycles"
}

part_cycles() {
	check "cycles::load_traffic_unload_${CYCLES}_times" cycles
	clean cycles
}
