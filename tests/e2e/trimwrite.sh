#!/bin/sh
# SPDX-License-Identifier: MIT
# Trims of a block device are discards; rw=trimwrite writes what it trimmed, in `fio` and in `run`.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq losetup cmp
require_root "makes a loop device"

dd if=/dev/urandom of="$tmp/image" bs=1M count=2 2>/dev/null
loop_device "$tmp/image" || skip "no loop device"
[ "$(cat "/sys/block/${loop#/dev/}/queue/discard_max_bytes")" -gt 0 ] ||
	skip "the loop device cannot discard here"
tr '\0' '\252' </dev/zero | head -c 262144 >"$tmp/pattern"
head -c 262144 /dev/zero >"$tmp/zeros"

discards() {
	awk '{ print $12 }' "/sys/block/${loop#/dev/}/stat"
}

# holds FILE: are these the first blocks of the device?
holds() {
	dd if="$loop" bs=256k count=1 iflag=direct 2>/dev/null | cmp -s - "$1" ||
		dd if="$loop" bs=256k count=1 2>/dev/null | cmp -s - "$1"
}

echo "-- consent"
cp "$tmp/image" "$tmp/before"
for rw in trimwrite randtrimwrite; do
	run fio --name=t --filename="$loop" --rw="$rw" --size=64k
	expect_status 3
	run fio --name=t --filename="$loop" --rw="$rw" --size=64k --readonly --allow-write="$loop"
	expect_status 3
	run run "$loop" --rw="$rw" --runtime=1 --quiet
	expect_status 3
done
cmp -s "$tmp/image" "$tmp/before" || fail "$loop was changed without consent"

echo "-- trims, then trims and writes, by each kind of engine"
for engine in psync libaio io_uring; do
	set -- --name=t --filename="$loop" --size=256k --ioengine="$engine" --direct="$direct" \
		--iodepth=8 --allow-write="$loop" --output-format=json
	before=$(discards)
	run fio "$@" --rw=randtrim
	expect_status 0
	expect_json '.jobs[0].trim.total_ios == 64 and .jobs[0].write.total_ios == 0'
	[ $(($(discards) - before)) -ge 64 ] || fail "$engine: trims were no discards"
	holds "$tmp/zeros" || fail "$engine: no zeros after trims"
	run fio "$@" --rw=randtrimwrite --buffer_pattern=0xaa
	expect_status 0
	expect_json '.jobs[0] | .trim.total_ios == 64 and .write.total_ios == 64 and
		.trim.io_bytes == 262144 and .write.io_bytes == 262144'
	[ $(($(discards) - before)) -ge 128 ] || fail "$engine: trims before writes were no discards"
	holds "$tmp/pattern" || fail "$engine: what was trimmed was not written"
done

echo "-- ends and rates"
set -- --name=t --filename="$loop" --rw=trimwrite --size=64k --output-format=json --allow-write="$loop"
for ends in --number_ios=3:3 --io_size=8k:2 --loops=2:32; do
	run fio "$@" "${ends%:*}"
	expect_json ".jobs[0] | .trim.total_ios == ${ends#*:} and .write.total_ios == ${ends#*:}"
done
run fio "$@" --bs=4k,8k,16k
expect_status 0
expect_json '.jobs[0] | .trim.total_ios == 4 and .write.io_bytes == 65536'
grep -q 'argument 7: bs: the third size holds for both' "$tmp/err" ||
	fail "not said: $(cat "$tmp/err")"

echo "-- run"
run run "$loop" --rw=randtrimwrite --size=256k --time_based=0 --direct="$direct" --quiet --no-save \
	--allow-write="$loop" --format=json
expect_status 0
expect_json '.jobs[0] | .trim.total_ios == 64 and .write.total_ios == 64'
run run "$loop" --rw=trimwrite --size=64k --time_based=0 --quiet --no-save --allow-write="$loop"
grep -q 'sequential trims, each then written, of 4k' "$tmp/out" || fail "job: $(cat "$tmp/out")"

command -v fio >/dev/null || finish
echo "-- the lines and keys of fio"
# shape FILE: without figures, and without rows that a short run may not have.
shape() {
	sed -E -e '/^ +lat \(|^     \||^ +(bw \(|iops  )/d' -e 's/(nsec|usec|msec)/T/' \
		-e 's/[KMGT]iB|[kMGT]B/B/g' -e 's/ *[0-9]+(\.[0-9]+)?k?/N/g' \
		-e 's/[A-Z][a-z]{2} [A-Z][a-z]{2}N.*$/DATE/' "$1"
}
keys() {
	jq -r 'del(.iotop_bench) | paths(type != "object" and type != "array") | map(tostring) |
		join(".")' "$1" | grep -v 'percentile\|disk_util' | sort -u
}
set -- --name=t --filename="$loop" --rw=trimwrite --size=64k
run fio "$@" --allow-write="$loop"
shape "$tmp/out" >"$tmp/ours"
fio "$@" >"$tmp/text" 2>&1
shape "$tmp/text" >"$tmp/theirs"
diff "$tmp/ours" "$tmp/theirs" || fail "other lines than fio's"
run fio "$@" --allow-write="$loop" --output-format=json
keys "$tmp/out" >"$tmp/ours"
fio "$@" --output-format=json >"$tmp/json"
keys "$tmp/json" >"$tmp/theirs"
diff "$tmp/ours" "$tmp/theirs" || fail "other keys than fio's"
finish
