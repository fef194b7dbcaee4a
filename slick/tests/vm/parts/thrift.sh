# The echo of whole Thrift messages in every context, byte-verified, and what ends its connections.
verified_frames() { # verified_frames SIZE MESSAGES
	limit 40 slickload echo 127.0.0.1 7400 --frames thrift --size "$1" --connections 4 --depth 4 --messages "$2" --verify
}
thrift_count() { # thrift_count KEY: how many
	sed -n "s/^t echo .* $1=\([0-9]*\).*/\1/p" /proc/net/slick/services
}

part_thrift() {
	for context in $CONTEXTS; do
		check "thrift::$context::start" control start echo t port=7400 frames=thrift $(echo_arguments $context)
		check "thrift::$context::34_bytes" verified_frames 34 $((MESSAGES / 10))
		check "thrift::$context::65536_bytes" verified_frames 65536 32
		check "thrift::$context::1048576_bytes" verified_frames 1048576 8
		check "thrift::$context::nothing_was_wrong_with_them" test "$(thrift_count malformed)$(thrift_count oversized)" = 00
		# The first three differ in where they run only: of two of them the ends are enough.
		case $context in
			ordered | kthread) matrix "thrift::$context" --only ends thrift 127.0.0.1 7400 ;;
			*) matrix "thrift::$context" thrift 127.0.0.1 7400 ;;
		esac
		check "thrift::$context::malformed_ones_are_counted" test "$(thrift_count malformed)" -gt 10
		check "thrift::$context::oversized_ones_are_counted" test "$(thrift_count oversized)" = 3
		check "thrift::$context::no_connection_is_left" within 10 no_connections
		check "thrift::$context::stop" control stop t
		clean "thrift::$context"
	done
	# The limit is the service's, whatever the receive buffer was.
	for path in copy strparser; do
		check "thrift::$path::start_with_a_small_limit" control start echo t port=7400 frames=thrift path=$path max_frame=996
		check "thrift::$path::of_the_limit" verified_frames 1000 100
		says "thrift::$path::beyond_the_limit" '"failed":4' verified_frames 1001 4
		check "thrift::$path::they_are_counted" test "$(thrift_count oversized)" = 4
		check "thrift::$path::stop_small" control stop t
	done
	clean thrift::limits
}
