#!/bin/sh
# SPDX-License-Identifier: MIT
# A sweep: each step is a segment of its own, the table and the knee are in text and JSON, and a
# saved sweep is printed again as it was.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

# A step is what is due when the front looks: one that is kept from looking for as long as a step
# lasts misses it.  On a busy machine longer ones are tried.
for step in 300ms 600ms 1200ms; do
	"$program" run --ioengine=null --sweep=iodepth=1..20 --runtime=$step --sweep-p99=1s --quiet \
		--save="$tmp/run.json" >"$tmp/out" 2>"$tmp/err" || fail "exit status $?"
	depths=$(jq -c '[.iotop_bench.sweep.points[].value]' "$tmp/run.json")
	[ "$depths" = '[1,2,4,8,16,20]' ] && break
done
[ "$depths" = '[1,2,4,8,16,20]' ] || fail "steps: $depths"
segments=$(jq '[.iotop_bench.segments[] | select(.kind == "load")] | length' "$tmp/run.json")
[ "$segments" = 6 ] || fail "$segments segments"
jq -e '[.iotop_bench.sweep.points[].iops] | min > 0' "$tmp/run.json" >/dev/null ||
	fail "a step without I/O"
knee=$(jq '.iotop_bench.sweep.knee' "$tmp/run.json")
grep -q "iodepth $knee gives" "$tmp/out" || fail "the text names another knee than $knee"
grep -q 'p99 stays within 1.00s' "$tmp/out" || fail "nothing is said of the limit"
"$program" report "$tmp/run.json" | cmp - "$tmp/out" || fail "the saved sweep prints differently"
finish
