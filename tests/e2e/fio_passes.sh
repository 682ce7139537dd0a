#!/bin/sh
# SPDX-License-Identifier: MIT
# A buffered job of fio's kind finds no cache in its further passes.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require_root 'a loop device'
require losetup
cd "$tmp" || exit 1

truncate -s 8M image
loop=$(losetup --find --show image 2>/dev/null) || skip 'no loop device is free'
at_end "losetup --detach '$loop'"
disk=${loop##*/}

sectors_read() {
	awk '{ print $3 }' "/sys/block/$disk/stat"
}

# WANT OPTIONS...: how many of the device's passes came from the device itself.
passes() {
	want=$1
	shift
	before=$(sectors_read)
	"$program" fio --name=a --filename="$loop" --ioengine=psync --bs=64k --size=8m "$@" >out 2>err || {
		fail "fio $*: exit status $?: $(cat err)"
		return
	}
	read=$((($(sectors_read) - before) / 16384))
	[ "$read" -eq "$want" ] || fail "fio $*: the device was read $read times, not $want"
}

passes 1 --rw=randread
passes 4 --rw=randread --loops=4
passes 4 --rw=read --loops=4
passes 3 --rw=randread --io_size=24m
passes 1 --rw=randread --loops=4 --pre_read=1
passes 1 --rw=randread --loops=4 --invalidate=0
# In a run of a given time, too; but without a map no pass comes to an end.
passes 3 --rw=randread --time_based --runtime=60 --number_ios=384
finish
