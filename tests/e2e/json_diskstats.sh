#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel's count of reads is an independent witness: with direct I/O on an idle disk it equals
# ours within 2 %.  The machine may have other users, so there are three attempts.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
require_direct

number=$(stat -c '%Hd:%Ld' "$tmp")
system=$(readlink -f "/sys/dev/block/$number") || system=
[ -n "$system" ] && [ -e "$system/stat" ] || skip "no disk of its own under $tmp ($number)"
[ -e "$system/partition" ] && system=${system%/*}
disk=${system##*/}

reads() {
	awk -v disk="$disk" '$3 == disk { print $4 }' /proc/diskstats
}
[ -n "$(reads)" ] || skip "$disk is not in /proc/diskstats"

make_file "$tmp/file" 256

attempt() {
	first=$(reads)
	run run "$tmp/file" --profile=iops --runtime=5 --format=json
	last=$(reads)
	expect_status 0
	expect_json '.jobs | length == 1'
	expect_json '.jobs[0].read.iops > 0'
	expect_json '.iotop_bench.segments | length >= 1'
	expect_json '.iotop_bench.timeline | length >= 45'
	expect_json '([.iotop_bench.timeline[].read.ios] | add) == .jobs[0].read.total_ios'
	[ "$failures" -eq 0 ] || finish
	ours=$(json '.jobs[0].read.iops * .jobs[0].read.runtime / 1000 | floor')
	kernel=$((last - first))
	echo "ours $ours, kernel $kernel on $disk"
	[ $((ours * 100)) -ge $((kernel * 98)) ] && [ $((ours * 98)) -le $((kernel * 100)) ]
}

attempt || attempt || attempt || fail "iops * seconds and /proc/diskstats differ by more than 2 %"

# The disk's share of the report is the same story.
expect_json ".iotop_bench.target.path == \"$tmp/file\""
expect_json '.jobs[0].read.runtime >= 4900 and .jobs[0].read.runtime <= 5600'
finish
