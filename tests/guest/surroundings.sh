# SPDX-License-Identifier: MIT
# Settings of the kernel that no test may turn on a machine in use.
# shellcheck shell=sh disable=SC2154 # support.sh

uring_disabled() {
	switch=/proc/sys/kernel/io_uring_disabled
	[ -f "$switch" ] || {
		skip "Linux $(uname -r) has no kernel.io_uring_disabled (6.6 has)"
		return
	}
	echo 2 >"$switch"
	run "$sd" --ioengine=io_uring
	expect_status 1
	expect_words /tmp/err 'kernel.io_uring_disabled is 2' --ioengine=libaio
	run "$sd" --ioengine=libaio
	expect_status 0
	echo 0 >"$switch"
}

few_aio() {
	switch=/proc/sys/fs/aio-max-nr
	was=$(cat "$switch")
	echo 1 >"$switch"
	run "$sd" --ioengine=libaio --iodepth=32
	expect_status 1
	expect_words /tmp/err fs.aio-max-nr
	echo "$was" >"$switch"
}

# The scheduler of a disk is set for the run and restored.
scheduler() {
	file=/sys/block/${sd#/dev/}/queue/scheduler
	before=$(cat "$file")
	case $before in
	*mq-deadline*) ;;
	*)
		skip "no other scheduler: $before"
		return
		;;
	esac
	echo none >"$file"
	before=$(cat "$file")
	run "$sd" --ioscheduler=mq-deadline --format=json
	expect_status 0
	expect_json '.iotop_bench.target.scheduler == "mq-deadline"'
	[ "$(cat "$file")" = "$before" ] || fail "the scheduler was $before, is $(cat "$file")"
}

try 'io_uring: switched off for everybody' uring_disabled
try 'libaio: no contexts left' few_aio
try 'ioscheduler: set and restored' scheduler
