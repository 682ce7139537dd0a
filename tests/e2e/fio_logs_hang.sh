#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk for logs that hangs holds up neither the jobs of `fio` nor the report.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
. "$IOB_SRCDIR/tests/faults/places.sh"
require jq
tools=$IOB_BUILDDIR/tests/support
dir=$tmp/d
mkdir "$dir"
fuse ''

hung_job() {
	start fio --name=x --ioengine=null --size=1g --time_based --runtime=1 --write_bw_log="$dir/h" \
		--log_avg_msec=100 --output-format=json
}

echo "-- while jobs run"
rule 'write hang 0 0 100000000'
hung_job
# shellcheck disable=SC2317 # called by wait_for
report_is_there() {
	jq -e '.jobs[0].read.total_ios > 0' out >/dev/null && grep -q 'waiting for the logs .*/h_bw.1.log' err
}
cd "$tmp" || exit 1
wait_for 30 report_is_there || fail "no report while the log hangs: $(cat err)"
kill -INT "$front"
ended_within 20 || fail 'it stays'
grep -q '/h_bw.1.log: its file system has not answered' err || fail "no word: $(cat err)"

echo "-- before the start"
rule clear
rule 'create hang'
hung_job
ended_within 20 || fail 'it stays'
expect_status 1 2
grep -q '/h_bw.1.log: its file system has not answered.*nothing was started' err || fail "no word: $(cat err)"
[ ! -s out ] || fail 'something ran'
finish
