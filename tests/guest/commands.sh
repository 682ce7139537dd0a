# SPDX-License-Identifier: MIT
# What each engine that sends commands to a device does, as a user runs it.  ENGINE, the NODE that it
# is run on, and the DISK that is the same device for the block layer.
# shellcheck shell=sh disable=SC2154 # support.sh

# commands_read ENGINE NODE DISK [DEPTH]
commands_read() {
	run "$2" --ioengine="$1" ${4:+--iodepth="$4"} --bs=4k --format=json
	expect_status 0
	expect_json '.jobs[0].error == 0 and .jobs[0].read.total_ios > 0'
	expect_json ".iotop_bench.target.size == $(blockdev --getsize64 "$3")"
	expect_json ".iotop_bench.engine.name == \"$1\""
	expect_json ".iotop_bench.target.disk == \"${3#/dev/}\""
	# The block layer does not count commands: that is no cache.
	expect_json '[.iotop_bench.warnings[].code] | index("CACHED") == null'
}

# commands_write ENGINE NODE DISK [DEPTH]: its region, and no more.
commands_write() {
	fill "$3" 125 16
	before=$(sum "$3" 0 4096) after=$(sum "$3" 8192 4096)
	run "$2" --ioengine="$1" --rw=write --bs=16k ${4:+--iodepth="$4"} --offset=4m --size=4m \
		--time_based=0 --runtime=60 --allow-write="$2" --format=json --buffer_pattern=0x3c
	expect_status 0
	expect_json '.jobs[0].write.io_bytes == 4194304'
	[ "$(sum "$3" 0 4096)" = "$before" ] || fail "what lies before the region has changed"
	[ "$(sum "$3" 8192 4096)" = "$after" ] || fail "what lies after the region has changed"
	[ "$(sum "$3" 4096 4096)" = "$(tr '\0' '<' </dev/zero | head -c 4m | md5sum)" ] ||
		fail "not what was to be written lies in the region"
}

# commands_ask ENGINE NODE DISK: for consent.
commands_ask() {
	before=$(sum "$3")
	run "$2" --ioengine="$1" --rw=write --bs=4k
	expect_status 3
	expect_words /tmp/err --allow-write=/dev/
	[ "$(sum "$3")" = "$before" ] || fail "it was written"
}

# commands_refuse ENGINE NODE WORD: to write in spite of consent.
commands_refuse() {
	run "$2" --ioengine="$1" --rw=write --bs=4k --allow-write="$2"
	expect_status 3
	expect_words /tmp/err "$3"
}

# commands_trim ENGINE NODE DISK: its region, and no more.
commands_trim() {
	fill "$3" 125 4
	run "$2" --ioengine="$1" --rw=trim --bs=64k --size=2m --time_based=0 --runtime=60 \
		--allow-write="$2" --format=json
	expect_status 0
	expect_json '.jobs[0].trim.io_bytes == 2097152'
	[ "$(sum "$3" 0 2048)" = "$(head -c 2m /dev/zero | md5sum)" ] || fail "content is left"
	[ "$(sum "$3" 2048 2048)" = "$(tr '\0' U </dev/zero | head -c 2m | md5sum)" ] ||
		fail "more than the region was trimmed"
}
