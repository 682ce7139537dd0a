#!/bin/sh
# SPDX-License-Identifier: MIT
# What a shell, nohup, cron or a container may hand over: closed streams, limits, ignored signals,
# readers that have stopped reading.  One clear line each, and the run always comes to an end.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

make_file "$tmp/file" 8
f=$tmp/file

# in_shell COMMANDS: with the run command as "$@"; leaves $status, $tmp/out, $tmp/err.
in_shell() {
	echo "-- $1"
	timeout -k 5 60 sh -c "$1" sh "$program" run "$f" --runtime=1 --direct="$direct" --quiet \
		</dev/null >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# says WORD...: the first line on stderr; the report may follow there, having no other place.
says() {
	[ -s "$tmp/out" ] && fail "something on stdout"
	for word in "$@"; do
		head -n 1 "$tmp/err" | grep -qF -e "$word" || {
			fail "the message does not say '$word'"
			show
		}
	done
}

# A report never goes into a file that took the number of a closed stream.
in_shell '"$@" >&-'
expect_status 1
says 'standard output' 'Bad file descriptor'
in_shell '"$@" --format=json >&-'
expect_status 1
says 'Bad file descriptor'
in_shell "\"\$@\" --save=$tmp/saved.json <&- >&- 2>&-"
expect_status 1
expect_json '.iotop_bench.outcome == "complete"' "$tmp/saved.json"
rm -f "$tmp/saved.json"
in_shell 'exec "$@" --format=json <&- 2>&-'
expect_status 0
expect_json '.iotop_bench.outcome == "complete"'

# Limits are told, not died of.
in_shell 'ulimit -f 100; exec "$@"'
expect_status 1
expect_one_line 'ulimit -f'
in_shell 'ulimit -n 5; exec "$@"'
expect_status 1
expect_one_line 'ulimit -n'
in_shell 'ulimit -n 10; exec "$@"'
expect_status 0

echo "-- a report that finds no place is on stdout"
run run "$f" --runtime=1 --direct="$direct" --quiet --format=json --output=/dev/full
expect_status 1
expect_json '.iotop_bench.outcome == "complete"'

echo "-- places for reports are looked at before the run"
for option in --output --save; do
	before=$(date +%s)
	run run "$f" --runtime=100 --direct="$direct" --quiet "$option=$tmp/no/such/file"
	expect_status 2
	expect_one_line "$tmp/no/such/file"
	[ $(($(date +%s) - before)) -lt 50 ] || fail "$option: refused after the run"
done

echo "-- a report never replaces the target"
before=$(sha256sum <"$f")
ln "$f" "$tmp/hard"
ln -s file "$tmp/soft"
for name in file hard soft; do
	for option in --output --save; do
		run run "$f" --runtime=1 --direct="$direct" --quiet "$option=$tmp/$name"
		expect_status 2
		expect_one_line 'is the target'
	done
done
rm "$tmp/hard" "$tmp/soft"
[ "$before" = "$(sha256sum <"$f")" ] || fail "the target was changed"

echo "-- no such CPU"
run run "$f" --runtime=1 --cpus_allowed=1000
expect_status 2
expect_one_line cpus_allowed=1000

echo "-- nohup"
nohup "$program" run "$f" --runtime=2 --direct="$direct" --format=json </dev/null \
	>"$tmp/out" 2>"$tmp/err" &
front=$!
pids="$pids $front"
wait_until_running
kill -HUP "$front"
ended_within 20 || fail "still there after 20 s"
expect_status 0
expect_json '.iotop_bench.outcome == "complete"'

echo "-- quit is a signal as the others"
start run "$f" --runtime=60 --direct="$direct" --format=json
wait_until_running
kill -QUIT "$front"
ended_within 8 || fail "the front stayed for more than 8 s"
expect_status 131
expect_json '.iotop_bench.outcome == "stopped"'

# A pipe that nobody reads: its other end is held open, and it is full.
mkfifo "$tmp/pipe"
exec 8<>"$tmp/pipe"
dd if=/dev/zero of="$tmp/pipe" bs=4096 count=64 oflag=nonblock 2>/dev/null

echo "-- nobody reads the progress"
"$program" run "$f" --runtime=1 --direct="$direct" --format=json </dev/null >"$tmp/out" 2>&8 &
front=$!
pids="$pids $front"
ended_within 20 || fail "a reader that stopped reading the progress stops the run"
expect_status 0
expect_json '.iotop_bench.outcome == "complete"'

# shellcheck disable=SC2317  # called through wait_for
term_ends_it() {
	kill -TERM "$front"
	gone "$front"
}

echo "-- nobody reads the report"
for option in --quiet --output="$tmp/pipe"; do
	env --default-signal=TERM "$program" run "$f" --runtime=1 --direct="$direct" \
		--save="$tmp/saved.json" "$option" </dev/null >&8 2>"$tmp/err" &
	front=$!
	pids="$pids $front"
	wait_for 20 test -s "$tmp/saved.json" || fail "nothing was saved"
	# The first may still come to a run that is just over: then the report is tried.
	wait_for 8 term_ends_it || fail "$option: the signal does not get through"
	ended_within 1
	expect_status 143
	rm -f "$tmp/saved.json"
done
exec 8>&-
expect_only file pipe
finish
