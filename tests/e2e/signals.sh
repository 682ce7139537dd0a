#!/bin/sh
# SPDX-License-Identifier: MIT
# A signal ends the run early: what is in flight comes back, the report is written, exit 128 + n.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq pgrep

make_file "$tmp/file" 32

for signal in INT:130 TERM:143 HUP:129; do
	start run "$tmp/file" --profile=iops --direct="$direct" --runtime=60 --format=json
	wait_until_running
	kill -"${signal%:*}" "$front"
	ended_within 8 || fail "${signal%:*}: the front stayed for more than 8 s"
	expect_status "${signal#*:}"
	expect_json '.jobs[0].read.total_ios > 0'
	expect_json '.iotop_bench.outcome == "stopped"'
	wait_for 10 gone "$load" || fail "${signal%:*}: the load process is still there"
done

# The scratch file of a run without a target goes away, too.
mkdir "$tmp/scratch"
TMPDIR=$tmp/scratch
export TMPDIR
start run --size=64m --runtime=60
wait_until_running
kill -INT "$front"
ended_within 8 || fail "the front stayed for more than 8 s"
expect_status 130
grep -q IOPS "$tmp/out" || {
	fail "no report after Ctrl-C"
	show
}
[ -z "$(ls -A "$tmp/scratch")" ] || fail "the scratch file was left behind"

# Ctrl-C while a file is made: it goes away.
start run "$tmp/new" --size=20g --runtime=60
if wait_for 30 progress '^\[LAYOUT\]'; then
	kill -INT "$front"
	ended_within 8 || fail "the front stayed for more than 8 s"
	expect_status 130
else
	kill -INT "$front"
	ended_within 8
	echo "not tried: no progress of laying out is seen ($(tail -n 1 "$tmp/err"))"
fi
expect_only file scratch
finish
