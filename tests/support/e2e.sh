# SPDX-License-Identifier: MIT
# Helpers of the end-to-end scripts; to be sourced.  Each script begins with
#	. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
# and ends with `finish`; one that has called `fail` fails even if it forgets that, or skips its rest.
# What it makes lies under $tmp, which goes away at the end; what must be undone besides that is said
# with `at_end`.
# shellcheck shell=sh
set -u

program=${IOB_PROGRAM:?the program to test}
failures=0
undo=
pids=

skip() {
	echo "$*"
	exit 77
}

fail() {
	echo "FAIL: $*"
	failures=$((failures + 1))
}

finish() {
	[ "$failures" -eq 0 ]
	exit
}

at_end() {
	undo="$*; $undo"
}

# Called by the traps.  What has failed counts, however the script came to its end.
clean_up() {
	status=$?
	trap - EXIT
	case $failures,$status in
	0,*) ;;
	*,0 | *,77) status=1 ;;
	esac
	for pid in $pids; do
		kill -CONT "$pid" 2>/dev/null
		kill -KILL "$pid" 2>/dev/null
	done
	eval "$undo"
	rm -rf -- "$tmp"
	exit "$status"
}

require() {
	for command in "$@"; do
		command -v "$command" >/dev/null || skip "$command is not installed"
	done
}

require_root() {
	[ "$(id -u)" -eq 0 ] || skip "needs root: $*"
}

[ -z "${IOB_QUICK:-}" ] || skip "left out: IOB_QUICK is set"

tmp=
for place in "${TMPDIR:-/tmp}" /var/tmp; do
	# Not on a file system without direct I/O, if there is another.
	[ -n "$tmp" ] && rm -rf -- "$tmp"
	tmp=$(mktemp -d "$place/iob-e2e-XXXXXX") || exit 1
	direct=0
	if dd if=/dev/zero of="$tmp/probe" bs=4096 count=1 oflag=direct 2>/dev/null; then
		direct=1
		break
	fi
done
rm -f -- "$tmp/probe"
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

require_direct() {
	[ "$direct" -eq 1 ] || skip "no direct I/O under $tmp"
}

# make_file PATH MIB: a file of data that cannot be compressed, on the disk.
make_file() {
	dd if=/dev/urandom of="$1" bs=1M count="$2" 2>/dev/null && sync "$1" ||
		skip "cannot make a file of $2 MiB under $tmp"
}

# loop_device FILE [OPTION...]: one that can be written, until the end; leaves $loop.  False where none
# is to be had, as for all but root.
loop_device() {
	image=$1
	shift
	loop=$(losetup --find --show "$@" "$image" 2>/dev/null) || return 1
	at_end "losetup --detach '$loop'"
	blockdev --setrw "$loop" # it keeps this from one image to the next
}

# wait_for SECONDS COMMAND...: until the command succeeds; false when the time is over.
wait_for() {
	tries=$(($1 * 20))
	shift
	while ! "$@" 2>/dev/null; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.05
	done
}

# run ARGUMENT...: to the end; leaves $status, $tmp/out, $tmp/err.
run() {
	timeout -k 5 120 "$program" "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# start ARGUMENT...: in the background, with signals as in a terminal; leaves $front.
start() {
	env --default-signal=INT,QUIT,HUP,TERM "$program" "$@" </dev/null >"$tmp/out" 2>"$tmp/err" &
	front=$!
	pids="$pids $front"
}

gone() {
	case $(cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null) in
	'' | Z) return 0 ;;
	esac
	return 1
}

# ended_within SECONDS: waits for the front; leaves $status; false (and it is killed) if it stays.
ended_within() {
	if ! wait_for "$1" gone "$front"; then
		kill -KILL "$front"
		wait "$front"
		status=$?
		return 1
	fi
	wait "$front"
	status=$?
}

# Without starting a process where the kernel tells: on a busy machine that takes longer than a run.
find_load_process() {
	load=''
	children=''
	{ read -r children <"/proc/$front/task/$front/children"; } 2>/dev/null
	[ -n "$children" ] || children=$(pgrep -P "$front")
	for child in $children; do
		comm=''
		{ read -r comm <"/proc/$child/comm"; } 2>/dev/null
		# It has its name soon; others write the logs of `fio`, or ask something once.
		case $comm in
		iotop-bench-io) load=$child && break ;;
		iotop-bench-log) ;;
		*) load=${load:-$child} ;;
		esac
	done
	[ -n "$load" ]
}

# progress REGULAR-EXPRESSION: has a progress line said so?
progress() {
	find_load_process && grep -q "$1" "$tmp/err"
}

# Measuring goes on, and figures have arrived; leaves $load.
wait_until_running() {
	wait_for 30 progress '^\[RUN\].* r [1-9]' || {
		fail "no figures are seen in the progress"
		status=none
		show
		finish
	}
}

show() {
	echo "  status $status"
	sed 's/^/  out: /' "$tmp/out" | head -n 40
	sed 's/^/  err: /' "$tmp/err" | head -n 40
}

expect_status() {
	for want in "$@"; do
		[ "$status" = "$want" ] && return 0
	done
	fail "exit status $status, expected $*"
	show
}

# expect_one_line WORD...: one line on stderr that begins with the program's name and holds each
# word; nothing on stdout.
expect_one_line() {
	if [ -s "$tmp/out" ]; then
		fail "something on stdout"
		show
	fi
	if [ "$(wc -l <"$tmp/err")" -ne 1 ] || ! grep -q '^iotop-bench: ' "$tmp/err"; then
		fail "not exactly one line of 'iotop-bench: ...' on stderr"
		show
	fi
	for word in "$@"; do
		grep -qF -e "$word" "$tmp/err" || {
			fail "the message does not say '$word'"
			show
		}
	done
}

# expect_only NAME...: nothing else may lie in $tmp.
expect_only() {
	for entry in "$tmp"/* "$tmp"/.[!.]*; do
		[ -e "$entry" ] || continue
		case " $* out err " in
		*" ${entry##*/} "*) ;;
		*) fail "left behind: $entry" ;;
		esac
	done
}

# json EXPRESSION [FILE]: what jq says about the report.
json() {
	jq -r "$1" "${2:-$tmp/out}"
}

# expect_json EXPRESSION [FILE]: must be true.
expect_json() {
	[ "$(json "$1" "${2:-$tmp/out}" 2>&1)" = true ] || {
		fail "not true in the JSON: $1"
		head -c 600 "${2:-$tmp/out}"
		sed 's/^/  err: /' "$tmp/err" | head -n 20
	}
}
