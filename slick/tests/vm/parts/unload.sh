# rmmod with clients that stream, in each context, while somebody reads the files.
part_unload() {
	for context in $CONTEXTS forward; do
		if [ $context = forward ]; then
			check unload::forward::start control start forward u port=7300 control=7301
			stream_messages
		else
			check "unload::$context::start" control start echo u port=7200 $(echo_arguments $context)
			stream
		fi
		client=$!
		check "unload::$context::it_streams" within 10 has_connections 16
		watch_files
		watcher=$!
		usleep 500000
		check "unload::$context::under_load" unload_all
		check "unload::$context::nothing_is_left" test -z "$(lsmod | grep slick)"
		rm -f /tmp/watch
		wait $watcher
		end_stream $client
		check "unload::$context::load_again" load_all
		clean "unload::$context"
	done
}
