#!/bin/sh
# SPDX-License-Identifier: MIT
# ioscheduler=: of all disks that a job has, and left alone where there is none.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

no_effect='[.iotop_bench.warnings[] | select(.code == "SCHED") | .text | test("had no effect")] == [true]'

echo "-- no disk at all"
run run --ioengine=null --ioscheduler=none --runtime=1 --format=json --quiet
expect_status 0
expect_json "$no_effect"
run fio --name=a --ioengine=null --size=1g --rw=read --ioscheduler=none --output=/dev/null
expect_status 0
grep -q 'SCHED: ioscheduler=none had no effect' "$tmp/err" || {
	fail "it is not said"
	show
}

[ "$(id -u)" -eq 0 ] || finish
make_file "$tmp/image" 4
cp "$tmp/image" "$tmp/other"
loop_device "$tmp/image" || finish
one=$loop
loop_device "$tmp/other" || finish
two=$loop

# active NAME: is it that of both?
active() {
	grep -qF "[$1]" "/sys/block/${one#/dev/}/queue/scheduler" &&
		grep -qF "[$1]" "/sys/block/${two#/dev/}/queue/scheduler"
}

active none || finish
grep -q mq-deadline "/sys/block/${one#/dev/}/queue/scheduler" || finish

echo "-- two disks of one job: set, and restored"
start fio --name=a "--filename=$one:$two" --rw=read --time_based --runtime=30 \
	--ioscheduler=mq-deadline --output=/dev/null
wait_for 20 active mq-deadline || fail "not set for both"
kill -INT "$front"
ended_within 20 || fail "it stays"
wait_for 5 active none || fail "not restored for both"

echo "-- and when the load process is killed"
start fio --name=a "--filename=$one:$two" --rw=read --time_based --runtime=30 \
	--ioscheduler=mq-deadline --output=/dev/null
wait_for 20 active mq-deadline || fail "not set for both"
find_load_process && kill -KILL "$load"
ended_within 20 || fail "it stays"
wait_for 5 active none || fail "not restored for both"
echo "-- clones and jobs that follow share it; the last restores it"
run fio "--filename=$one" --rw=read --ioscheduler=mq-deadline --time_based --name=a --numjobs=2 \
	--runtime=1 --name=b --runtime=2 --name=c --stonewall --runtime=1 --output=/dev/null
expect_status 0
wait_for 5 active none || fail "not restored after the last"
finish
