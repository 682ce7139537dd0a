#!/bin/sh
# SPDX-License-Identifier: MIT
# Job files run as fio runs them: lines in the same places, the same keys in JSON, barriers, groups,
# logs, signals, exit statuses.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
cd "$tmp" || exit 1

# Lines without figures, and without those that depend on how fast it was: rows of the
# distribution, and which unit a row has.
structure() {
	sed -E -e '/^ +lat \((n|u|m)sec\) /d' -e '/^     \|/d' -e '/^ +(bw \(|iops  )/d' \
		-e 's/\((nsec|usec|msec)\)/(T)/' -e 's/[KMGT]iB|[kMGT]B/B/g' \
		-e 's/ *[0-9]+(\.[0-9]+)?k?/N/g' -e 's/[A-Z][a-z]{2} [A-Z][a-z]{2}N.*$/DATE/' "$1"
}

keys() {
	jq -r 'del(.iotop_bench) | paths(type != "object" and type != "array") as $p |
		"\($p | map(if type == "number" then "N" else . end) | join("."))"' "$1" |
		grep -v 'percentile\|disk_util' | sort -u
}

mkdir ours fios
cat >two.fio <<'JOBS'
[global]
size=1m
ioengine=psync
directory=${PLACE}
[writer]
rw=randwrite
numjobs=2
group_reporting
fsync=64
[reader]
stonewall
rw=randrw
runtime=300ms
time_based
nrfiles=2
[spin]
new_group
description=no target at all
ioengine=null
iodepth=4
rw=read
JOBS
PLACE=ours "$program" fio two.fio --output-format=normal >ours.txt 2>ours.err ||
	fail "two.fio: exit status $?: $(cat ours.err)"
[ "$(grep -c 'Laying out' ours.txt)" = 3 ] || fail "which files were laid out: $(cat ours.txt)"
grep -q '^writer: (groupid=0, jobs=2): err= 0' ours.txt || fail 'no block for the writers'
grep -q '^spin: (groupid=2, jobs=1)' ours.txt || fail 'no block in a group of its own'
[ "$(echo ours/* | sed 's,ours/,,g')" = 'reader.0.0 reader.0.1 writer.0.0 writer.1.0' ] ||
	fail "files: $(ls ours)"
if command -v fio >/dev/null; then
	sed 's/300ms/1/' two.fio >fio.fio
	PLACE=fios fio fio.fio >fios.txt
	structure ours.txt >ours.lines
	structure fios.txt >fios.lines
	diff ours.lines fios.lines >difference || fail "other lines than fio's: $(cat difference)"
fi

# What it made itself it may write again, as long as nobody else has put anything there.
"$program" fio --name=again --rw=write --size=1m --filename=ours/again >out 2>err || fail "$(cat err)"
if python3 -c 'import os, sys; os.getxattr(sys.argv[1], "user.iotop-bench.written")' ours/again 2>/dev/null; then
	"$program" fio --name=again --rw=randwrite --size=1m --filename=ours/again >out 2>err ||
		fail "its own file: $(cat err)"
	! grep -q 'Laying out' out || fail 'a file that was there is told as laid out'
	"$program" fio --name=again --rw=read --size=2m --filename=ours/again >out 2>err ||
		fail "its own file, made longer: $(cat err)"
	"$program" fio --name=again --rw=rw --size=2m --filename=ours/again >out 2>err ||
		fail "its own file, after it was made longer: $(cat err)"
	cp -a ours/again ours/copy
	"$program" fio --name=copy --rw=write --size=1m --filename=ours/copy >out 2>err
	[ $? = 3 ] || fail 'a copy was overwritten without consent'
	rm ours/copy
	echo precious | dd of=ours/again conv=notrunc 2>/dev/null
	"$program" fio --name=again --rw=write --size=1m --filename=ours/again >out 2>err
	[ $? = 3 ] || fail 'a file that somebody else wrote to was overwritten without consent'
fi

# JSON stands alone, and has fio's keys.
set -- --name=a --ioengine=null --rw=randrw --size=1g --number_ios=2000 --numjobs=2 --group_reporting
"$program" fio "$@" --output-format=json >ours.json 2>json.err || fail "json: exit status $?"
jq -e '.jobs | length == 1' ours.json >/dev/null || fail 'JSON is not alone, or not one job'
jq -e '.jobs[0] | .read.total_ios + .write.total_ios == 4000' ours.json >/dev/null ||
	fail 'the clones do not add up'
jq -e '.iotop_bench.warnings | length > 0' ours.json >/dev/null || fail 'no warnings in the JSON'
grep -q 'warning: a: SHORT' json.err || fail 'no warning on standard error'
if command -v fio >/dev/null; then
	fio "$@" --output-format=json >fios.json
	keys ours.json >ours.keys
	keys fios.json >fios.keys
	diff ours.keys fios.keys >difference || fail "other keys than fio's: $(cat difference)"
fi

# Submitting is something apart where the engine hands requests on, and only there.
for engine in vsync:0 posixaio:1; do
	"$program" fio --name=slat --ioengine=${engine%:*} --iodepth=4 --rw=read --size=256k --output-format=json,normal \
		--write_lat_log=slat >slat 2>slat.err || fail "${engine%:*}: exit status $?: $(cat slat.err)"
	sed -n '/^{/,/^}/p' slat | jq -e "(.jobs[0].read.slat_ns.mean > 0) == (${engine#*:} == 1)" >/dev/null ||
		fail "${engine%:*}: $(grep -A5 slat_ns slat)"
	[ "$(grep -c ' slat (' slat)" = "${engine#*:}" ] || fail "${engine%:*}: $(grep ' [sc]*lat (' slat)"
