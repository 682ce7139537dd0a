#!/bin/sh
# SPDX-License-Identifier: MIT
# Logs of `fio` grow while the jobs run, and are whole lines whatever happens to us or to their disk.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
cd "$tmp" || exit 1

has_lines() {
	[ "$(wc -l <"$1")" -ge "$2" ]
}

# whole FILE COLUMNS: there are lines, all of them to their ends, in the order of time.
whole() {
	[ -s "$1" ] || fail "$1 is empty"
	[ -z "$(tail -c 1 "$1")" ] || fail "$1 ends within a line: $(tail -n 1 "$1")"
	awk -F', ' -v n="$2" 'NF != n || $1 < last || $0 ~ /[^0-9, ]/ { exit 1 } { last = $1 }' "$1" ||
		fail "$1: lines that are none"
}

# In the background; leaves $front.
job() {
	start fio --name=x --ioengine=null --size=1g --time_based --runtime=60 --rate_iops=2000 "$@"
}

# The process that writes the logs.
log_writer() {
	for child in $(cat "/proc/$front/task/$front/children" 2>/dev/null) $(pgrep -P "$front"); do
		[ "$(cat "/proc/$child/comm")" != iotop-bench-log ] || writer=$child
	done 2>/dev/null
	[ -n "$writer" ]
}

echo "-- the front is killed in the middle"
writer=
job --write_iops_log=k --write_lat_log=k --numjobs=2 --per_job_logs=0 \
	--bandwidth-log=k
# A line each 100 ms, of which a chunk would hold those of half a minute.
killed=$front
job --write_bw_log=w --log_avg_msec=100 --write_hist_log=w --log_hist_msec=200
wait_for 20 has_lines k_iops.log 1000 || fail 'nothing in the log while the job runs'
wait_for 20 has_lines w_bw.1.log 10 || fail 'no windows in the log while the job runs'
wait_for 20 has_lines k-read_bw.log 2 || fail 'nothing in the bandwidth log while the job runs'
wait_for 5 has_lines k_iops.log.part2 1000 || fail 'nothing of the second clone while the job runs'
for front in "$front" "$killed"; do
	log_writer || fail 'no process that writes logs'
	kill -KILL "$front"
	wait "$front" 2>/dev/null
	wait_for 20 gone "$writer" || fail 'the process that writes logs stays'
done
for log in k_lat.log k_iops.log; do
	[ ! -e "$log.part2" ] || fail "$log.part2 stays"
	# Those of the second clone stand behind those of the first.
	awk -F', ' '$1 < last { n++ } { last = $1 } END { exit n != 1 }' "$log" || fail "$log: not two clones one after the other"
	[ -z "$(tail -c 1 $log)" ] || fail "$log ends within a line"
	has_lines "$log" 2000 || fail "$log is too short: $(wc -l <"$log")"
done
whole w_bw.1.log 5
whole w_clat_hist.1.log 1859
whole k-read_bw.log 5

echo "-- nothing is missing at the end; jobs share a log in their order"
"$program" fio --ioengine=null --size=1g --number_ios=30000 --norandommap --rw=randread --write_iops_log=all \
	--per_job_logs=0 --log_offset=1 --output=/dev/null --name=b --numjobs=2 --name=a --bs=8k >out 2>err ||
	fail "status $?: $(cat err)"
[ "$(wc -l <all_iops.log)" = 90000 ] || fail "$(wc -l <all_iops.log) lines"
awk -F', ' '$4 != (NR > 60000 ? 8192 : 4096) { exit 1 }' all_iops.log || fail 'not in the order of jobs'
ls all_iops.log.part* 2>/dev/null && fail 'parts stay'

echo "-- the time of day is that of the begin of measuring, behind the ramp"
before=$(date +%s%3N)
"$program" fio --name=t --ioengine=null --size=1g --ramp_time=400ms --time_based --runtime=200ms --write_bw_log=t \
	--log_avg_msec=100 --log_unix_epoch=1 --output=/dev/null >out 2>err || fail "status $?: $(cat err)"
after=$(date +%s%3N)
whole t_bw.1.log 5
awk -F', ' -v from="$((before + 500))" -v to="$after" '$1 < from || $1 > to { exit 1 }' t_bw.1.log ||
	fail "not between $before + 500 and $after: $(cat t_bw.1.log)"

echo "-- what came to stand there since the check is not written"
ln -s nothing loose_bw.1.log
"$program" fio --name=l --ioengine=null --size=1m --write_bw_log=loose >out 2>err
status=$?
[ "$status" = 2 ] || fail "a link to nothing: status $status"
grep -q 'symbolic link to nothing' err || fail "a link to nothing: $(cat err)"

finish
