#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job in a terminal of 80x24: the graph moves, ] doubles the depth, s saves, q leaves the
# terminal as it was.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
. "${IOB_SRCDIR:?}/tests/support/screen.sh"
require jq

make_file "$tmp/file" 64
: >"$tmp/out"
: >"$tmp/err"
status=none

tm send-keys "stty -a >$tmp/tty.before; $program $tmp/file -p iops --direct=$direct --runtime=120 --save=$tmp/run.json 2>$tmp/stderr; echo \"exit=\$?\"; stty -a >$tmp/tty.after" Enter

expect_screen 15 'QD 32 '
expect_screen 15 '/s'
[ "$(screen | wc -l)" -eq 24 ] || fail "the screen does not have 24 lines"

# The figures move.
screen >"$tmp/first"
# shellcheck disable=SC2317 # called through wait_for
moved() {
	screen >"$tmp/second"
	! cmp -s "$tmp/first" "$tmp/second"
}
wait_for 5 moved || fail "nothing moves"

tm send-keys ']'
expect_screen 10 'QD 64 '
expect_screen 15 'qd 32>64'
# A little below 64: there is none in flight while the worker takes back and hands in.
expect_screen 10 'depth [56][0-9]\.'
tm send-keys '['
expect_screen 10 'QD 32 '

tm send-keys s
wait_for 10 test -s "$tmp/run.json" || fail "s does not save"
expect_json '[.iotop_bench.segments[] | .params.iodepth] | index("64") != null and index("32") != null' \
	"$tmp/run.json"
expect_json '.jobs[0].read.iops > 0' "$tmp/run.json"

tm send-keys '?'
expect_screen 5 'iodepth'
tm send-keys Escape
expect_screen 5 'QD 32 '

# A question while the run is on; its last answer ends both.
tm send-keys q
expect_screen 5 'stop and quit'
tm send-keys 3
expect_screen 20 '^exit='
shows '^exit=0' || {
	fail "exit status"
	screen
}
expect_screen 5 '^ready>'
shows 'QD 32 ' && fail "the dashboard is still on the screen"
wait_for 5 test -s "$tmp/tty.after"
diff "$tmp/tty.before" "$tmp/tty.after" || fail "the settings of the terminal were not restored"

# Ended by a signal: the terminal comes back as well.
tm send-keys 'clear' Enter
tm send-keys "$program $tmp/file -p iops --direct=$direct --runtime=120 --no-save; echo \"exit=\$?\"; stty -a >$tmp/tty.after2" Enter
expect_screen 15 'QD 32 '
front=$(pgrep -f -o "^$program $tmp/file") && kill -TERM "$front"
expect_screen 20 '^exit=143'
wait_for 5 test -s "$tmp/tty.after2"
diff "$tmp/tty.before" "$tmp/tty.after2" || fail "after TERM the terminal was not restored"

# Not a terminal: one line says so, and the run goes on without a screen.
run "$tmp/file" -p iops --direct="$direct" --runtime=1 --quiet
expect_status 0
grep -q IOPS "$tmp/out" || fail "no report without a terminal"
[ "$(grep -c 'no dashboard' "$tmp/err")" -eq 1 ] || {
	fail "stderr does not say once that there is no dashboard"
	show
}
finish
