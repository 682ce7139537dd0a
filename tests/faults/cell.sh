# SPDX-License-Identifier: MIT
# One cell of the fault matrix; sourced by matrix_test with the row as $1.
# shellcheck shell=sh disable=SC2016,SC2030,SC2031,SC2034,SC2086,SC2116,SC2120,SC2317
# (The functions are called from the rows.)
. "$IOB_SRCDIR/tests/support/e2e.sh"

front=$$
BOUND=12 # seconds that any cell may take
tools=$IOB_BUILDDIR/tests/support
dir=$tmp/d
target=

# Where the fault lies.  Each leaves $target; $dir is what must be unchanged after the run.

none() { :; }

directory() {
	target=$dir
}

file() {
	target=$dir/t
	head -c 4M /dev/urandom >"$target"
}

sparse() {
	target=$dir/t
	truncate -s "${1:-64M}" "$target"
}

needs_root() {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
}

# fuse RULE,RULE...: a file of 4 MiB on a file system that goes wrong so.
fuse() {
	[ -x "$tools/fault_fs" ] || skip "built without libfuse3"
	mkdir "$tmp/back"
	head -c 4M /dev/urandom >"$tmp/back/t"
	"$tools/fault_fs" "$tmp/back" "$dir" -f -o fsname=fault_fs 2>/dev/null &
	fuse_pid=$!
	pids="$pids $fuse_pid"
	wait_for 3 mountpoint -q "$dir" || skip "no FUSE here"
	minor=$(awk -v d="$dir" '$5 == d { sub(".*:", "", $3); print $3 }' /proc/self/mountinfo)
	# What hangs in there holds everything else up: the connection goes first.
	at_end "umount -l '$dir' 2>/dev/null || fusermount3 -uz '$dir'"
	at_end "echo 1 2>/dev/null >/sys/fs/fuse/connections/$minor/abort"
	target=$dir/t
	rule "$*"
}

fuse_direct() {
	FAULT_FS_DIRECT=1
	export FAULT_FS_DIRECT
	fuse "$@"
}

rule() {
	echo "$*" | tr ',' '\n' | while read -r line; do
		[ -z "$line" ] || echo "$line" >"$dir/.fault"
	done
}

# Once more at the end it could be another cell's.
detach() {
	losetup --detach "$target"
	detached=1
}

fuse_die() {
	kill -KILL "$fuse_pid"
}

# loop [SIZE [OPTION...]]: a loop device over $tmp/image.
loop() {
	needs_root
	size=${1:-8M}
	[ $# -eq 0 ] || shift
	[ -e "$tmp/image" ] || head -c "$size" /dev/urandom >"$tmp/image"
	loop_on "$tmp/image" "$@"
}

loop_on() {
	image=$1
	shift
	target=$(losetup --find --show "$@" "$image" 2>/dev/null) || skip "no loop device"
	at_end "[ -n \"\${detached:-}\" ] || losetup --detach '$target' 2>/dev/null"
	# Partitions that a run which was killed has left would be in the way.
	partx --delete "$target" 2>/dev/null
	# A device keeps this from one image to the next.
	blockdev --setrw "$target"
}

# second_loop OPTION...: one more loop device, which is the target.
second_loop() {
	first=$target
	loop_on "$@"
	[ "$target" != "$first" ] || fail "it is the same loop device"
}

# hung_neighbour: a file system that does not answer; a loop device and a process use a file there.
hung_neighbour() {
	needs_root
	parent=$dir
	dir=$tmp/neighbour
	mkdir "$dir"
	fuse ''
	loop_on "$target"
	sleep 60 9<"$dir/t" >/dev/null 2>&1 &
	pids="$pids $!"
	kill -STOP "$fuse_pid"
	at_end "kill -CONT $fuse_pid"
	sleep 1.1 # what the kernel knows of the file has gone stale
	dir=$parent
}

loop_on_fuse() {
	needs_root
	fuse ''
	mount_dir=$dir
	loop_on "$dir/t" --direct-io=on
	dir=$tmp/nothing
	mkdir "$dir"
	(dir=$mount_dir && rule "$*")
}

# thin: 64 MiB are promised, 4 MiB are there.
thin() {
	needs_root
	mkdir "$tmp/pool"
	mount -t tmpfs -o size=4m none "$tmp/pool" || skip "no tmpfs"
	at_end "umount -l '$tmp/pool'"
	truncate -s 64M "$tmp/pool/image"
	loop_on "$tmp/pool/image"
}

# tmpfs OPTIONS: with a sparse file of 64 MiB on it.
tmpfs() {
	needs_root
	mount -t tmpfs -o "$1" none "$dir" || skip "no tmpfs"
	at_end "umount -l '$dir'"
	sparse 64M
}

# ext4 [OPTION...]: a file system of 16 MiB with a sparse file of 64 MiB on it.
ext4() {
	needs_root
	truncate -s 16M "$tmp/image"
	mkfs.ext4 -q -O ^has_journal "$@" "$tmp/image" 2>/dev/null || skip "no mkfs.ext4"
	loop_on "$tmp/image"
	device=$target
	mount -o errors=remount-ro "$device" "$dir" || skip "no ext4"
	at_end "umount -l '$dir'"
	rmdir "$dir/lost+found"
	sparse 64M
}

shrink_to() {
	head -c "$1" /dev/urandom >"$target"
}

ext4_file() {
	ext4
	head -c 4M /dev/urandom >"$target"
	sync "$target"
}

zram() {
	needs_root
	[ -e /sys/class/zram-control/hot_add ] || skip "no zram"
	number=$(cat /sys/class/zram-control/hot_add) || skip "no zram"
	at_end "echo $number >/sys/class/zram-control/hot_remove"
	at_end "echo 1 >/sys/block/zram$number/reset"
	echo 64M >"/sys/block/zram$number/disksize"
	target=/dev/zram$number
}

# What the program is started under; each ends with the program, or with another of these.

limit() {
	# What make and the harness have open would count.
	exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
	# shellcheck disable=SC3045 # the shells of Linux have these
	ulimit "$1" "$2"
	# A program with a sanitizer in it does not even begin with little address space.
	[ "$1" != -v ] || env ASAN_OPTIONS= UBSAN_OPTIONS= "$IOB_PROGRAM" --version >/dev/null 2>&1 || skip "cannot start so"
	shift 2
	case $1 in
	limit | as_nobody | terminal) "$@" ;;
	*) exec "$@" ;;
	esac
}

