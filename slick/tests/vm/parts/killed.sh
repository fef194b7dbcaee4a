# Clients that are killed with much on its way, and services that are stopped below clients.
part_killed() {
	for context in $CONTEXTS; do
		check "killed::$context::start" control start echo k port=7200 $(echo_arguments $context)
		stream
		client=$!
		check "killed::$context::it_streams" within 10 has_connections 16
		sleep 1
		end_stream $client
		check "killed::$context::its_connections_go" within 10 no_connections
		stream
		client=$!
		within 10 has_connections 16
		check "killed::$context::stop_below_clients" control stop k
		end_stream $client
		clean "killed::$context"
	done
	check killed::forward::start control start forward k port=7300 control=7301
	stream_messages
	client=$!
	check killed::forward::it_streams within 10 has_connections 28
	sleep 1
	end_stream $client
	check killed::forward::its_connections_go within 15 no_connections
	stream_messages
	client=$!
	within 10 has_connections 28
	check killed::forward::stop_below_clients control stop k
	end_stream $client
	clean killed::forward
}
