# A network namespace that ends with services running in it. The files are those of the namespace of who looks.
inside() { # inside CONTEXT: in a namespace of its own: services, clients, and an end without goodbye
	ip link set lo up
	if [ "$1" = forward ]; then
		echo start forward n port=7300 control=7301 >$CONTROL || return 1
		stream_messages
	else
		echo "start echo n port=7200 $(echo_arguments "$1")" >$CONTROL || return 1
		stream
	fi
	client=$!
	within 10 has_connections 16 || { cat /proc/net/slick/sockets; return 1; }
	usleep 300000
	kill -9 $client
}
in_its_own() { # a shell in a new namespace has to source us again
	unshare -n sh -c "SLOW=$SLOW; . /functions; . /parts/namespace.sh; inside $1"
}
# Threads of a loop are named after the module; those of our own namespace's loops are not there, for none of its services runs.
threads() { ps | grep '\[slick/'; }
no_threads() { ! threads; }

part_namespace() {
	check namespace::start_outside control start echo outside port=7200
	for context in $CONTEXTS forward; do
		check "namespace::$context::ends_with_services_in_it" in_its_own $context
	done
	check namespace::outside_still_answers limit 20 slickload echo 127.0.0.1 7200 --size 100 --connections 2 --depth 4 --messages 200 --verify
	check namespace::stop_outside control stop outside
	check namespace::no_thread_is_left within 20 no_threads
	control start echo threads port=7200 context=kthread
	check namespace::and_there_would_be_some threads
	control stop threads
	sleep 2
	clean namespace
	# Whatever of a namespace were left would hold the modules, or be freed below the feet of something.
	check namespace::modules_unload_behind_it unload_all
	check namespace::and_load load_all
	clean namespace::unload
}
