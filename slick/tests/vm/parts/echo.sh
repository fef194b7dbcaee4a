# Every context, byte-verified, and the failure matrix.
verified() { # verified SIZE
	limit 40 slickload echo 127.0.0.1 7000 --size "$1" --connections 8 --depth 8 --messages "$2" --verify
}

part_echo() {
	for context in $CONTEXTS; do
		check "echo::$context::start" control start echo e port=7000 $(echo_arguments $context)
		for size in 1 32 1024 16384; do
			count=$MESSAGES
			[ $size -gt 10000 ] && count=$((MESSAGES / 4))
			check "echo::$context::${size}_bytes" verified $size $count
		done
		matrix "echo::$context" echo 127.0.0.1 7000
		check "echo::$context::files_can_be_read" read_all
		check "echo::$context::no_connection_is_left" within 10 no_connections
		check "echo::$context::stop" control stop e
		clean "echo::$context"
	done
	check echo::per_message::start control start echo e port=7000 chunk=32
	check echo::per_message::32_bytes verified 32 $((MESSAGES / 2))
	check echo::per_message::33_bytes verified 33 $((MESSAGES / 4))
	check echo::per_message::stop control stop e
	clean echo::per_message
}