deny() {
	[ -x "$tools/deny" ] || skip "no tests/support/deny"
	exec "$tools/deny" "$@"
}

as_nobody() {
	needs_root
	cp "$IOB_PROGRAM" "$tmp/program"
	chmod 755 "$tmp/.." "$tmp/program"
	chmod 777 "$tmp"
	chmod a+rx "$dir"
	shift
	exec ${tasks:+prlimit --nproc="$tasks"} setpriv --reuid=64998 --regid=64998 --clear-groups --inh-caps=-all \
		"$tmp/program" "$@"
}

# Threads and processes of one user (not every shell has `ulimit -u`).
few_tasks() {
	command -v prlimit >/dev/null || skip "no prlimit"
	tasks=$1
	shift
	as_nobody "$@"
}

# terminal STEP... PROGRAM run ARGUMENT...: the dashboard on a terminal, which must play the steps.
terminal() {
	[ -x "$tools/on_terminal" ] || skip "built without libvterm"
	steps=
	while [ "$1" != "$IOB_PROGRAM" ]; do
		steps="$steps '$1'"
		shift
	done
	shift 2
	eval "set -- $steps -- \"\$IOB_PROGRAM\" \"\$@\""
	exec "$tools/on_terminal" "$@"
}

# Somebody else's symbolic link in a directory that everybody may write.
planted() {
	needs_root
	mkdir -m 1777 "$tmp/shared"
	ln -s ../precious "$tmp/shared/link.json"
	chown -h 64998 "$tmp/shared/link.json"
	echo precious >"$tmp/precious"
}

# Somewhere for reports, of 64 KiB.
full_place() {
	needs_root
	mkdir "$tmp/full"
	mount -t tmpfs -o size=64k none "$tmp/full" || skip "no tmpfs"
	at_end "umount -l '$tmp/full'"
}

fill_up() {
	head -c 64k /dev/zero >"$tmp/full/filler"
}

# nohup and sudo may hand this over.
ignoring() {
	trap '' "$1"
	shift
	"$@"
}

# Without --save.
unsaved() {
	exec "$@"
}

into_full() {
	exec "$@" >/dev/full
}

into_nothing() {
	exec "$@" >&-
}

into_closed_pipe() {
	"$@" | :
	exit 0
}

# Scripts do so in the next line.
then_unmount() {
	"$@"
	status=$?
	umount "$dir" || exit 9
	exit "$status"
}

