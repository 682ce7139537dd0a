# SPDX-License-Identifier: MIT
# The disks and the engines as they are listed.
# shellcheck shell=sh disable=SC2154 # support.sh

listing_devices() {
	"$program" devices --format=json >/tmp/out 2>/tmp/err || fail "exit status $?"
	for name in "${nvme#/dev/}" "${nvme4k#/dev/}" "${sd#/dev/}" "${sd4k#/dev/}"; do
		expect_words /tmp/out "\"$name\""
	done
	"$program" devices >/tmp/out 2>/tmp/err
	expect_words /tmp/out nvme 4096/4096 512/512
}

listing_engine() {
	"$program" engines "$1" >/tmp/out 2>/tmp/err || fail "exit status $?"
	expect_words /tmp/out 'runs here'
}

# listing_check DISK: what "check" says of it is what the kernel says.
listing_check() {
	queue=/sys/block/${1#/dev/}/queue
	"$program" check "$1" --format=json </dev/null >/tmp/out 2>/tmp/err ||
		fail "exit status $?"
	expect_json ".check.disk.write_cache == \"$(cat "$queue/write_cache")\""
	expect_json ".check.disk.logical_block_size == $(cat "$queue/logical_block_size")"
	expect_json ".check.size == $(blockdev --getsize64 "$1")"
	expect_json '.check.disk.model | startswith("QEMU")'
	expect_json '.check.usable.allowed and .check.in_use == ""'
}

try 'devices: the disks are listed' listing_devices
for disk in "$nvme" "$nvme4k" "$sd" "$sd4k"; do
	try "check: ${disk#/dev/}" listing_check "$disk"
done
for engine in io_uring io_uring_cmd sg libaio pvsync2; do
	try "engines: $engine runs" listing_engine "$engine"
done
