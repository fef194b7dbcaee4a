# Connections that a BPF program puts into a sockmap before the service has accepted them: they are refused, and nothing else happens.
GROUP=/tmp/cgroup

refused() { sed -n 's/^refused //p' /proc/net/slick/counters; }

# Each connection ends without an answer; all of them are counted.
all_refused() { # all_refused WAY
	before=$(refused)
	! limit 30 sockmap "$1" $GROUP 7400 slickload echo 127.0.0.1 7400 --size 100 --connections 16 --depth 4 --messages 200 || return 1
	now=$(refused)
	echo "refused: $((now - before)) of 16"
	[ $((now - before)) = 16 ]
}

part_taken() {
	mkdir -p $GROUP
	check taken::there_are_cgroups mount -t cgroup2 none $GROUP
	for context in $CONTEXTS; do
		check "taken::$context::start" control start echo t port=7400 $(echo_arguments $context)
		for way in plain verdict; do
			check "taken::$context::${way}_connections_are_refused" all_refused $way
		done
		check "taken::$context::others_are_not" echoes 7400
		check "taken::$context::no_connection_is_left" within 10 no_connections
		check "taken::$context::stop" control stop t
		clean "taken::$context"
	done
	umount $GROUP
}
