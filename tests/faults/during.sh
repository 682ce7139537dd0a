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

# The load process does not outlive the front.
kills_both() {
	find_load_process && kill -KILL "$front"
	wait_for 3 gone "$load" || fail "the load process is still there"
}

shrink() {
	truncate -s 1M "$tmp/image"
	[ -z "${1:-}" ] || losetup --set-capacity "$target"
}

# $started_dir is the listing that must be there after the run as well.
listing() {
	ls -A "$dir" 2>/dev/null
}