done

# Several formats in one file; nothing but errors on the screen.
"$program" fio "$@" --output=all --output-format=terse,json,normal >screen 2>/dev/null ||
	fail "formats: exit status $?"
[ ! -s screen ] || fail 'something was written beside --output'
grep -q '^3;fio-3' all || fail 'no terse line'
grep -q '"jobs"' all || fail 'no JSON among the formats'
grep -q '^Run status group 0' all || fail 'no text among the formats'

"$program" fio "$@" --write_bw_log=log --log_avg_msec=100 >/dev/null 2>&1 || fail 'logs'
[ -s log_bw.1.log ] && [ -s log_bw.2.log ] || fail 'no log for each clone'

"$program" fio "$@" --rate=64m --number_ios=0 --runtime=900ms --time_based --bandwidth-log=all \
	>/dev/null 2>&1 || fail '--bandwidth-log'
grep -qE '^500, [0-9]+, 1, 0, 0$' all-write_bw.log || fail "bandwidth log: $(cat all-write_bw.log)"
[ -s all-read_bw.log ] && [ -s all-trim_bw.log ] || fail 'no bandwidth log for each direction'

"$program" fio --name=a --ioengine=null --rw=read --size=4k --iodepth_batch_complete=1 --mem_align=4k \
	--output-format=json 2>/dev/null |
	jq -e '.jobs[0]."job options" | has("iodepth_batch_complete_min") and has("iomem_align")' \
		>/dev/null || fail "options do not have fio's first names"

# Times of logs by another clock: 7 is that since the machine started.
"$program" fio --name=log --ioengine=null --size=1m --rw=read --write_lat_log=clock --log_alternate_epoch=1 \
	--log_alternate_epoch_clock_id=7 >out 2>err || fail "log_alternate_epoch: $(cat err)"
first=$(sed -n '1s/,.*//p' clock_lat.1.log)
uptime=$(sed 's/\.\([0-9]*\) .*/\10/' /proc/uptime)
if [ "$first" -gt "$uptime" ] || [ "$first" -lt $((uptime - 60000)) ]; then
	fail "log_alternate_epoch: the log begins at $first, the machine runs for $uptime ms"
fi

# Each job appends where the one before has ended.
"$program" fio --filename=ours/log --rw=write --size=16k --file_append=1 --name=one --name=two \
	--stonewall >out 2>err || fail "file_append: $(cat err)"
[ "$(wc -c <ours/log)" = 32768 ] || fail "file_append: $(wc -c <ours/log) bytes"
# How idle the CPUs are: behind all else, in each report.
set -- --name=a --ioengine=null --rw=read --size=1g --number_ios=2000
"$program" fio "$@" --idle-prof=percpu >idle.txt 2>/dev/null || fail "--idle-prof: exit status $?"
tail -n 4 idle.txt | sed 's/[0-9.]*[0-9]/N/g; s/N%, .*N%/N%/' >idle.lines
printf 'CPU idleness:\n  system: N%%\n  percpu: N%%\n  unit work: mean=Nus, stddev=N\n' |
	diff - idle.lines || fail 'idleness of each CPU'
"$program" fio "$@" --idle-prof=system --output-format=json 2>/dev/null | jq -e '.cpu_idleness |
	keys == ["system", "unit_mean", "unit_stddev"] and .unit_mean > 0 and
	.system >= 0 and .system <= 100' >/dev/null || fail 'idleness in JSON'
"$program" fio --idle-prof=calibrate "$@" >idle.txt 2>&1 || fail "calibrate: exit status $?"
[ "$(wc -l <idle.txt)" = 2 ] && grep -q '^  unit work: mean=.*us, stddev=' idle.txt ||
	fail "calibrate: $(cat idle.txt)"

# What is refused, and what fails.
"$program" fio --name=w --rw=write --size=1m --filename=ours/writer.0.0x --readonly >out 2>err
[ $? = 3 ] || fail 'a write job passed --readonly'
[ ! -e ours/writer.0.0x ] || fail '--readonly made a file'
echo precious >precious
"$program" fio --name=w --rw=write --size=4k --bs=1k --filename=precious >out 2>err
[ $? = 3 ] || fail 'an existing file was overwritten without consent'
grep -q 'allow-write=' err || fail 'the remedy is not named'
[ "$(cat precious)" = precious ] || fail 'the file was changed'
"$program" fio --name=x --ioengine=fault --fault_engine=null --fault_error_every=10 --rw=read \
	--size=1m >out 2>err
[ $? = 1 ] || fail 'a failed job does not make the exit status 1'
grep -q '^x: (groupid=0, jobs=1): err= *5' out || fail 'the report does not say that it failed'

# The first signal drains and reports; SIGUSR1 reports in between.
start fio --name=long --ioengine=null --rw=read --size=1g --time_based --runtime=60 \
	--status-interval=60 --output="$tmp/long.txt"
wait_for 10 grep -q Starting long.txt || fail 'it does not start'
# shellcheck disable=SC2317 # wait_for calls it
running() {
	kill -USR1 "$front"
	grep -q 'READ: bw=' long.txt
}
wait_for 10 running || fail 'no report at SIGUSR1'
before=$(grep -c 'Run status' long.txt)
kill -INT "$front"
wait "$front"
[ $? = 130 ] || fail 'another exit status than that of the signal'
[ "$(grep -c 'Run status' long.txt)" -gt "$before" ] || fail 'no report after the signal'
finish
