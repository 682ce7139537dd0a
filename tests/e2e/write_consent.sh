#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing is written without consent, and nothing that is in use in spite of it.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require sha256sum

sum() {
	sha256sum <"$1"
}

# refused TARGET WORDS ARGUMENT...: exit status 3, one line, content as before.
refused() {
	target=$1
	words=$2
	shift 2
	echo "-- $target $*"
	before=$(sum "$target")
	run run "$target" --bs=4k --direct="$direct" --runtime=1 --quiet "$@"
	expect_status 3
	# shellcheck disable=SC2086 # words
	expect_one_line $words
	[ "$before" = "$(sum "$target")" ] || fail "$target was changed"
}

make_file "$tmp/file" 16
refused "$tmp/file" "$tmp/file --allow-write=" --rw=randwrite
refused "$tmp/file" "--allow-write=" --profile=mixed
refused "$tmp/file" "--allow-write=" --rw=write --allow-write="$tmp/other"

before=$(sum "$tmp/file")
run run "$tmp/file" --rw=write --bs=4k --direct="$direct" --runtime=1 --quiet \
	--allow-write="$tmp/file"
expect_status 0
[ "$before" != "$(sum "$tmp/file")" ] || fail "with consent nothing was written"
[ "$(stat -c %s "$tmp/file")" -eq 16777216 ] || fail "the size was changed"

echo "-- a report does not replace the target, whatever its name"
ln "$tmp/file" "$tmp/hard"
before=$(sum "$tmp/file")
run fio --name=job --filename="$tmp/file" --rw=read --bs=4k --size=64k --output="$tmp/hard"
expect_status 2
[ "$before" = "$(sum "$tmp/hard")" ] || fail "the report replaced the target"
grep -q 'the report would replace it' "$tmp/err" || fail "it does not say why"
rm "$tmp/hard"

for attribute in i a; do
	[ "$(id -u)" -eq 0 ] && chattr "+$attribute" "$tmp/file" 2>/dev/null || continue
	at_end "chattr -$attribute '$tmp/file'"
	run run "$tmp/file" --rw=write --bs=4k --runtime=1 --quiet --allow-write="$tmp/file"
	expect_status 1
	expect_one_line "chattr -$attribute"
	chattr "-$attribute" "$tmp/file"
done

[ "$(id -u)" -eq 0 ] || skip "files are fine; the rest needs root for a loop device"
require losetup mkfs.ext4
truncate -s 64M "$tmp/image"
loop_device "$tmp/image" || skip "files are fine; no loop device can be had here"
mkdir "$tmp/mount"

refused "$loop" "$loop --allow-write=$loop" --rw=randwrite
ln -s "$loop" "$tmp/link"
refused "$tmp/link" "--allow-write=" --rw=randwrite

# What lies under a loop device is in use.
refused "$tmp/image" loop --rw=write --allow-write="$tmp/image"

# Somebody works on it who does not say so to the kernel.
sleep 60 9<>"$loop" &
sleeper=$!
pids="$pids $sleeper"
wait_for 5 [ -e "/proc/$sleeper/fd/9" ]
refused "$loop" "$sleeper has it open" --rw=write --allow-write="$loop"
before=$(sum "$loop")
run fio --name=job --filename="$loop" --rw=write --bs=4k --size=1m --allow-write="$loop"
expect_status 3
[ "$before" = "$(sum "$loop")" ] || fail "$loop was changed by fio mode"
kill "$sleeper"
wait "$sleeper" 2>/dev/null

mkfs.ext4 -q -L precious "$loop"
refused "$loop" "ext4 precious --allow-write=$loop" --rw=write

if mount "$loop" "$tmp/mount"; then
	at_end "umount '$tmp/mount' 2>/dev/null"
	# The superblock of a mounted file system may change by itself: read-only.
	mount -o remount,ro "$tmp/mount"
	sync
	refused "$loop" "mounted" --rw=write --allow-write="$loop"
	refused "$tmp/link" "mounted" --rw=randtrim --allow-write="$loop" --allow-write="$tmp/link"
	refused "$tmp/link" "mounted" --rw=trimwrite --allow-write="$loop" --allow-write="$tmp/link"
	run run "$loop" --profile=iops --direct="$direct" --runtime=1 --quiet
	expect_status 0
	umount "$tmp/mount"
else
	echo "not tried: a mounted device"
fi

mkswap "$loop" >/dev/null 2>&1
if swapon "$loop" 2>/dev/null; then
	at_end "swapoff '$loop' 2>/dev/null"
	refused "$loop" "swap" --rw=write --allow-write="$loop"
	swapoff "$loop"
else
	echo "not tried: swap"
fi

before=$(sum "$loop")
echo "-- $loop with consent"
run run "$loop" --rw=write --bs=4k --direct="$direct" --runtime=1 --quiet --allow-write="$loop"
expect_status 0
[ "$before" != "$(sum "$loop")" ] || fail "with consent nothing was written"

echo "-- jobs of fio one after another on $loop"
cat >"$tmp/jobs.fio" <<JOBS
[global]
filename=$loop
bs=4k
size=64k
[first]
rw=write
[second]
stonewall
rw=randwrite
numjobs=2
JOBS
run fio "$tmp/jobs.fio"
expect_status 3
run fio --allow-write="$loop" "$tmp/jobs.fio"
expect_status 0

echo "-- nothing is made under /dev"
run run "/dev/iob-no-such-disk" --rw=write --size=1m --runtime=1 --quiet \
	--allow-write=/dev/iob-no-such-disk
expect_status 2 3
[ ! -e /dev/iob-no-such-disk ] || {
	fail "a file was made under /dev"
	rm -f /dev/iob-no-such-disk
}
finish
