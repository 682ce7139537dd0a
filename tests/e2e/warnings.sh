#!/bin/sh
# SPDX-License-Identifier: MIT
# Warnings with their cause made for real, and beside each a run without it that must not have it.
# Runs that do not disturb each other go side by side; what the machine lacks is counted and named.
# What else goes on there can bring a warning or hide one: each round has three attempts.
# shellcheck disable=SC2317 # three_times calls them
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
lacking=0
: >"$tmp/err"

lacks_here() {
	echo "not tried: $*"
	lacking=$((lacking + 1))
}

# go NAME ARGUMENT...: a run in the background; its report is NAME.json.
go() {
	name=$1
	shift
	timeout -k 5 60 "$program" run "$@" --no-save --quiet --format=json </dev/null \
		>"$tmp/$name.json" 2>"$tmp/$name.err" &
	started="$started $!"
	names="$names $name"
}

# sum_up NAME: the codes of its warnings (if they have figures or words that end), and its limit.
sum_up() {
	jq -r '(.iotop_bench.warnings[] | select(.text | endswith(".")) | .code),
		"limit " + .iotop_bench.limit.what' "$tmp/$1.json" >"$tmp/$1.codes" 2>&1 ||
		fail "$1: no report: $(cat "$tmp/$1.err")"
}

# three_times ROUND: until one attempt has no complaint; only those of the last one count.
three_times() {
	before=$failures lacked=$lacking
	for attempt in 1 2 3; do
		failures=$before lacking=$lacked
		"$1"
		[ "$failures" -gt "$before" ] || return 0
		echo "   attempt $attempt of $1 is over"
	done
}

started=
names=
all_back() {
	for pid in $started; do
		wait "$pid" || fail "a run failed: $(cat "$tmp"/*.err | head -n 3)"
	done
	for name in $names; do
		sum_up "$name"
	done
	started=
	names=
}

raises() {
	grep -qx "$2" "$tmp/$1.codes" || fail "$1: no $2 among: $(tr '\n' ' ' <"$tmp/$1.codes")"
}

spares() {
	grep -qx "$2" "$tmp/$1.codes" && fail "$1: $2 without its cause: $(jq -r --arg code "$2" \
		'.iotop_bench.warnings[] | select(.code == $code) | .text' "$tmp/$1.json")"
}

limit_is() {
	raises "$1" "limit $2"
}

make_file "$tmp/full" 16
truncate -s 16M "$tmp/holes"
cp "$tmp/full" "$tmp/busy"
cp "$tmp/full" "$tmp/warm"
tail -f /dev/null >>"$tmp/busy" &
pids="$pids $!"
wait_for 5 sh -c "ls -l /proc/$!/fd | grep -q busy"
slow='--direct=0 --ioengine=fault --fault_engine=psync --iodepth=1 --rw=read --bs=4k --fault_delay=1ms'
short='--runtime=0.5'

echo "-- files"
# shellcheck disable=SC2086 # lists of options
files() {
	go sparse "$tmp/holes" $short --direct="$direct"
	go filled "$tmp/full" $short --direct="$direct"
	go inuse "$tmp/busy" $short --direct="$direct"
	go cached "$tmp/warm" $short --direct=0 --invalidate=0 --bs=64k
	go aio "$tmp/full" $short --direct=0 --ioengine=libaio --iodepth=8
	go burst "$tmp/full" $slow --runtime=1.3 --rate_iops=4000 --fault_offset=8m
	go steady "$tmp/full" $slow --runtime=1.7 --rate_iops=1500 --fault_delay=0
	go unsteady "$tmp/full" $slow --runtime=1.7 --fault_size=1m
	go little "$tmp/warm" $short --direct=0 --invalidate=0 --iodepth=64 --iodepth_batch=1
	go rate "$tmp/full" $short --direct="$direct" --rate_iops=200
	all_back
	raises sparse SPARSE
	spares filled SPARSE
	raises inuse INUSE
	spares filled INUSE
	raises filled SHORT
	raises cached RAM
	raises aio AIOSYNC
	spares cached AIOSYNC
	raises burst BURST
	spares steady BURST
	raises unsteady NOTSTEADY
	raises little LITTLE
	spares filled LITTLE
	limit_is rate rate
	if [ "$direct" -eq 1 ]; then
		spares filled RAM
		spares filled ODIRECT
	fi
	expect_json '.iotop_bench.warnings | map(select(.code == "BURST"))[0].evidence | .iops_before > 1.3 *
	.iops_after and .seconds_before > 0.1' "$tmp/burst.json"
	# Neighbours on the same disk can read more than a run from memory; a device of our own follows.
	if [ "$(jq .iotop_bench.target.has_disk "$tmp/cached.json")" = true ] &&
		! grep -qx FOREIGN "$tmp/cached.codes"; then
		raises cached CACHED
		limit_is cached cache
	else
		lacks_here "CACHED: no disk is known under $tmp, or it is busy"
	fi
	[ "$direct" -eq 0 ] || spares filled CACHED
}
three_times files

