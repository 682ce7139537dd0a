#!/bin/sh
# SPDX-License-Identifier: MIT
# The dashboard in front of a device that swallows a request: it stays alive, and the terminal comes
# back when the grace time is over, or at once if one insists.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
. "${IOB_SRCDIR:?}/tests/support/screen.sh"

hang="--ioengine=fault --fault_hang_at=1000 --fault_delay=1ms --iodepth=32 --no-save"

echo "-- the run ends by itself: what is out is waited for, then told"
type_in "$program $hang --runtime=2 --grace=1; echo exit=\$?"
expect_screen 15 'QD 32 '
expect_screen 15 'SUMMARY'
expect_screen 5 '1 I/Os did not come back within 1 s'
expect_screen 5 '[1-9][0-9.]*k IOPS'
tm send-keys q
expect_screen 10 '^exit=1'

echo "-- it can be used while a request hangs"
type_in clear
type_in "$program $hang --fault_hang_at=40 --runtime=120 --grace=2; echo exit=\$?"
expect_screen 15 'QD 32 '
tm send-keys '?'
expect_screen 5 'iodepth'
tm send-keys Escape
expect_screen 5 'QD 32 '

echo "-- Ctrl-C: the grace time, then the summary"
tm send-keys C-c
expect_screen 15 'SUMMARY'
expect_screen 5 '1 I/Os did not come back within 2 s'
tm send-keys q
expect_screen 10 '^exit=1'
expect_screen 5 '^ready>'

echo "-- Ctrl-C twice: at once"
type_in clear
type_in "$program $hang --fault_hang_at=40 --runtime=120 --grace=100; echo exit=\$?"
expect_screen 15 'QD 32 '
tm send-keys C-c
expect_screen 10 '| DRAIN' # two at once are one
tm send-keys C-c
expect_screen 10 '^exit=1'
expect_screen 5 '^ready>'
shows 'QD 32 ' && fail "the dashboard is still on the screen"
finish
