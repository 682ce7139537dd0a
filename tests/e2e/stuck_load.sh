#!/bin/sh
# SPDX-License-Identifier: MIT
# The load process stops answering in the middle: figures up to then are kept, and the front leaves
# within the grace time without waiting for it.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq pgrep

make_file "$tmp/file" 32

echo "-- stopped until after the end of the run"
start run "$tmp/file" --profile=iops --direct="$direct" --runtime=4 --grace=2 --format=json
wait_until_running
kill -STOP "$load"
pids="$pids $load"
ended_within 11 || fail "the front stayed for more than 11 s (run 4 s, grace 2 s)"
expect_status 1
expect_json '.jobs[0].read.total_ios > 0'
expect_json '.iotop_bench.outcome == "abandoned"'
[ -s "$tmp/err" ] || fail "nothing is said on stderr"
wait_for 5 gone "$load" || fail "the stopped load process is still there"

echo "-- stopped, then Ctrl-C"
start run "$tmp/file" --profile=iops --direct="$direct" --runtime=60 --grace=2 --format=json
wait_until_running
kill -STOP "$load"
pids="$pids $load"
kill -INT "$front"
ended_within 6 || fail "the front stayed for more than 6 s after Ctrl-C (grace 2 s)"
expect_status 1 130
expect_json '.jobs[0].read.total_ios > 0'

echo "-- stopped, then Ctrl-C twice: no grace"
start run "$tmp/file" --profile=iops --direct="$direct" --runtime=60 --grace=30 --format=json
wait_until_running
kill -STOP "$load"
pids="$pids $load"
kill -INT "$front"
sleep 0.3 # two signals at once are one
kill -INT "$front"
ended_within 4 || fail "the front stayed for more than 4 s after the second Ctrl-C"
expect_status 1 130

echo "-- stopped for a while, then continued: a stall, not a failure"
start run "$tmp/file" --profile=iops --direct="$direct" --runtime=5 --grace=5 --format=json
wait_until_running
kill -STOP "$load"
sleep 2 # this is the stall
kill -CONT "$load"
ended_within 15 || fail "the front stayed"
expect_status 0
expect_json '[.iotop_bench.timeline[] | select(.read.ios == 0)] | length >= 15'
expect_json '[.iotop_bench.warnings[].code] | index("STALL") != null'
expect_json '([.iotop_bench.timeline[].read.ios] | add) == .jobs[0].read.total_ios'
finish