echo "-- the text report has what, the figures and what to do, and one line of what limits it"
"$program" report "$tmp/aio.json" >"$tmp/out" || fail "the saved run is not read"
grep -q '^AIOSYNC .*libaio' "$tmp/out" || fail "no AIOSYNC in the text"
grep -q '^limit ' "$tmp/out" || fail "no limit in the text"

# only_files WHY: the rest cannot be tried.
only_files() {
	skip "files are fine; $*"
}
[ "$(id -u)" -eq 0 ] ||
	only_files "the rest needs root for loop devices, mounts and control groups"
require losetup

# attach NAME MIB: a loop device of its own; leaves $loop.
attach() {
	make_file "$tmp/$1.img" "$2"
	loop_device "$tmp/$1.img" --direct-io=on || loop_device "$tmp/$1.img" ||
		only_files "no loop device can be had here"
}
attach a 16
a=$loop
attach b 16
b=$loop
attach c 16
c=$loop
attach d 8
d=$loop
queue=/sys/block/${b#/dev/}/queue

echo "-- devices"
mkdir "$tmp/memory"
if mount -t tmpfs none "$tmp/memory"; then
	at_end "umount '$tmp/memory'"
	cp "$tmp/full" "$tmp/memory/file"
else
	lacks_here "ODIRECT: no tmpfs can be mounted"
fi
# shellcheck disable=SC2086
devices() {
	# A neighbour on a: as long as it takes, one at a time.
	while dd if="$a" of=/dev/null bs=1M iflag=direct 2>/dev/null; do :; done &
	neighbour=$!
	pids="$pids $neighbour"
	go foreign "$a" $short --iodepth=4 --bs=4k
	go deep "$b" $short --iodepth=200 --bs=4k
	go sequential "$c" $short --rw=read --bs=4k --iodepth=32
	cat "$d" >/dev/null
	go again "$d" $short --direct=0 --invalidate=0 --bs=64k
	if [ -e "$tmp/memory/file" ]; then
		go memory "$tmp/memory/file" $short
		go buffered "$tmp/memory/file" $short --direct=0
	fi
	all_back
	kill "$neighbour"
	wait "$neighbour" 2>/dev/null
	raises foreign FOREIGN
	raises deep SMALLQUEUE
	raises again CACHED
	limit_is again cache
	raises sequential MERGED
	[ -e "$tmp/memory/file" ] || return
	raises memory ODIRECT
	spares buffered ODIRECT
	limit_is memory cache
}
three_times devices

# in_group CONTROLLER FILE VALUE NAME ARGUMENT...: a run in a control group of its own.
in_group() {
	controller=$1 file=$2 value=$3
	group=
	for place in "/sys/fs/cgroup/$controller" /sys/fs/cgroup; do
		[ -e "$place/cgroup.procs" ] || continue
		if [ ! -d "$place/iob-test-$$-$4" ]; then
			mkdir "$place/iob-test-$$-$4" 2>/dev/null || continue
			at_end "rmdir '$place/iob-test-$$-$4'"
		fi
		if echo "$value" 2>/dev/null >"$place/iob-test-$$-$4/$file"; then
			group=$place/iob-test-$$-$4
			break
		fi
	done
	[ "$group" ] || return 1
	shift 3
	name=$1
	shift
	# shellcheck disable=SC2016 # by the inner shell
	timeout -k 5 60 sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$program" run "$@" \
		--no-save --quiet --format=json </dev/null >"$tmp/$name.json" 2>"$tmp/$name.err" &
	started="$started $!"
	names="$names $name"
}

rotational=$(cat "$queue/rotational")
at_end "echo $rotational >'$queue/rotational'"
echo 0 >"$queue/rotational"
parted=
# A run that was killed may have left them.
delpart "$a" 1 2>/dev/null
delpart "$a" 2 2>/dev/null
if command -v addpart >/dev/null && addpart "$a" 1 63 8192 && addpart "$a" 2 16384 8192; then
	at_end "delpart '$a' 1; delpart '$a' 2"
	wait_for 5 test -b "${a}p2" && parted=y
fi
# is_throttled NAME: if there was a control group for it.
is_throttled() {
	[ ! -s "$tmp/$1.json" ] || {
		raises "$1" THROTTLED
		limit_is "$1" throttle
	}
}

# shellcheck disable=SC2086
quotas() {
	go quiet "$c" $short --iodepth=4 --bs=4k
	go zero "$b" $short --rw=write --zero_buffers=1 --allow-write="$b" --iodepth=4
	in_group cpu cpu.cfs_quota_us 10000 quota "$tmp/full" $short --direct=0 ||
		in_group - cpu.max "10000 100000" quota "$tmp/full" $short --direct=0 ||
		lacks_here "THROTTLED: no control group for CPU time"
	if [ "$parted" ]; then
		go crooked "${a}p1" $short
		go straight "${a}p2" $short
	fi
	all_back
	spares quiet FOREIGN
	spares quiet SMALLQUEUE
	spares quiet MERGED
	spares quiet THROTTLED
	spares quiet TOOLBOUND
	raises zero ZERO
	is_throttled quota
	[ "$parted" ] || {
		lacks_here "MISALIGN: no partition can be made on a loop device"
		return
	}
	raises crooked MISALIGN
	spares straight MISALIGN
}
three_times quotas
spares cached THROTTLED

number=$(printf '%d:%d' "0x$(stat -c %t "$a")" "0x$(stat -c %T "$a")")
# shellcheck disable=SC2086
writers() {
	in_group blkio blkio.throttle.read_iops_device "$number 100" capped "$a" --runtime=1 --bs=4k ||
		in_group - io.max "$number riops=100" capped "$a" --runtime=1 --bs=4k ||
		lacks_here "THROTTLED: no control group for disks"
	scheduler=$(tr -d '[]' <"$queue/scheduler")
	go data "$c" $short --rw=write --allow-write="$c" --iodepth=4
	go kept "$d" $short --rw=write --direct=0 --bs=1m --allow-write="$d"
	case " $scheduler " in
	*" bfq "*) go ordered "$b" $short --ioscheduler=bfq ;;
	*) lacks_here "SCHED: no bfq here ($scheduler)" ;;
	esac
	all_back
	spares data ZERO
	spares data SCHED
	spares data CACHED
	raises kept CACHED
	limit_is kept cache
	is_throttled capped
	[ ! -s "$tmp/ordered.json" ] || raises ordered SCHED
}
three_times writers

echo "-- a worker that has its CPU for itself"
alone() {
	chrt -f 1 "$program" run "$tmp/warm" --runtime=0.4 --direct=0 --ioengine=psync --iodepth=1 \
		--invalidate=0 --no-save --quiet --format=json </dev/null >"$tmp/tool.json" \
		2>"$tmp/tool.err"
	sum_up tool
	raises tool TOOLBOUND
}
if chrt -f 1 true 2>/dev/null; then
	three_times alone
else
	lacks_here "TOOLBOUND: no CPU can be had for itself"
fi
echo "$lacking not tried"
finish
