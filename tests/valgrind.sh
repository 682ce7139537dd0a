#!/bin/sh
# SPDX-License-Identifier: MIT
# The program under memcheck, front and load process each: nothing read that was not set, nothing out
# of bounds, nothing lost, nothing left open.  Slow; for `.ci/run valgrind`, no test of `make check`.
#	IOB_SRCDIR=... IOB_BUILDDIR=... IOB_PROGRAM=... tests/valgrind.sh
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require valgrind jq

: "${IOB_BUILDDIR:=.}"
logs=$tmp/logs
mkdir "$logs"
# What stays in threads of the C library (posixaio) is not lost, and who was forked to ask one question
# leaves without tidying up.  The plan and snapshots are large objects on the stack.
cat >"$tmp/program" <<END
#!/bin/sh
exec valgrind -q --trace-children=yes --leak-check=full --show-leak-kinds=definite,indirect \\
	--errors-for-leak-kinds=definite --child-silent-after-fork=yes --track-origins=yes --fair-sched=try --max-stackframe=8388608 \\
	--log-file='$logs/%p' '$IOB_PROGRAM' "\$@"
END
chmod +x "$tmp/program"
program=$tmp/program
XDG_STATE_HOME=$tmp/state
export XDG_STATE_HOME
file=$tmp/file
make_file "$file" 16

# clean WHAT: what was run since the last time, in at least two processes where there is a load.
clean() {
	found=0
	for log in "$logs"/*; do
		# What memcheck does not know of the kernel is no fault of ours.
		sed -i -e '/Warning: noted but unhandled/,/^==[0-9]*==    See README/d' "$log"
		[ -s "$log" ] || continue
		found=1
		sed 's/^/  /' "$log" | head -n 60
	done
	[ "$found" -eq 0 ] || fail "memcheck complains: $1"
	set -- "$logs"/*
	processes=$#
	rm -f "$logs"/*
}

# measured WHAT ARGUMENT...
measured() {
	what=$1
	shift
	run "$@"
	[ "$status" -eq 0 ] || fail "$what: exit status $status: $(tail -n 3 "$tmp/err")"
	clean "$what"
	[ "$processes" -ge 2 ] || fail "$what: the load process was not looked at"
}

told() {
	run "$@"
	[ "$status" -eq 0 ] || fail "$1: exit status $status: $(tail -n 3 "$tmp/err")"
	clean "$*"
}

for engine in psync vsync pvsync2 libaio io_uring posixaio mmap splice null; do
	measured "run with $engine" run "$file" --ioengine="$engine" --rw=randread --bs=8k --iodepth=4 \
		--runtime=1 --grace=30 --save="$tmp/$engine.json" --format=text,json,csv,html \
		--output="$tmp/out.$engine"
done
measured "a run that writes" run "$tmp/new" --rw=randrw --size=8m --runtime=1 --grace=30 --numjobs=2 \
	--rate_iops=500 --fsync=16 --no-save
measured "errors that are let pass" run --ioengine=fault --fault_error_every=50 --ignore_error=EIO \
	--runtime=1 --grace=30 --no-save
measured "a sweep" run "$file" --sweep=iodepth=1..4 --runtime=1 --grace=30 --no-save

cat >"$tmp/job.fio" <<END
[global]
filename=$file
time_based
runtime=1
bssplit=4k/50:8k/50
[first]
rw=randread
ioengine=libaio
iodepth=8
write_lat_log=$tmp/first
random_distribution=zipf:1.1
[second]
stonewall
rw=read
numjobs=2
group_reporting
END
measured "a job file" fio "$tmp/job.fio" --grace=30s --output-format=normal,json,terse \
	--output="$tmp/fio.out"

told report "$tmp/psync.json" --format=text,json,fio,csv,ndjson,html,terse --output="$tmp/again"
told compare "$tmp/psync.json" "$tmp/libaio.json" "$tmp/null.json"
# It gives up after five seconds, which may be few here.
run check "$file"
clean "check"
told devices
told engines
told params
told profiles "$IOB_SRCDIR/profiles/iops.ini"
told fio --parse-only "$tmp/job.fio"
told fio --showcmd "$tmp/job.fio"

if [ -x "$IOB_BUILDDIR/tests/support/on_terminal" ]; then
	"$IOB_BUILDDIR/tests/support/on_terminal" wait=6000 see=IOPS send=] send=v send=v send=h wait=500 \
		send=h 'send=}' wait=1500 send=q see=summary send=2 wait=2000 see=SUMMARY send=q exit=0 restored -- \
		"$program" "$file" -p "$IOB_SRCDIR/profiles/iops.ini" --runtime=120 --grace=30 || fail "the dashboard does not do this"
	clean "a dashboard"
	[ "$processes" -ge 2 ] || fail "the dashboard's load process was not looked at"
else
	echo "left out: the dashboard (built without libvterm)"
fi
finish
