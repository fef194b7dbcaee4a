# What the kernel can no longer find a pointer to, when the modules are gone. It looks twice, for what it saw a moment ago may be moving.
no_leaks() {
	for look in 1 2; do
		echo scan >/sys/kernel/debug/kmemleak || return 1
		sleep 6
	done
	[ -z "$(cat /sys/kernel/debug/kmemleak | tee /dev/stderr)" ]
}

part_leaks() {
	check leaks::modules_unload unload_all
	check leaks::nothing_is_left no_leaks
	check leaks::modules_load load_all
}
