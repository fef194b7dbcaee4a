# What the control file takes, and how it refuses the rest.
as_nobody() {
	su -s /bin/sh tester -c "echo stop nobody >$CONTROL"
}
long_line() {
	control "start echo a port=7 address=$(head -c 5000 /dev/zero | tr '\0' 1)"
}
two_services() {
	limit 30 slickload echo 127.0.0.1 7001 --size 700 --connections 4 --depth 8 --messages $MESSAGES --verify >/tmp/one &
	limit 30 slickload echo ::1 7002 --size 700 --connections 4 --depth 8 --messages $MESSAGES --verify >/tmp/two
	two=$?
	wait $! && [ $two = 0 ]
}

part_control() {
	says control::only_root_may_write "ermission denied" as_nobody
	says control::unknown_command "nvalid argument" control begin echo a port=7
	says control::empty_line "nvalid argument" control ""
	says control::unknown_service "o such file" control start nothing a port=7
	says control::no_name "nvalid argument" control start echo
	says control::no_port_to_listen_on "nvalid argument\|out of range" control start echo a port=70000
	says control::negative_port "nvalid argument\|out of range" control start echo a port=-1
	says control::unknown_argument "nvalid argument" control start echo a port=7 colour=blue
	says control::argument_without_value "nvalid argument" control start echo a port
	says control::unknown_context "nvalid argument" control start echo a port=7 context=dream
	says control::unknown_frames "nvalid argument" control start echo a port=7 frames=json
	says control::frames_and_a_chunk "nvalid argument" control start echo a port=7 frames=thrift chunk=5
	says control::limit_of_no_frames "nvalid argument" control start echo a port=7 max_frame=5
	says control::limit_beyond_all "nvalid argument" control start echo a port=7 frames=thrift max_frame=33554429
	says control::no_address "nvalid argument" control start echo a port=7 address=localhost
	says control::marks_the_wrong_way_round "nvalid argument" control start forward a port=7 control=8 marks=100,200
	says control::forwarder_in_softirq "nvalid argument" control start forward a port=7 control=8 context=softirq
	says control::too_long_a_line "" long_line
	says control::foreign_address "ddress" control start echo a port=7 address=192.0.2.1
	says control::stop_of_nothing "o such file" control stop a
	says control::set_of_nothing "o such file" control set a chunk=5
	check control::nothing_was_left_behind test -z "$(grep -v '^#' /proc/net/slick/services)"

	check control::start_one control start echo one port=7001 context=softirq
	says control::name_is_taken "ile exists" control start echo one port=7003
	says control::port_is_taken "ddress already in use" control start echo two port=7001
	check control::start_another control start echo two port=7002 context=percpu
	says control::set_of_nonsense "nvalid argument\|not supported" control set one colour=blue
	check control::services_shows_both test "$(grep -c -E '^(one|two) echo ' /proc/net/slick/services)" = 2
	check control::both_answer two_services
	check control::ipv4_and_ipv6 echoes 7001 ::1
	check control::stop_one control stop one
	says control::which_answers_no_more "" echoes 7001
	check control::the_other_goes_on echoes 7002
	check control::stop_the_other control stop two
	check control::start_again control start echo one port=7001
	check control::and_it_answers echoes 7001
	check control::stop_again control stop one
	check control::counters_count grep -q '^accepted [1-9]' /proc/net/slick/counters
	clean control
}
