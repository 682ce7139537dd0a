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

listing_check() {
	"$program" check "$1" >/tmp/out 2>/tmp/err
	status=$?
	if grep -q "check" /tmp/err && [ "$status" -eq 2 ]; then
		skip "there is no such command"
		return
	fi
	expect_status 0
}

try 'devices: the disks are listed' listing_devices
for engine in io_uring io_uring_cmd sg libaio pvsync2; do
	try "engines: $engine runs" listing_engine "$engine"
done
