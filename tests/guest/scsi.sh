# SPDX-License-Identifier: MIT
# SCSI commands by sg, as a user runs them.
# shellcheck shell=sh disable=SC2154 # support.sh

scsi_in_use() {
	mkswap "$sd" >/dev/null && swapon "$sd" || {
		skip "no swap here"
		return
	}
	commands_refuse sg "$1" swap
	swapoff "$sd"
	fill "$sd" 0 1
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
	try "sg: reads ${target#/dev/}" commands_read sg "$target" "$sd"
	try "sg: writes its region of ${target#/dev/} and no more" commands_write sg "$target" "$sd"
	try "sg: asks for consent for ${target#/dev/}" commands_ask sg "$target" "$sd"
	try "sg: refuses ${target#/dev/} when it is swap" scsi_in_use "$target"
	try "sg: trims its region of ${target#/dev/} and no more" commands_trim sg "$target" "$sd"
done
try 'sg: reads a disk of 4 KiB blocks' commands_read sg "$sg4k" "$sd4k"
try 'sg: an NVMe disk is no target' scsi_other_device
try 'sg: an unreadable block is named' scsi_bad_block sg 'medium error (sense 3/11/00)'
try 'io_uring: an unreadable block of a SCSI disk is named' scsi_bad_block io_uring ENODATA
