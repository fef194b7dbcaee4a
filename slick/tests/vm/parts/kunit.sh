# The unit tests that run in the kernel: they run as their module is loaded, and the kernel's log has what they found, each level
# indented by four.
kunit_verdicts() { # of a log without its times: `vm: ok kunit::SUITE::CASE::PARAMETER`
	awk '
	{ match($0, /^ */); depth = RLENGTH / 4 }
	$1 == "#" && $2 == "Subtest:" { of[depth] = $3 "::" }
	/^ *(not )?ok [0-9]+/ {
		good = $1 == "ok"
		at = good ? 3 : 4
		if ($at == "-") at++
		path = ""
		for (i = 0; i <= depth; i++) path = path of[i]
		verdict = good ? "ok" : "FAILED (see the console)"
		if (good && $0 ~ /# SKIP/) verdict = "ignored (" substr($0, index($0, "# SKIP") + 7) ")"
		print "vm: " verdict " kunit::" path $at
		delete of[depth + 1]
	}' "$1"
}

part_kunit() {
	dmesg -c >/dev/null
	check kunit::modules_load insmod /modules/slick_kunit.ko
	dmesg | sed 's/^\[[^]]*\] //' >/tmp/kunit
	sed 's/^/    /' /tmp/kunit
	kunit_verdicts /tmp/kunit
	check kunit::there_were_tests grep -q '^ *ok [0-9]' /tmp/kunit
	check kunit::modules_unload rmmod slick_kunit
	clean kunit
}
