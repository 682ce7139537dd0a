#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel's count of reads is an independent witness: with direct I/O it equals ours within 2 %.
# On a loop device of our own (root) hardly anybody disturbs: who looks at a new device for a moment.
# On the real disk others do.  There are three attempts on each, and more I/Os than the kernel saw are an
# error at once.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
require_direct

reads() {
	awk -v disk="$disk" '$3 == disk { print $4 }' /proc/diskstats
}

# measure FILE: 5 s; leaves $ours and $kernel.
measure() {
	first=$(reads)
	begun=$(date +%s%N)
	run run "$1" --profile=iops --runtime=5 --format=json
	took=$((($(date +%s%N) - begun) / 1000000))
	last=$(reads)
	expect_status 0
	expect_json '.jobs | length == 1'
	expect_json '.jobs[0].read.iops > 0'
	expect_json ".jobs[0].read.runtime >= 4900 and .jobs[0].read.runtime <= $took"
	expect_json ".iotop_bench.target.path == \"$1\""
	expect_json '.iotop_bench.segments | length >= 1'
	expect_json '.iotop_bench.timeline | length >= 45'
	expect_json '([.iotop_bench.timeline[].read.ios] | add) == .jobs[0].read.total_ios'
	[ "$failures" -eq 0 ] || finish
	ours=$(json '.jobs[0].read.iops * .jobs[0].read.runtime / 1000 | floor')
	kernel=$((last - first))
	echo "$disk: ours $ours, kernel $kernel"
}

not_above() {
	[ $((ours * 98)) -le $((kernel * 100)) ]
}

equal() {
	not_above && [ $((ours * 100)) -ge $((kernel * 98)) ]
}

# agree FILE: in one of three attempts.
agree() {
	for attempt in 1 2 3; do
		measure "$1"
		equal && return
		not_above || fail "attempt $attempt: more I/Os than the kernel saw on $disk"
	done
	return 1
}

on_loop_device() {
	[ "$(id -u)" -eq 0 ] || return 1
	truncate -s 192M "$tmp/image" && mkfs.ext4 -q "$tmp/image" 2>/dev/null || return 1
	loop_device "$tmp/image" || return 1
	mkdir "$tmp/mount" && mount "$loop" "$tmp/mount" 2>/dev/null || return 1
	at_end "umount '$tmp/mount'"
	disk=${loop##*/}
	make_file "$tmp/mount/file" 128
	agree "$tmp/mount/file" ||
		fail "iops * seconds and /proc/diskstats differ by more than 2 % on $loop"
}

on_real_disk() {
	number=$(stat -c '%Hd:%Ld' "$tmp")
	system=$(readlink -f "/sys/dev/block/$number")
	[ -e "$system/stat" ] || return 1
	[ -e "$system/partition" ] && system=${system%/*}
	disk=${system##*/}
	[ -n "$(reads)" ] || return 1
	make_file "$tmp/file" 256
	agree "$tmp/file" && return
	echo "others use $disk: nothing can be said about it"
	return 1
}

witnesses=0
on_loop_device && witnesses=$((witnesses + 1))
on_real_disk && witnesses=$((witnesses + 1))
[ "$failures" -eq 0 ] || finish
[ "$witnesses" -gt 0 ] || skip "neither a loop device nor an idle disk can be had here"
finish
