#!/bin/sh
# SPDX-License-Identifier: MIT
# Priorities of single requests: handed to the kernel, in the report and in the logs.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
cd "$tmp" || exit 1

dd if=/dev/urandom of=data bs=64k count=16 2>/dev/null

# job ENGINE OPTION...: its JSON to out.
job() {
	engine=$1
	shift
	"$program" fio --name=p --filename=data --rw=randread --iodepth=4 --number_ios=800 --loops=4 \
		--ioengine="$engine" --output-format=json --output=out "$@" 2>err
}

for engine in io_uring libaio; do
	"$program" engines "$engine" >/dev/null || continue
	# Best effort and idle are for everybody.
	job "$engine" --cmdprio_percentage=40 --cmdprio_class=2 --cmdprio=6 --log_prio=1 \
		--write_lat_log="$engine" || fail "$engine: $(cat err)"
	jq -e '.jobs[0].read | (.prios | map([.prioclass, .prio]) == [[0, 0], [2, 6]]) and
		([.prios[].clat_ns.N] | add) == .total_ios and
		(.prios[1].clat_ns.N / .total_ios | . > 0.3 and . < 0.5) and
		(.prios[1].clat_ns.percentile | has("99.000000"))' out >/dev/null ||
		fail "$engine: $(jq -c '.jobs[0].read.prios' out)"
	low=$(jq '.jobs[0].read.prios[1].clat_ns.N' out)
	[ "$(grep -c ' 0x4006$' "${engine}_clat.1.log")" = "$low" ] || fail "$engine: the log"

	# By size; what has no entry goes with the priority of the thread.
	job "$engine" --bs=4k-8k --cmdprio_bssplit=4k/100/3/0:8k/0 --prio=3 --group_reporting --numjobs=2 ||
		fail "$engine, by size: $(cat err)"
	jq -e '.jobs[0].read.prios | map([.prioclass, .prio]) == [[2, 3], [3, 0]]' out >/dev/null ||
		fail "$engine, by size: $(jq -c '.jobs[0].read.prios' out)"

	# A single one is no reason for a table.
	job "$engine" --cmdprio_percentage=100 --cmdprio_class=2 || fail "$engine, all: $(cat err)"
	jq -e '.jobs[0].read | has("prios") | not' out >/dev/null || fail "$engine: one priority, but a list"

	# After a ramp only what was measured is in it.
	job "$engine" --cmdprio_percentage=40 --cmdprio_class=2 --number_ios=0 --time_based --ramp_time=300ms \
		--runtime=300ms || fail "$engine, ramp: $(cat err)"
	jq -e '.jobs[0].read | ([.prios[].clat_ns.N] | add) == .clat_ns.N' out >/dev/null ||
		fail "$engine: the ramp is in the figures by priority"
done

# The text has rows and percentiles of each, as fio prints them.
"$program" fio --name=p --filename=data --rw=randread --ioengine=io_uring --number_ios=200 \
	--cmdprio_percentage=50 --cmdprio_class=3 >out 2>err || fail "text: $(cat err)"
grep -q '^    clat prio 3/0 (.*): min=' out || fail "no row: $(cat out)"
grep -Eq '^    clat prio 0/0 \([0-9.]+% of IOs\) percentiles' out || fail "no percentiles: $(cat out)"

# The class real time is for root; who may not is told what to do.
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"
}
chmod 755 . && chmod 644 data
if [ "$(id -u)" = 0 ] && as_nobody test -x "$program" -a -r "$tmp/data" 2>/dev/null; then
	as_nobody "$program" fio --name=p --filename="$tmp/data" --rw=randread --ioengine=io_uring \
		--number_ios=50 --cmdprio_percentage=100 >out 2>err
	[ $? = 1 ] || fail "real time without root: $(cat err)"
	grep -q 'cmdprio_class=2' err || fail "real time without root: $(cat err)"
fi

# Refused where nobody would hand it on, and without sense.
for option in '--ioengine=psync --cmdprio_percentage=5' '--ioengine=libaio --cmdprio_bssplit=4k' \
	'--ioengine=libaio --cmdprio_percentage=5 --cmdprio_bssplit=4k/5'; do
	# shellcheck disable=SC2086 # several words
	"$program" fio --parse-only --name=p --size=1m $option >out 2>err
	[ $? = 2 ] || fail "$option was taken"
	grep -q cmdprio err || fail "$option: $(cat err)"
done
finish
