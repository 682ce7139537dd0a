# SPDX-License-Identifier: MIT
# One cell of the fault matrix; sourced by matrix_test with the row as $1.
# shellcheck shell=sh disable=SC2016,SC2030,SC2031,SC2034,SC2086,SC2116,SC2120,SC2317
# (The functions are called from the rows.)
. "$IOB_SRCDIR/tests/support/e2e.sh"
. "$IOB_SRCDIR/tests/faults/places.sh"
. "$IOB_SRCDIR/tests/faults/under.sh"
. "$IOB_SRCDIR/tests/faults/during.sh"

front=$$
BOUND=25 # seconds that any cell may take, on however busy a machine
tools=$IOB_BUILDDIR/tests/support
dir=$tmp/d
target=

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

# Its workers are there: for those that say nothing.
workers_are_there() {
	find_load_process || return
	set -- "/proc/$load/task"/*
	[ $# -gt 1 ]
}

# FAILED/ALL of fio's jobs, in the report and in what was kept besides.
check_fio_report() {
	for report in "$tmp/out" $(sed -n 's/^iotop-bench: the run is kept in //p' "$tmp/err"); do
		got=$(jq -r '"\([.jobs[] | select(.error != 0)] | length)/\(.jobs | length)"' "$report" 2>&1)
		[ "$got" = "${outcome#fio:}" ] || fail "failed jobs in $report: $got (expected ${outcome#fio:})"
	done
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
	[ -z "${mode:-}${silent:-}" ] || {
		workers_are_there
		return
	}
	grep -q '^iotop-bench: measuring' "$tmp/err"
}

runs_or_is_over() {
	is_running || gone "$front"
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
		[ "$(grep -cvE '^(\[|iotop-bench: (making the file:|[0-9]+ files? (was|were) laid out))' "$tmp/err")" -eq 1 ] ||
			fail "not one line on stderr"
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
		wait_for 10 runs_or_is_over
		is_running || fail "it does not run"
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