# A container that may use these CPUs only.
in_cpuset() {
	needs_root
	set_of=/sys/fs/cgroup/cpuset
	[ -e $set_of/cpuset.cpus ] || skip "no cpuset controller (cgroup v1)"
	mkdir "$set_of/iob-$front" || skip "no cpuset can be made"
	cat $set_of/cpuset.mems >"$set_of/iob-$front/cpuset.mems"
	echo "$1" >"$set_of/iob-$front/cpuset.cpus"
	shift
	sh -c 'echo $$ >"$1/tasks" && shift && exec "$@"' sh "$set_of/iob-$front" "$@"
	status=$?
	rmdir "$set_of/iob-$front"
	exit "$status"
}

on_cpu() {
	exec taskset -c "$@"
}

# The time of day jumps back and forth by an hour at each look.
wrong_clock() {
	[ -e "$tools/wrong_clock.so" ] || skip "no tests/support/wrong_clock.so"
	LD_PRELOAD=$tools/wrong_clock.so
	export LD_PRELOAD
	env ASAN_OPTIONS= UBSAN_OPTIONS= "$IOB_PROGRAM" --version >/dev/null 2>&1 ||
		LD_PRELOAD='' skip "nothing can be preloaded"
	exec "$@"
}

in_time() {
	unshare --time true 2>/dev/null || skip "no time namespaces"
	exec unshare --time --fork "$@"
}

# What happens in the middle of the run.

signal() {
	kill -"$1" "$front"
}

to_load() {
	find_load_process && kill -"$1" "$load"
}

stall() {
	find_load_process && kill -STOP "$load"
	sleep "$1"
	kill -CONT "$load"
}

# Twice: the second one does not wait.
signal_twice() {
	kill -"$1" "$front"
	wait_for 5 grep -qE '^\[(DRAIN|FLUSH)' "$tmp/err"
	sleep 0.1
	kill -"$1" "$front"
}

# The setting is back although who changed it was killed.
keeps_scheduler() {
	queue=/sys/block/${target##*/}/queue/scheduler
	grep -q '\[mq-deadline\]' "$queue" || return 1
	kill -KILL "$@"
	wait_for 3 grep -q '\[none\]' "$queue" || fail "the scheduler stays $(cat "$queue")"
}

stop_and_signal() {
	to_load STOP
	for name in "$@"; do
		kill -"$name" "$front"
		sleep 0.3 # two signals at once are one
	done
}

stall_front() {
	kill -STOP "$front"
	sleep "$1"
	kill -CONT "$front"
}

# The load process does not outlive the front.
kills_both() {
	find_load_process && kill -KILL "$front"
	wait_for 3 gone "$load" || fail "the load process is still there"
}

shrink() {
	truncate -s 1M "$tmp/image"
	[ -z "${1:-}" ] || losetup --set-capacity "$target"
}

# $started_dir is the listing that must be there after the run as well.
listing() {
	ls -A "$dir" 2>/dev/null
}

# The place column says so: fio's command line instead of `run`.
as_fio() {
	mode=fio
}

run_fio_cell() {
	set -- fio --name=x ${target:+--filename="$target"} --ioengine="$engine"
	case $arguments in
	*--runtime=*) ;;
	*) set -- "$@" --runtime=300ms ;;
	esac
	case $target$arguments in
	'' | -*) set -- "$@" --size=1g ;;
	esac
	eval "set -- \"\$@\" --time_based --output-format=json --grace=500ms ${arguments#-}"
	if [ "$under" = - ]; then
		exec env --default-signal=INT,QUIT,HUP,TERM "$IOB_PROGRAM" "$@"
	fi
	eval "$under \"\$IOB_PROGRAM\" \"\$@\""
}

