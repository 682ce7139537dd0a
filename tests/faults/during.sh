# SPDX-License-Identifier: MIT
# The column `during` of the fault matrix: what happens in the middle of the run.
# shellcheck shell=sh disable=SC2016,SC2030,SC2031,SC2034,SC2086,SC2116,SC2120,SC2154,SC2317
# (The functions are called from the rows, with the variables of cell.sh.)

signal() {
	kill -"$1" "$front"
}

to_load() {
	find_load_process && kill -"$1" "$load"
}

stall() {
	find_load_process && kill -STOP "$load"
	sleep "$1"
	kill -CONT "$load"
}

# Until it has an effect.
signal_until_gone() {
	for _ in 1 2 3 4 5 6 7 8; do
		kill -"$1" "$front" 2>/dev/null
		! wait_for 1 gone "$front" || return 0
	done
}

# Memory runs out in a control group of either version that front and load process are in, and not
# by their fault.
out_of_memory() {
	needs_root
	for group in "/sys/fs/cgroup/iob-$front" "/sys/fs/cgroup/memory/iob-$front"; do
		mkdir "$group" 2>/dev/null || continue
		at_end "rmdir '$group'"
		for knob in memory.max memory.limit_in_bytes; do
			[ ! -e "$group/$knob" ] || break 2
		done
	done
	[ -e "$group/$knob" ] || skip "no control group for memory"
	find_load_process && echo 64M >"$group/$knob" || return 1
	for pid in "$front" "$load"; do
		echo "$pid" >"$group/cgroup.procs" || skip "no control group may be entered"
	done
	sh -c 'echo $$ >"$1/cgroup.procs" && head -c 100M /dev/zero | tail -n 1 >/dev/null' sh "$group" 2>/dev/null
	wait_for 5 gone "$load"
}

# While what was written goes to the disk.
signal_in_flush() {
	wait_for 8 grep -q '^\[FLUSH' "$tmp/err" || return 1
	kill -"$1" "$front"
}

# A CPU less to run on, by the control group that in_cpuset made.
shrink_cpuset() {
	# Of this script: so it was in the subshell, too.
	echo "$1" >"/sys/fs/cgroup/cpuset/iob-$$/cpuset.cpus"
	sleep 1.2
}

# Twice: the second one does not wait.
signal_twice() {
	kill -"$1" "$front"
	wait_for 5 grep -qE '^\[(DRAIN|FLUSH)' "$tmp/err"
	sleep 0.1
	kill -"$1" "$front"
}

# The setting is back although who changed it was killed.
keeps_scheduler() {
	queue=/sys/block/${target##*/}/queue/scheduler
	grep -q '\[mq-deadline\]' "$queue" || return 1
	kill -KILL "$@"
	wait_for 3 grep -q '\[none\]' "$queue" || fail "the scheduler stays $(cat "$queue")"
}

stop_and_signal() {
	to_load STOP
	for name in "$@"; do
		kill -"$name" "$front"
		sleep 0.3 # two signals at once are one
	done
}

stall_front() {
	kill -STOP "$front"
	sleep "$1"
	kill -CONT "$front"
}

stall_both() {
	find_load_process && kill -STOP "$front" "$load"
	sleep "$1"
	kill -CONT "$front" "$load"
}

# The device, not the program.
stall_device() {
	kill -STOP "$fuse_pid"
	sleep "$1"
	kill -CONT "$fuse_pid"
}

# freeze FOR: by a control group of either version.
freeze() {
	needs_root
	for group in "/sys/fs/cgroup/iob-$front" "/sys/fs/cgroup/unified/iob-$front" \
		"/sys/fs/cgroup/freezer/iob-$front"; do
		mkdir "$group" 2>/dev/null || continue
		at_end "rmdir '$group'"
		[ ! -e "$group/cgroup.freeze" ] || break
		[ ! -e "$group/freezer.state" ] || break
	done
	knob=$group/cgroup.freeze on=1 off=0
	[ -e "$knob" ] || knob=$group/freezer.state on=FROZEN off=THAWED
	[ -e "$knob" ] || skip "no freezer"
	find_load_process || return
	for pid in "$front" "$load"; do
		echo "$pid" >"$group/cgroup.procs" || skip "no control group may be entered"
	done
	echo "$on" >"$knob"
	sleep "$1"
	echo "$off" >"$knob"
}

# The load process does not outlive the front.
kills_both() {
	find_load_process && kill -KILL "$front"
	wait_for 3 gone "$load" || fail "the load process is still there"
}

settings_of_device() {
	(cd "/sys/block/${target##*/}" && grep -s . ro size disksize mem_limit queue/scheduler \
		queue/nr_requests queue/nomerges queue/read_ahead_kb queue/write_cache queue/wbt_lat_usec \
		queue/rq_affinity queue/iostats loop/dio loop/autoclear)
}

# Whoever is killed: the device is set as before, and nobody holds it.
leaves_device() {
	settings=$(settings_of_device)
	find_load_process && kill -KILL "$@" || return 1
	wait_for 3 gone "$load" || fail "the load process is still there"
	[ "$settings" = "$(settings_of_device)" ] || fail "it was set to $(settings_of_device)"
	holders=$(find /proc/[0-9]*/fd -lname "$target" 2>/dev/null)
	[ -z "$holders" ] || fail "still open: $holders"
}

# Somebody else takes all the room, with a file that has no name.
fill_dir() {
	mountpoint -q "$dir" && exec 9>"$dir/.fill" || return 1
	rm -f -- "$dir/.fill"
	cat /dev/zero >&9 2>/dev/null
	true
}

shrink() {
	truncate -s 1M "$tmp/image"
	[ -z "${1:-}" ] || losetup --set-capacity "$target"
}

# $started_dir is the listing that must be there after the run as well.
listing() {
	ls -A "$dir" 2>/dev/null
}
