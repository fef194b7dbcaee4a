# The door: what slickctl does, and what it says when it cannot. Modules are in one directory here, as they are where they are built.
another_kernels() { # a directory with a module that was built for a kernel that this is not
	mkdir -p /tmp/other
	sed "s/vermagic=$(uname -r)/vermagic=9.9.9-other/" /modules/slick.ko >/tmp/other/slick.ko
}
user_slickctl() { su -s /bin/sh tester -c "slickctl $*"; }

part_slickctl() {
	check slickctl::unload slickctl unload
	says slickctl::without_modules_it_says_how_to_load "sudo slickctl load" slickctl services
	says slickctl::load_wants_modules_that_are_there "make -C slick modules" slickctl load /nowhere
	another_kernels
	check slickctl::the_other_kernels_module_differs sh -c "! cmp -s /modules/slick.ko /tmp/other/slick.ko"
	says slickctl::another_kernels_module "built for another kernel: sudo apt-get install linux-headers-$(uname -r)" slickctl load /tmp/other
	says slickctl::only_root_loads "it wants root" user_slickctl load /modules
	check slickctl::load slickctl load /modules
	check slickctl::loads_what_is_loaded slickctl load /modules

	check slickctl::start slickctl start echo one port=7101 context=softirq
	check slickctl::it_answers echoes 7101
	check slickctl::services sh -c "slickctl services | grep -q '^one echo .*port=7101 context=softirq'"
	check slickctl::loops sh -c "slickctl loops | grep -q '^echo context=softirq'"
	check slickctl::sockets sh -c "slickctl sockets | grep -q 'local=.*:7101 .*listens'"
	check slickctl::counters sh -c "slickctl counters | grep -q '^accepted [1-9]'"
	says slickctl::name_is_taken "name is taken" slickctl start echo one port=7102
	says slickctl::port_is_taken "another program listens" slickctl start echo two port=7101
	says slickctl::unknown_service "echo and forward are" slickctl start dream two port=7102
	says slickctl::wrong_key "key or a value is wrong" slickctl start echo two port=7102 colour=blue
	says slickctl::echo_has_nothing_to_set "nothing that can be changed" slickctl set one chunk=5
	says slickctl::only_root_starts "sudo slickctl" user_slickctl start echo two port=7102
	check slickctl::start_a_forwarder slickctl start forward f port=7103 control=7104
	check slickctl::set_marks slickctl set f marks=65536,16384
	check slickctl::marks_are_shown sh -c "slickctl services | grep -q '^f forward .*marks=65536,16384'"
	says slickctl::marks_the_wrong_way_round "marks=HIGH,LOW" slickctl set f marks=1,2
	check slickctl::stop slickctl stop one
	says slickctl::stop_of_nothing "none of this name" slickctl stop one
	says slickctl::no_such_command "no command" slickctl dance
	check slickctl::unload_with_a_service_that_runs slickctl unload
	check slickctl::unload_what_is_not_loaded slickctl unload
	check slickctl::load_again slickctl load /modules
	clean slickctl
}
