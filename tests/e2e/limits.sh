#!/bin/sh
# SPDX-License-Identifier: MIT
# Extremes of depth, block size and workers: they work within the memory that is announced, or are
# refused in words before anything starts.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

echo "-- 512 workers"
run run --ioengine=null --numjobs=512 --runtime=1 --quiet --format=json
expect_status 0
expect_json '.iotop_bench.outcome == "complete" and .jobs[0].read.total_ios > 512'
# The time counts from when the first could begin: many wait for a CPU meanwhile.
expect_json '.iotop_bench.segments[0] | .from_ms == 0 and .seconds >= 0.99'
expect_json '(.jobs[0].read | .total_ios / .iops) >= 0.99'

echo "-- 65536 in flight"
run run --ioengine=null --iodepth=65536 --runtime=1 --format=json
expect_status 0
grep -q '^1 worker takes [0-9.]*MiB of memory: 65536 requests of 4KiB$' "$tmp/err" || {
	fail "it is not announced"
	show
}
expect_json '.jobs[0].read.total_ios > 65536'

echo "-- little is not announced"
run run --ioengine=null --runtime=1
expect_status 0
grep -q 'of memory' "$tmp/err" && fail "an ordinary run speaks of memory"

echo "-- more than there is"
run run --ioengine=null --numjobs=512 --iodepth=65536 --bs=1g --runtime=1
expect_status 1
expect_one_line '512 workers take 32PiB of memory' '65536 requests of 1GiB each' 'numjobs'
run run "$tmp/new" --size=1g --rw=write --iodepth=65536 --bs=512m --runtime=1
expect_status 1
expect_one_line '65536 requests of 512MiB'
expect_only probe # nothing was laid out

echo "-- address space"
# shellcheck disable=SC3045 # the shells of Linux have it
# (A program built with the address sanitizer cannot start under such a limit.)
if (ulimit -v 1000000 && exec env ASAN_OPTIONS= UBSAN_OPTIONS= "$program" --version) \
	>/dev/null 2>&1; then
	(
		ulimit -v 1000000
		run run --ioengine=null --bs=1g --iodepth=1 --runtime=1
		expect_status 1
		expect_one_line 'RLIMIT_AS' 'ulimit -v' '1 request of 1GiB'
		run run --ioengine=null --numjobs=64 --runtime=1 --quiet
		expect_status 0
		finish
	) || fail "with a limit on address space"
fi

echo "-- blocks of 1 GiB"
if [ "$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 4 ] &&
	truncate -s 2G "$tmp/sparse"; then
	run run "$tmp/sparse" --ioengine=psync --direct=0 --rw=read --bs=1g --time_based=0 --runtime=60 \
		--format=json
	expect_status 0
	expect_json '.jobs[0].read.total_ios == 2 and .jobs[0].read.short_ios == 0'
	expect_json '.jobs[0].read.io_bytes == 2147483648'
	grep -q '^1 worker takes 1GiB of memory: 1 request of 1GiB$' "$tmp/err" || {
		fail "1 GiB is not announced"
		show
	}
	rm -f "$tmp/sparse"
else
	echo "   left out: too little memory"
fi

echo "-- a low soft limit on open files is raised"
make_file "$tmp/file" 8
(
	# shellcheck disable=SC3045
	ulimit -S -n 24
	run run "$tmp/file" --numjobs=32 --direct="$direct" --runtime=1 --quiet
	expect_status 0
	finish
) || fail "with a soft limit on open files"

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	echo "-- no more threads for this user"
	cp -p "$program" "$tmp/program" && chmod 755 "$tmp" "$tmp/program"
	# A user of whom no process is there.
	timeout 60 setpriv --reuid=64999 --regid=64999 --clear-groups --inh-caps=-all \
		prlimit --nproc=20 "$tmp/program" run --ioengine=null --numjobs=64 --runtime=1 \
		</dev/null >"$tmp/out" 2>"$tmp/err"
	status=$?
	expect_status 1
	expect_one_line 'of 64: cannot make a thread' 'ulimit -u' 'numjobs'
	wait_for 5 sh -c '! pgrep -u 64999' || fail "processes are left behind"
fi
finish
