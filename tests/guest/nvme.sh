# SPDX-License-Identifier: MIT
# NVMe commands by io_uring_cmd, as a user runs them.
# shellcheck shell=sh disable=SC2154 # support.sh

nvme_reads() {
	run "$1" --ioengine=io_uring_cmd --iodepth=8 --bs=4k --format=json
	expect_status 0
	expect_json '.jobs[0].error == 0 and .jobs[0].read.total_ios > 0'
	expect_json ".iotop_bench.target.size == $(blockdev --getsize64 "$2")"
	expect_json '.iotop_bench.engine.name == "io_uring_cmd"'
	expect_json ".iotop_bench.target.disk == \"${2#/dev/}\""
	# The block layer does not count commands: that is no cache.
	expect_json '[.iotop_bench.warnings[].code] | index("CACHED") == null'
}

nvme_writes() {
	fill "$nvme" 125 16
	before=$(sum "$nvme" 0 4096) after=$(sum "$nvme" 8192 4096)
	run "$ng" --ioengine=io_uring_cmd --rw=write --bs=16k --iodepth=4 --offset=4m --size=4m \
		--time_based=0 --runtime=60 --allow-write="$ng" --format=json --buffer_pattern=0x3c
	expect_status 0
	expect_json '.jobs[0].write.io_bytes == 4194304'
	[ "$(sum "$nvme" 0 4096)" = "$before" ] || fail "what lies before the region has changed"
	[ "$(sum "$nvme" 8192 4096)" = "$after" ] || fail "what lies after the region has changed"
	[ "$(sum "$nvme" 4096 4096)" = "$(tr '\0' '<' </dev/zero | head -c 4m | md5sum)" ] ||
		fail "not what was to be written lies in the region"
}

nvme_asks_consent() {
	before=$(sum "$nvme")
	run "$ng" --ioengine=io_uring_cmd --rw=write --bs=4k
	expect_status 3
	expect_words /tmp/err --allow-write=/dev/
	[ "$(sum "$nvme")" = "$before" ] || fail "it was written"
}

# nvme_in_use: the character device of a mounted namespace is as taboo as the block device.
nvme_in_use() {
	mke2fs "$nvme" >/dev/null 2>&1
	modprobe ext4
	mount -t ext4 "$nvme" /mnt || {
		skip "no ext2 can be mounted"
		return
	}
	run "$ng" --ioengine=io_uring_cmd --rw=write --bs=4k --allow-write="$ng"
	expect_status 3
	expect_words /tmp/err mounted
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

nvme_trims() {
	fill "$nvme" 125 4
	run "$1" --ioengine="$2" --rw=trim --bs=64k --size=2m --time_based=0 --runtime=60 \
		--allow-write="$1" --format=json
	expect_status 0
	expect_json '.jobs[0].trim.io_bytes == 2097152'
	[ "$(sum "$nvme" 0 2048)" = "$(head -c 2m /dev/zero | md5sum)" ] || fail "content is left"
	[ "$(sum "$nvme" 2048 2048)" = "$(tr '\0' U </dev/zero | head -c 2m | md5sum)" ] ||
		fail "more than the region was trimmed"
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

try 'io_uring_cmd: reads a namespace' nvme_reads "$ng" "$nvme"
try 'io_uring_cmd: reads a namespace of 4 KiB blocks' nvme_reads "$ng4k" "$nvme4k"
try 'io_uring_cmd: writes its region and no more' nvme_writes
try 'io_uring_cmd: asks for consent' nvme_asks_consent
try 'io_uring_cmd: refuses what is mounted' nvme_in_use
try 'io_uring_cmd: mixes sizes, reads, writes and syncs' nvme_mixes
try 'io_uring_cmd: trims its region and no more' nvme_trims "$ng" io_uring_cmd
try 'io_uring: trims its region and no more' nvme_trims "$nvme" io_uring
try 'io_uring_cmd: too large a transfer says so' nvme_too_large
try 'io_uring_cmd: an unreadable block is named' nvme_bad_block
try 'io_uring_cmd: a block device is no target' nvme_block_device
