#!/bin/sh
# SPDX-License-Identifier: MIT
# The preflight alone: what it tells, what it refuses, and that it changes nothing.  What it says of
# writing is what a run does.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq sha256sum

# check ARGUMENT...: in JSON.  A disk that is busy with other things may not answer in time, once.
check() {
	echo "-- check $*"
	for attempt in 1 2 3; do
		run check "$@" --format=json
		grep -q 'gave no answer within 5 s' "$tmp/err" || return
		echo "   no answer to attempt $attempt"
	done
}

make_file "$tmp/file" 4
truncate -s 12M "$tmp/file"
fallocate -o 4M -l 2M "$tmp/file" 2>/dev/null
before=$(sha256sum <"$tmp/file")
stamp=$(stat -c '%Y %Z' "$tmp/file")

check "$tmp/file"
expect_status 0
expect_json '.check | .kind == "file" and .size == 12582912 and .usable.allowed and
	(.write.allowed | not) and (.write.why | contains("--allow-write")) and .job.allowed'
expect_json '.check.space | .free <= .total and .usable <= .free'
if [ "$(json '.check.extents != null')" = true ]; then
	expect_json '.check.extents | .written == 4194304 and .unwritten + .holes == 8388608'
	expect_json '[.check.warnings[].code] | index("SPARSE") != null'
	check "$tmp/file" --size=4m --direct="$direct"
	expect_json '[.check.warnings[].code] | index("SPARSE") == null'
fi
check "$tmp/file" --rw=randwrite
expect_status 3
check "$tmp/file" --rw=randwrite --allow-write="$tmp/file"
expect_status 0
expect_json '.check.write.allowed'
check "$tmp/file" --size=13m
expect_status 2
expect_json '.check.job.why | contains("size=13m")'
check "$tmp/file" --direct=0
expect_json '[.check.warnings[].code] | index("RAM") != null'
check "$tmp/file" --ioengine=psync --iodepth=4
expect_json '[.check.warnings[].code] | index("SYNCDEPTH") != null'
[ "$before" = "$(sha256sum <"$tmp/file")" ] || fail "the file was changed"
[ "$stamp" = "$(stat -c '%Y %Z' "$tmp/file")" ] || fail "its times were changed"

tail -f /dev/null >>"$tmp/file" &
pids="$pids $!"
wait_for 5 sh -c "ls -l /proc/$!/fd | grep -q file"
check "$tmp/file"
expect_json ".check | .open_by == 1 and (.open_by_text | contains(\"tail ($!, writing)\"))"
expect_json '[.check.warnings[].code] | index("INUSE") != null'

check "$tmp"
expect_status 0
expect_json '.check | .kind == "directory" and .write.allowed'
check "$tmp/new" --size=1m
expect_status 0
expect_json '.check.kind == "new"'
check "$tmp/new" --size=1000t
expect_status 1 2
check "$tmp/no/such/folder"
expect_status 1
expect_json '.check.usable.allowed | not'
check /dev/iob-nothing
expect_status 1
expect_json '.check.write.why | contains("/dev")'
check /dev/null
expect_status 1
run check
expect_status 2
expect_one_line 'TARGET'
run check "$tmp/file" --format=csv
expect_status 2
expect_one_line 'csv'
rm -f "$tmp/file"
expect_only nothing

echo "-- the text"
make_file "$tmp/file" 1
run check "$tmp/file"
expect_status 0
for label in target filled space CPU cgroup write; do
	grep -q "^$label " "$tmp/out" || fail "no line '$label'"
done
[ "$(wc -L <"$tmp/out")" -le 80 ] || [ ${#tmp} -gt 40 ] || fail "longer than 80 columns"

[ "$(id -u)" -eq 0 ] || skip "files are fine; the rest needs root for a loop device"
require losetup mkfs.ext4
truncate -s 32M "$tmp/image"
loop_device "$tmp/image" || skip "files are fine; no loop device can be had here"
mkdir "$tmp/mount" "$tmp/bound"

# both WORD: check and run refuse alike, in spite of consent, also of trims alone and of `overwrite`.
both() {
	check "$loop" --rw=randwrite --allow-write="$loop"
	expect_status 3
	expect_json ".check | (.write.allowed | not) and (.write.why | contains(\"$1\"))"
	for job in --rw=randwrite --rw=randtrim "--rw=write --size=1m"; do
		# shellcheck disable=SC2086 # a list of options
		run run "$loop" $job --runtime=1 --quiet --allow-write="$loop"
		expect_status 3
		expect_one_line "$1"
	done
}

check "$loop"
expect_status 0
expect_json '.check | .kind == "blockdev" and .size == 33554432 and .contents == "empty" and
	.in_use == "" and .disk.nr_requests > 0 and .disk.aligned_4k and (.write.allowed | not)'
check "$loop" --rw=trim
expect_status 3
ln -s "$loop" "$tmp/by-id"
check "$tmp/by-id" --rw=randwrite --allow-write="$loop"
expect_status 0
check "$tmp/image" --rw=randwrite --allow-write="$tmp/image"
expect_status 3
expect_json ".check.write.why | contains(\"${loop#/dev/}\")"

mkfs.ext4 -q -L precious "$loop"
check "$loop" --rw=write
expect_status 3
expect_json '.check.contents == "ext4 \"precious\"" and (.check.write.why | contains("precious"))'
if mount "$loop" "$tmp/mount" 2>/dev/null; then
	at_end "umount '$tmp/mount' '$tmp/bound' 2>/dev/null"
	both mounted
	check "$tmp/mount"
	expect_json ".check | .filesystem == \"ext4\" and .disk.name == \"${loop#/dev/}\""
	mount --bind "$tmp/mount" "$tmp/bound" && umount "$tmp/mount"
	both mounted
	umount "$tmp/bound"
fi
# A mount that this name space does not show.
if mkfifo "$tmp/go" && unshare -m true 2>/dev/null; then
	unshare -m sh -c "mount '$loop' '$tmp/mount' && read -r word <'$tmp/go'; umount '$tmp/mount'" &
	hidden=$!
	pids="$pids $hidden"
	wait_for 5 sh -c "! dd if=/dev/null of='$loop' oflag=excl conv=notrunc 2>/dev/null"
	wait_for 5 sh -c "grep -q '$loop' /proc/$hidden/mounts"
	both "kernel does not give it away"
	echo go >"$tmp/go"
	wait "$hidden"
fi
delpart "$loop" 1 2>/dev/null # a run that was killed may have left it
if command -v addpart >/dev/null && addpart "$loop" 1 63 8192 2>/dev/null; then
	at_end "delpart '$loop' 1"
	wait_for 5 test -b "${loop}p1"
	check "${loop}p1"
	expect_json '.check.disk | .start_sector == 63 and (.aligned_4k | not)'
	expect_json '[.check.warnings[].code] | index("MISALIGN") != null'
fi
finish
