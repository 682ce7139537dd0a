# SPDX-License-Identifier: MIT
# Device mapper and md: what lies below is in use, what is on top works, and fails as told.
# shellcheck shell=sh disable=SC2154 # support.sh

sectors_of() {
	blockdev --getsz "$1"
}

# map NAME TABLE: leaves $top.
map() {
	modprobe dm-delay
	modprobe dm-flakey
	dmsetup create --noudevsync "$1" --table "$2" >/tmp/dm 2>&1 || {
		fail "dmsetup: $(cat /tmp/dm)"
		return 1
	}
	top=/dev/$(dmsetup info -c --noheadings -o blkdevname "$1")
}

unmap() {
	dmsetup remove --noudevsync --retry "$1" >/dev/null 2>&1
}

# refused TARGET WORD [ENGINE]
refused() {
	before=$(sum "$sd")
	run "$1" --rw=randwrite --bs=4k --allow-write="$1" --ioengine="${3:-io_uring}"
	expect_status 3
	expect_words /tmp/err "$2"
	[ "$(sum "$sd")" = "$before" ] || fail "$1 was written"
}

mapped_holder() {
	map guest "0 $(sectors_of "$sd") linear $sd 0" || return
	refused "$sd" "${top#/dev/}"
	refused "$sg" "${top#/dev/}" sg
	run "$sd" --bs=4k
	expect_status 0
	run "$top" --rw=randrw --bs=4k --allow-write="$top" --format=json
	expect_status 0
	expect_json '.jobs[0].write.total_ios > 0'
	unmap guest
}

mapped_error() {
	half=$(($(sectors_of "$sd") / 2))
	map guest "0 $half linear $sd 0
$half $half error" || return
	run "$top" --rw=read --bs=4k --offset=50% --format=text
	expect_status 1
	expect_words /tmp/out 'Input/output error'
	run "$top" --rw=read --bs=4k --size=50%
	expect_status 0
	unmap guest
}

# Up for a second, down for a second.
mapped_flakey() {
	map guest "0 $(sectors_of "$sd") flakey $sd 0 1 1" || return
	run "$top" --rw=randread --bs=4k --runtime=3 --continue_on_error=all --format=json
	expect_status 1
	expect_json '.jobs[0].read.total_ios > 0'
	expect_json '.jobs[0].total_err > 0'
	unmap guest
}

mapped_delay() {
	map guest "0 $(sectors_of "$sd") delay $sd 0 50" || return
	run "$top" --rw=randread --bs=4k --iodepth=1 --runtime=1 --format=json
	expect_status 0
	expect_json '.jobs[0].read.lat_ns.min >= 50000000 and .jobs[0].read.lat_ns.mean < 200000000'
	unmap guest
}

# A suspended map swallows I/O: the run ends all the same, and says how much never came back.
mapped_suspended() {
	map guest "0 $(sectors_of "$sd") linear $sd 0" || return
	(sleep 2; dmsetup suspend --noudevsync guest) &
	run "$top" --rw=randread --bs=4k --iodepth=4 --runtime=4 --grace=2
	dmsetup resume --noudevsync guest
	expect_status 1
	expect_words /tmp/out 'not come back'
	wait
	unmap guest
}

md_holder() {
	modprobe raid0
	raid=/sys/block/md127/md
	echo md127 >/sys/module/md_mod/parameters/new_array && [ -d "$raid" ] || {
		skip "no md"
		return
	}
	echo none >"$raid/metadata_version"
	echo raid0 >"$raid/level"
	echo 2 >"$raid/raid_disks"
	echo 65536 >"$raid/chunk_size"
	for disk in "$sd" "$nvme"; do
		cat "/sys/block/${disk#/dev/}/dev" >"$raid/new_dev"
		sectors=$(($(sectors_of "$disk") / 2))
		echo "$sectors" >"$raid/dev-${disk#/dev/}/size"
		echo 0 >"$raid/dev-${disk#/dev/}/offset"
	done
	echo 0 >"$raid/dev-${sd#/dev/}/slot"
	echo 1 >"$raid/dev-${nvme#/dev/}/slot"
	echo active >"$raid/array_state" || {
		fail "the array does not start: $(cat "$raid/array_state")"
		echo clear >"$raid/array_state"
		return
	}
	refused "$sd" md127
	refused "$nvme" md127
	refused "$ng" md127 io_uring_cmd
	refused "$sg" md127 sg
	run /dev/md127 --rw=randrw --bs=4k --allow-write=/dev/md127 --format=json
	expect_status 0
	expect_json '.jobs[0].write.total_ios > 0'
	echo clear >"$raid/array_state"
}

if [ -x /bin/dmsetup ]; then
	try 'dm-linear: the disk below is in use, the map is not' mapped_holder
	try 'dm-error: an unreadable half' mapped_error
	try 'dm-flakey: errors come and go' mapped_flakey
	try 'dm-delay: latency is at least the delay' mapped_delay
	try 'dm suspended: the run ends, and counts what is missing' mapped_suspended
else
	echo 'SKIP device mapper: dmsetup is not installed'
fi
try 'md: the disks below are in use, the array is not' md_holder
