# Both granularities: each message sent at once, and what one read brought together.
verified_messages() { # verified_messages PAYLOAD MESSAGES
	limit 60 slickload forward 127.0.0.1 7100 7101 --payload "$1" --senders 8 --backends 20 --messages "$2" --verify
}
dead_were_counted() {
	grep '^f forward' /proc/net/slick/services | tee /dev/stderr | grep -q 'died=[1-9]'
}

part_forward() {
	for flush in message read; do
		check "forward::$flush::start" control start forward f port=7100 control=7101 flush=$flush
		for payload in 32 1000 4096; do
			check "forward::$flush::${payload}_bytes" verified_messages $payload $MESSAGES
		done
		matrix "forward::$flush" forward 127.0.0.1 7100 7101
		check "forward::$flush::dead_backends_are_counted" dead_were_counted
		check "forward::$flush::files_can_be_read" read_all
		check "forward::$flush::no_connection_is_left" within 15 no_connections
		check "forward::$flush::stop" control stop f
		clean "forward::$flush"
	done
}
