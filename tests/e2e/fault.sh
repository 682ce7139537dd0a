#!/bin/sh
# SPDX-License-Identifier: MIT
# What a bad device does to a run, shown with the engine `fault`: requests that never come back, that
# fail, that are short, that are late.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

echo "-- one request never comes back"
begun=$(date +%s%N)
run run --ioengine=fault --fault_hang_at=1000 --runtime=1 --grace=1 --format=json
took=$((($(date +%s%N) - begun) / 1000000))
expect_status 1
grep -q '^iotop-bench: 1 I/Os did not come back within 1 s' "$tmp/err" || {
	fail "stderr does not say how many never came back"
	show
}
expect_json '.iotop_bench.outcome == "abandoned"'
expect_json '.jobs[0].read.total_ios > 1000'
expect_json '([.iotop_bench.timeline[].read.ios] | add) == .jobs[0].read.total_ios'
expect_json ".jobs[0].read.runtime | . >= 950 and . <= $took - 900" # without the grace time

echo "-- the same, as text"
run run --ioengine=fault --fault_hang_at=5 --runtime=1 --grace=1
expect_status 1
grep -q 'I/O never came back' "$tmp/out" || {
	fail "the report does not say so"
	show
}

echo "-- all hang: the run ends all the same"
run run --ioengine=fault --fault_hang_at=1 --iodepth=1 --numjobs=4 --runtime=1 --grace=1 --quiet
expect_status 1
grep -q '4 I/Os did not come back' "$tmp/err" || {
	fail "4 are out"
	show
}

echo "-- Ctrl-C gives them the grace time, a second one leaves at once"
start run --ioengine=fault --fault_hang_at=1000 --fault_delay=1ms --runtime=60 --grace=30 --format=json
wait_until_running
kill -INT "$front"
wait_for 5 grep -q '^\[DRAIN' "$tmp/err" # two signals at once are one
kill -INT "$front"
ended_within 20 || fail "the front stayed for more than 20 s after the second Ctrl-C"
expect_status 1 130
expect_json '.jobs[0].read.total_ios > 0'

echo "-- errors: the first one's words, and the failed one is counted"
run run --ioengine=fault --fault_error_every=100 --fault_errno=EREMOTEIO --runtime=1 --format=json
expect_status 1
grep -q '^iotop-bench: read at offset [0-9]*: .*(EREMOTEIO); made on purpose by fault_error_every$' "$tmp/err" || {
	fail "the first error's words are not on stderr"
	show
}
expect_json '.jobs[0].error == 121'
expect_json '.iotop_bench.segments[0].read.errors >= 1'

echo "-- errors that are let pass: counted by kind, the first ones named, and the run has failed"
run run --ioengine=fault --fault_error_every=100 --number_ios=4000 --continue_on_error=all --format=json
expect_status 1
grep -q '^iotop-bench: 40 requests failed and were let pass (40 reads EIO); the first: read of 4096 bytes at offset' \
	"$tmp/err" || {
	fail "the counts are not on stderr"
	show
}
expect_json '.iotop_bench.outcome == "complete"'
expect_json '.jobs[0].read.total_ios == 3960'
expect_json '.iotop_bench.failures | .total == 40 and .kinds[0].error == "EIO" and (.first | length) == 8'
expect_json '[.iotop_bench.warnings[].code] | index("ERRORS") != null'

echo "-- errors that are ignored do not make it fail"
run run --ioengine=fault --fault_error_every=100 --number_ios=4000 --ignore_error=EIO --format=text
expect_status 0
grep -q '^failed *40 reads: EIO (Input/output error), ignored$' "$tmp/out" || {
	fail "the report does not count them"
	show
}

echo "-- a storm of errors is slowed down"
run run --ioengine=fault --fault_error_every=1 --time_based --runtime=300ms --continue_on_error=all --format=json
expect_status 1
expect_json '.iotop_bench.failures | .total < 500 and .slowed > 3'

echo "-- a list of errors that is none"
run run --ioengine=fault --ignore_error=ENOSUCH --number_ios=1
expect_status 2
grep -q 'ignore_error: ENOSUCH: no error of this system' "$tmp/err" || {
	fail "the message does not name it"
	show
}

echo "-- short transfers are counted, and their bytes are those that moved"
run run --ioengine=fault --fault_short_every=4 --number_ios=4000 --bs=8k --format=json
expect_status 0
expect_json '.jobs[0].read.short_ios == 1000'
expect_json '.jobs[0].read.io_bytes == 3000 * 8192 + 1000 * 4096'
run run --ioengine=fault --fault_short_every=4 --number_ios=4000 --quiet
grep -q '1000 I/Os moved less than was asked' "$tmp/out" || {
	fail "the text report does not speak of them"
	show
}

echo "-- a delay of 20 ms is one of 20 to 21 ms, unless the CPU is busy just then, and the depth is kept"
run run --ioengine=fault --fault_delay=20ms --iodepth=4 --runtime=2 --format=json
expect_status 0
expect_json '.iotop_bench.segments[0].read.lat_ns.min | . >= 20000000 and . <= 21000000'
expect_json '.iotop_bench.segments[0].read.lat_ns.percentile["50.000000"] < 40000000'
expect_json '.jobs[0].read | .iops <= 200 and (.iops * .lat_ns.mean / 1e9 | . > 3.8 and . < 4.1)'
expect_json '.iotop_bench.engine.flags | index("over_null") != null and index("delay") != null'

echo "-- over an engine with a target: a bad range of a file"
make_file "$tmp/file" 4
run run "$tmp/file" --ioengine=fault --fault_engine=psync --direct=0 --rw=read --bs=64k --runtime=1 \
	--fault_error_every=1 --fault_offset=2m --fault_size=64k --format=json
expect_status 1
expect_json '.iotop_bench.segments[0].read.ios == 32'
grep -q 'read at offset 2097152: ' "$tmp/err" || {
	fail "not the first offset of the bad range"
	show
}

echo "-- parameters of it are refused elsewhere, and bad values everywhere"
run run --ioengine=null --fault_delay=1ms
expect_status 2
expect_one_line fault_delay
run run --ioengine=fault --fault_errno=EWHAT
expect_status 2
expect_one_line fault_errno=EWHAT
run run --ioengine=fault --fault_engine=fault
expect_status 2
expect_one_line fault_engine=fault
finish
