#!/bin/sh
# SPDX-License-Identifier: MIT
# A target on a partition: its own counters, its disk beside it, and others on the rest of the disk.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq partx
require_root "makes a loop device with partitions"

# entry START SECTORS: of the table of partitions, as bytes for printf.
entry() {
	printf '\\000\\000\\000\\000\\203\\000\\000\\000'
	for n in "$1" "$2"; do
		printf '\\%03o\\%03o\\%03o\\%03o' $((n & 255)) $((n >> 8 & 255)) \
			$((n >> 16 & 255)) $((n >> 24 & 255))
	done
}

make_file "$tmp/image" 32
# shellcheck disable=SC2059
{
	printf "$(entry 2048 16384)$(entry 18432 47104)"
	head -c 32 /dev/zero
	printf '\125\252'
} | dd of="$tmp/image" bs=1 seek=446 conv=notrunc 2>/dev/null
loop_device "$tmp/image" || skip "no loop device"
disk=$loop
at_end "partx --delete '$disk' 2>/dev/null"
partx --add "$disk" 2>/dev/null || [ -b "${disk}p1" ] || skip "no partitions of loop devices"
wait_for 5 test -b "${disk}p2" || skip "no nodes of partitions"
name=${disk#/dev/}

echo "-- its own counters, and its disk named"
run run "${disk}p1" --rw=randread --runtime=1 --format=json --quiet
expect_status 0
expect_json ".iotop_bench.target | .disk == \"$name\" and .partition == \"${name}p1\""
expect_json ".disk_util[0].name == \"${name}p1\" and .disk_util[0].read_ios > 0"
cp "$tmp/out" "$tmp/run.json"
run report "$tmp/run.json"
expect_status 0
grep -q "^disk  *${name}p1 (partition of $name): util" "$tmp/out" || {
	fail "the report does not name them"
	show
}

echo "-- what happens beside it is not its own, but somebody else's"
(while :; do dd if="${disk}p2" of=/dev/null bs=1M iflag=direct || sleep 0.05; done) 2>/dev/null &
reader=$!
pids="$pids $reader"
run run "${disk}p1" --rw=randread --rate_iops=50 --runtime=2 --format=json --quiet
kill "$reader"
expect_status 0
expect_json '[.iotop_bench.warnings[].code] | index("FOREIGN") != null'
expect_json '.disk_util[0].read_sectors * 512 < 2 * .jobs[0].read.io_bytes + 1048576'

echo "-- the whole disk has no partition"
run run "$disk" --rw=randread --runtime=1 --format=json --quiet
expect_status 0
expect_json ".iotop_bench.target.partition == \"\" and .disk_util[0].name == \"$name\""
finish
