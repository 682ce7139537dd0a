# SPDX-License-Identifier: MIT
# NVMe commands by io_uring_cmd, as a user runs them.
# shellcheck shell=sh disable=SC2154 # support.sh

# nvme_in_use: the character device of a mounted namespace is as taboo as the block device.
nvme_in_use() {
	mke2fs "$nvme" >/dev/null 2>&1
	modprobe ext4
	mount -t ext4 "$nvme" /mnt || {
		skip "no ext2 can be mounted"
		return
	}
	commands_refuse io_uring_cmd "$ng" mounted
	umount /mnt
	fill "$nvme" 0 1
}

nvme_mixes() {
	run "$ng" --ioengine=io_uring_cmd --rw=randrw --bs=512-16k --iodepth=16 --fsync=8 \
		--allow-write="$ng" --format=json
	expect_status 0
	expect_json '.jobs[0].read.total_ios > 10 and .jobs[0].write.total_ios > 10'
	expect_json '.jobs[0].sync.total_ios > 0'
}

nvme_too_large() {
	run "$ng" --ioengine=io_uring_cmd --bs=1m
	expect_status 1
	expect_words /tmp/out 'Invalid argument' 'smaller bs'
}

nvme_bad_block() {
	run "$ng_bad" --ioengine=io_uring_cmd --rw=read --bs=4k --size=2m --time_based=0 \
		--runtime=60
	expect_status 1
	expect_words /tmp/out 'NVMe status 0x281' 'could not be read'
}

nvme_block_device() {
	run "$nvme" --ioengine=io_uring_cmd
	expect_status 2
	expect_words /tmp/err "$nvme is no NVMe character device" /dev/ng
}

try 'io_uring_cmd: reads a namespace' commands_read io_uring_cmd "$ng" "$nvme" 8
try 'io_uring_cmd: reads a namespace of 4 KiB blocks' commands_read io_uring_cmd "$ng4k" "$nvme4k" 8
try 'io_uring_cmd: writes its region and no more' commands_write io_uring_cmd "$ng" "$nvme" 4
try 'io_uring_cmd: asks for consent' commands_ask io_uring_cmd "$ng" "$nvme"
try 'io_uring_cmd: refuses what is mounted' nvme_in_use
try 'io_uring_cmd: mixes sizes, reads, writes and syncs' nvme_mixes
try 'io_uring_cmd: trims its region and no more' commands_trim io_uring_cmd "$ng" "$nvme"
try 'io_uring: trims its region and no more' commands_trim io_uring "$nvme" "$nvme"
try 'io_uring_cmd: too large a transfer says so' nvme_too_large
try 'io_uring_cmd: an unreadable block is named' nvme_bad_block
try 'io_uring_cmd: a block device is no target' nvme_block_device
