# The unit tests that run in the kernel: they run as their module is loaded, and the kernel's log has what they found.
part_kunit() {
	dmesg -c >/dev/null
	check kunit::modules_load insmod /modules/slick_kunit.ko
	dmesg >/tmp/kunit
	sed 's/^\[[^]]*\] /    /' /tmp/kunit
	# A suite is a line at the margin, its cases are indented.
	sed -n -e 's/^\[[^]]*\] \+ok [0-9]* -* *\([^ ]*\).*/vm: ok kunit::\1/p' \
		-e 's/^\[[^]]*\] \+not ok [0-9]* -* *\([^ ]*\).*/vm: FAILED (see the console) kunit::\1/p' /tmp/kunit
	check kunit::there_were_tests grep -q ' ok [0-9]' /tmp/kunit
	check kunit::modules_unload rmmod slick_kunit
	clean kunit
}
