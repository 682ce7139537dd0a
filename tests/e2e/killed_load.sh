#!/bin/sh
# SPDX-License-Identifier: MIT
# The load process is killed in the middle: the front says so, keeps the figures, exits with 1.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq pgrep

make_file "$tmp/file" 32

start run "$tmp/file" --profile=iops --direct="$direct" --runtime=60 --grace=2 --format=json
wait_until_running
kill -KILL "$load"
ended_within 6 || fail "the front stayed for more than 6 s after its load process was killed"
expect_status 1
expect_json '.jobs[0].read.total_ios > 0 and .jobs[0].read.iops > 0'
expect_json '.iotop_bench.outcome == "lost"'
grep -q '^iotop-bench: .*load process' "$tmp/err" || {
	fail "stderr does not say what happened"
	show
}

# The same as a text report: it is still written.
# A sanitizer shall leave that signal alone.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS
start run "$tmp/file" --profile=iops --direct="$direct" --runtime=60 --grace=2
wait_until_running
kill -SEGV "$load"
ended_within 6 || fail "the front stayed for more than 6 s after its load process crashed"
expect_status 1
grep -q IOPS "$tmp/out" || {
	fail "no report"
	show
}

# And the other way round: the load process dies with the front.
start run "$tmp/file" --profile=iops --direct="$direct" --runtime=60
wait_until_running
kill -KILL "$front"
wait_for 5 gone "$load" || fail "the load process outlived the front"
finish
