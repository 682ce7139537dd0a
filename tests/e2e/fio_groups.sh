#!/bin/sh
# SPDX-License-Identifier: MIT
# What fio's reports say of depths, bases, groups and options, where that is easily got wrong.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
cd "$tmp" || exit 1

json() {
	"$program" fio --output-format=json "$@" >out 2>err || fail "$*: $(cat err)"
}

echo "-- a depth that the engine does not have is shown as asked, with fio's note"
"$program" fio --name=x --ioengine=psync --iodepth=7 --numjobs=2 --filename=a --size=64k >out 2>err ||
	fail "$(cat err)"
grep -q 'ioengine=psync, iodepth=7$' out || fail "another depth: $(cat out)"
[ "$(grep -c '^note: both iodepth >= 1 and synchronous' out)" = 2 ] || fail "notes: $(cat out)"
[ "$(grep -c ', depth=7$' out)" = 2 ] || fail "another depth at the end: $(cat out)"
json --name=x --ioengine=psync --iodepth=7 --filename=a --size=64k
[ "$(jq .jobs[0].latency_depth out)" = 7 ] || fail "another depth in JSON"
grep -q '^note: both iodepth' err || fail "no note beside JSON: $(cat err)"

echo "-- kb_base"
"$program" fio --name=x --ioengine=null --kb_base=1000 --bs=256k --size=1m >out 2>/dev/null
grep -q 'bs=(R) 256kB-256kB' out || fail "$(head -1 out)"
# On the command line it holds for what follows.
"$program" fio --name=x --ioengine=null --bs=256k --kb_base=1000 --size=1m >out 2>/dev/null
grep -q 'bs=(R) 262kB-262kB' out || fail "$(head -1 out)"

echo "-- job options: of the last member; none, no key; the name of the command line"
json --ioengine=null --size=4k --group_reporting --name=a --bs=4k --name=b --bs=2k
[ "$(jq -c '.jobs[0] | [.jobname, ."job options"]' out)" = '["a",{"name":"b","bs":"2k"}]' ] ||
	fail "$(jq -c '.jobs[0]."job options"' out)"
printf '[global]\nioengine=null\nsize=4k\n[a]\n[b]\nbs=2k\n' >none.fio
json none.fio
[ "$(jq -c '[.jobs[]."job options"]' out)" = '[null,{"bs":"2k"}]' ] || fail "$(cat out)"

echo "-- --name=global is for all that follow"
json --name=global --ioengine=null --size=4k --name=a --name=b --bs=2k
[ "$(jq -c '[.jobs[].jobname]' out)" = '["a","b"]' ] || fail "$(jq -c .jobs[].jobname out)"
[ "$(jq -r '."global options".ioengine' out)" = null ] || fail "no global options"

echo "-- rw without what stands behind its colon; the log of submissions that there are not is empty"
"$program" fio --name=x --rw=read:8k --filename=a --size=64k --write_lat_log=l --log_avg_msec=1 >out 2>err ||
	fail "$(cat err)"
grep -q 'rw=read, bs=' out || fail "$(head -1 out)"
[ -f l_slat.1.log ] && ! [ -s l_slat.1.log ] || fail "l_slat.1.log: $(head -3 l_slat.1.log)"
[ -s l_clat.1.log ] || fail "l_clat.1.log is empty"
finish