# Its workers are there.
fio_is_running() {
	find_load_process || return
	set -- "/proc/$load/task"/*
	[ $# -gt 1 ]
}

# FAILED/ALL of fio's jobs.
check_fio_report() {
	got=$(jq -r '"\([.jobs[] | select(.error != 0)] | length)/\(.jobs | length)"' "$tmp/out" 2>&1)
	[ "$got" = "${outcome#fio:}" ] || fail "failed jobs: $got (expected ${outcome#fio:})"
}

run_cell() {
	[ "${mode:-}" != fio ] || run_fio_cell
	set -- run ${target:+"$target"}
	[ "$engine" = - ] || set -- "$@" --ioengine="$engine"
	# What ends with an error may be late on a busy machine.
	case $arguments$words in
	*--runtime=*) ;;
	*' at offset'*) set -- "$@" --runtime=20 ;;
	*) set -- "$@" --runtime=0.3 ;;
	esac
	case $arguments$under in
	*--save=* | *--no-save* | *unsaved*) ;;
	*) set -- "$@" --save="$tmp/saved.json" ;;
	esac
	[ "$arguments" != - ] || arguments=
	eval "set -- \"\$@\" --format=json --grace=0.5 $arguments"
	if [ "$under" = - ]; then
		exec env --default-signal=INT,QUIT,HUP,TERM "$IOB_PROGRAM" "$@"
	fi
	eval "$under \"\$IOB_PROGRAM\" \"\$@\""
}

is_running() {
	[ "${mode:-}" != fio ] || {
		fio_is_running
		return
	}
	grep -q '^iotop-bench: measuring' "$tmp/err"
}

check_words() {
	old=$IFS
	IFS=';'
	for word in $words; do
		IFS=$old
		word=$(echo $word)
		case $word in
		-) ;;
		=*) expect_json "${word#=}" ;;
		!*) ! grep -qF -e "${word#!}" "$tmp/err" || fail "the message says '${word#!}'" ;;
		*) grep -qF -e "$word" "$tmp/err" || fail "the message does not say '$word'" ;;
		esac
	done
	IFS=$old
}

# The report and what was saved are whole, agree, and add up.
check_reports() {
	case ,$outcome, in
	*,-,*) [ -s "$tmp/out" ] || outcome=- ;;
	esac
	[ "$outcome" != none ] || return
	case $outcome in
	fio:*)
		check_fio_report
		return
		;;
	esac
	if [ "$outcome" = - ]; then
		[ ! -s "$tmp/out" ] || fail "a report although nothing was measured"
		# But for what was laid out or announced before.
		[ "$(grep -cvE '^(\[|iotop-bench: making the file:)' "$tmp/err")" -eq 1 ] || fail "not one line on stderr"
		return
	fi
	saved=$tmp/saved.json
	case $arguments in *--no-save*) saved=$tmp/out ;; esac
	for kept in "$HOME"/.local/state/iotop-bench/*.json "$TMPDIR"/iotop-bench-*.json; do
		[ -e "$saved" ] || saved=$kept
	done
	set -- "$saved" "$tmp/out"
	case $under in *terminal* | into_*) set -- "$saved" ;; esac
	[ -e "$saved" ] || fail "nothing was saved"
	for report in "$@"; do
		got=$(jq -r --arg want "$outcome" '
			.iotop_bench as $own |
			def sum(f): ([$own.timeline[] | f] | add // 0);
			if ($want | split(",") | index($own.outcome)) == null then "outcome \($own.outcome)"
			elif sum(.read.ios) != .jobs[0].read.total_ios then "reads do not add up"
			elif sum(.write.ios) != .jobs[0].write.total_ios then "writes do not add up"
			else "fine" end' "$report" 2>&1)
		[ "$got" = fine ] || fail "${report##*/}: $got (expected $outcome)"
	done
}

# trim TEXT: without blanks around it.
trim() {
	echo "$1" | sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//'
}

split_row() {
	IFS='|' read -r name engine place under during arguments want outcome words <<-END
		$1
	END
	for field in name engine place under during arguments want outcome words; do
		eval "$field=\$(trim \"\$$field\")"
	done
}

cell() {
	split_row "$1"
	HOME=$tmp/home
	TMPDIR=$tmp
	unset XDG_STATE_HOME
	export HOME TMPDIR
	mkdir "$dir" "$HOME"
	eval "$place"
	before=$(listing)
	begun=$(date +%s%N)
	(run_cell) </dev/null >"$tmp/out" 2>"$tmp/err" &
	front=$!
	pids="$pids $front"
	(
		sleep "$BOUND"
		kill -KILL "$front"
	) >/dev/null 2>&1 &
	watchdog=$!
	pids="$pids $watchdog"
	if [ "$during" != - ]; then
		wait_for 5 is_running || fail "it does not run"
		sleep 0.15
		eval "$during" || fail "cannot do: $during"
	fi
	wait "$front" 2>/dev/null
	status=$?
	ended=$(date +%s%N)
	kill "$watchdog" 2>/dev/null
	[ "$status" -ne 77 ] || [ -s "$tmp/err" ] || {
		tail -n 1 "$tmp/out"
		exit 77
	}
	took=$(((ended - begun) / 1000000))
	[ "$took" -lt $((BOUND * 1000)) ] || fail "it took $took ms"
	case ,$want, in
	*,"$status",*) ;;
	*) fail "exit status $status, expected $want" ;;
	esac
	check_words
	check_reports
	[ "${unlisted:-}" ] || [ "$before" = "$(listing)" ] || fail "left behind: $(listing)"
	[ "$failures" -eq 0 ] || {
		echo "status $status after $took ms: $under $arguments"
		sed 's/^/  err: /' "$tmp/err" | tail -n 12
		[ "$outcome" != - ] || sed 's/^/  out: /' "$tmp/out" | head -n 12
	}
	finish
}

cell "$@"
