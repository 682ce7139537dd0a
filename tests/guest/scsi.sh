# SPDX-License-Identifier: MIT
# SCSI commands by sg, as a user runs them.
# shellcheck shell=sh disable=SC2154 # support.sh

scsi_reads() {
	run "$1" --ioengine=sg --bs=4k --format=json
	expect_status 0
	expect_json '.jobs[0].error == 0 and .jobs[0].read.total_ios > 0'
	expect_json ".iotop_bench.target.size == $(blockdev --getsize64 "$2")"
	expect_json ".iotop_bench.target.disk == \"${2#/dev/}\""
	expect_json '[.iotop_bench.warnings[].code] | index("CACHED") == null'
}

scsi_writes() {
	fill "$sd" 125 16
	before=$(sum "$sd" 0 4096) after=$(sum "$sd" 8192 4096)
	run "$1" --ioengine=sg --rw=write --bs=16k --offset=4m --size=4m --time_based=0 \
		--runtime=60 --allow-write="$1" --format=json --buffer_pattern=0x3c
	expect_status 0
	expect_json '.jobs[0].write.io_bytes == 4194304'
	[ "$(sum "$sd" 0 4096)" = "$before" ] || fail "what lies before the region has changed"
	[ "$(sum "$sd" 8192 4096)" = "$after" ] || fail "what lies after the region has changed"
	[ "$(sum "$sd" 4096 4096)" = "$(tr '\0' '<' </dev/zero | head -c 4m | md5sum)" ] ||
		fail "not what was to be written lies in the region"
}

scsi_asks_consent() {
	before=$(sum "$sd")
	run "$1" --ioengine=sg --rw=write --bs=4k
	expect_status 3
	expect_words /tmp/err --allow-write=/dev/
	[ "$(sum "$sd")" = "$before" ] || fail "it was written"
}

scsi_in_use() {
	mkswap "$sd" >/dev/null && swapon "$sd" || {
		skip "no swap here"
		return
	}
	run "$1" --ioengine=sg --rw=write --bs=4k --allow-write="$1"
	expect_status 3
	expect_words /tmp/err swap
	swapoff "$sd"
	fill "$sd" 0 1
}

scsi_trims() {
	fill "$sd" 125 4
	run "$1" --ioengine=sg --rw=trim --bs=64k --size=2m --time_based=0 --runtime=60 \
		--allow-write="$1" --format=json
	expect_status 0
	expect_json '.jobs[0].trim.io_bytes == 2097152'
	[ "$(sum "$sd" 0 2048)" = "$(head -c 2m /dev/zero | md5sum)" ] || fail "content is left"
	[ "$(sum "$sd" 2048 2048)" = "$(tr '\0' U </dev/zero | head -c 2m | md5sum)" ] ||
		fail "more than the region was trimmed"
}

scsi_other_device() {
	run "$nvme" --ioengine=sg
	expect_status 2
	expect_words /tmp/err "$nvme takes no SCSI commands"
}

# scsi_bad_block ENGINE WORDS
scsi_bad_block() {
	modprobe scsi_debug dev_size_mb=16 opts=2 lbpu=1 delay=0 || {
		skip "no scsi_debug"
		return
	}
	wait_for 20 find_debug || {
		fail "scsi_debug has made no disk"
		return
	}
	run "$debug" --ioengine="$1" --rw=read --bs=4k --size=4m --time_based=0 --runtime=60
	expect_status 1
	expect_words /tmp/err 'read at offset 2383872' "$2"
}

find_debug() {
	for disk in /sys/block/sd*; do
		if grep -q scsi_debug "$disk/device/model"; then
			debug=/dev/${disk##*/}
			[ -b "$debug" ]
			return
		fi
	done
	return 1
}

for target in "$sg" "$sd"; do
	try "sg: reads ${target#/dev/}" scsi_reads "$target" "$sd"
	try "sg: writes its region of ${target#/dev/} and no more" scsi_writes "$target"
	try "sg: asks for consent for ${target#/dev/}" scsi_asks_consent "$target"
	try "sg: refuses ${target#/dev/} when it is swap" scsi_in_use "$target"
	try "sg: trims its region of ${target#/dev/} and no more" scsi_trims "$target"
done
try 'sg: reads a disk of 4 KiB blocks' scsi_reads "$sg4k" "$sd4k"
try 'sg: an NVMe disk is no target' scsi_other_device
try 'sg: an unreadable block is named' scsi_bad_block sg 'medium error (sense 3/11/00)'
try 'io_uring: an unreadable block of a SCSI disk is named' scsi_bad_block io_uring ENODATA
