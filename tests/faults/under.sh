# SPDX-License-Identifier: MIT
# The column `under` of the fault matrix: what the program is started under.  Each ends with the
# program, or with another of these.
# shellcheck shell=sh disable=SC2016,SC2030,SC2031,SC2034,SC2086,SC2116,SC2120,SC2154,SC2317
# (The functions are called from the rows, with the variables of cell.sh.)

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

and_unsaved() {
	"$@"
}

beside_target() {
	cd "$dir" || exit 1
	"$@"
}

into_full() {
	exec "$@" >/dev/full
}

into_nothing() {
	exec "$@" >&-
}

# A full pipe, which is not read before somebody does.
make_stuck() {
	mkfifo "$tmp/stuck"
	exec 8<>"$tmp/stuck"
	dd if=/dev/zero of="$tmp/stuck" bs=4k count=512 oflag=nonblock 2>/dev/null
}

into_stuck_out() {
	make_stuck
	exec >"$tmp/stuck"
	case $1 in
	unsaved) "$@" ;;
	*) exec "$@" ;;
	esac
}

into_stuck_err() {
	make_stuck
	exec 2>"$tmp/stuck"
	case $1 in
	unsaved) "$@" ;;
	*) exec "$@" ;;
	esac
}

# Somebody has left it so that it refuses what it cannot take, and it is read late.
late_reader() {
	make_stuck
	{
		exec 9<"$tmp/stuck" 8>&-
		sleep 1.5
		tr -d '\0' <&9
	} &
	exec 9>"$tmp/stuck" 8>&-
	dd if=/dev/null oflag=nonblock >&9 2>/dev/null
	"$@" >&9 9>&-
	status=$?
	exec 9>&-
	wait
	exit "$status"
}

without_null() {
	needs_root
	exec unshare --mount sh -c 'mount -t tmpfs none /dev && exec "$@"' sh "$@"
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

# An hour passes in the middle, of which the clock that measures knows nothing.
asleep() {
	WRONG_CLOCK_SLEEP=1
	export WRONG_CLOCK_SLEEP
	wrong_clock "$@"
}

in_time() {
	unshare --time true 2>/dev/null || skip "no time namespaces"
	exec unshare --time --fork "$@"
}
