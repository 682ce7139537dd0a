#!/bin/sh
# SPDX-License-Identifier: MIT
# What others do on a disk while the program is stopped is no part of its figures.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq losetup
require_root 'loop devices'

make_file "$tmp/image" 64
loop=$(losetup --find --show --direct-io=on "$tmp/image" 2>/dev/null) ||
	loop=$(losetup --find --show "$tmp/image" 2>/dev/null) || skip 'no loop device can be had here'
at_end "losetup --detach '$loop'"

# stopped_under_a_neighbour WAIT COMMAND ARGUMENT...: one that is stopped while somebody reads the disk.
stopped_under_a_neighbour() {
	wait=$1
	shift
	start "$@"
	$wait
	all="$front $(cat "/proc/$front/task/$front/children")"
	# shellcheck disable=SC2086 # a list
	kill -STOP $all
	dd if="$loop" of=/dev/null bs=1M iflag=direct 2>/dev/null
	dd if="$loop" of=/dev/null bs=1M iflag=direct 2>/dev/null
	sleep 0.6
	# shellcheck disable=SC2086
	kill -CONT $all
	ended_within 30 || fail "$1 does not end"
	expect_status 0
}

echo "-- run"
stopped_under_a_neighbour wait_until_running run "$loop" --rw=randread --bs=4k --iodepth=4 \
	--runtime=3 --no-save --format=json
expect_json '[.iotop_bench.warnings[].code] | index("GAP") != null'
expect_json '[.iotop_bench.warnings[].code] | index("FOREIGN") == null'
expect_json '.iotop_bench.segments[0] | .disk.r_bytes_s < 1.2 * .read.bw_bytes + 1000000'

echo "-- fio"
stopped_under_a_neighbour 'sleep 1' fio --name=a --filename="$loop" --rw=randread --bs=4k \
	--iodepth=4 --numjobs=2 --time_based --runtime=3 --direct=1 --ioengine=libaio \
	--output-format=json
if ! grep -q GAP "$tmp/err"; then
	echo "not tried: it had not begun"
elif grep -q FOREIGN "$tmp/err"; then
	fail "FOREIGN: $(cat "$tmp/err")"
fi
finish
