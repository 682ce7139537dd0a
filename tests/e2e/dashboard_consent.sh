#!/bin/sh
# SPDX-License-Identifier: MIT
# The dashboard's question before writing: it says what is there, takes the name alone, and holds for
# nothing that takes its place while it is read.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
. "${IOB_SRCDIR:?}/tests/support/screen.sh"
require cmp

: >"$tmp/out"
: >"$tmp/err"
status=none

# begin TARGET OPTION...: the dashboard.
begin() {
	target=$1
	shift
	type_in "clear; $program '$target' --bs=4k --direct=$direct --runtime=120 --no-save $* 2>$tmp/stderr; echo \"exit=\$?\""
}

# ends STATUS
ends() {
	expect_screen 20 '^exit='
	shows "^exit=$1" || {
		fail "exit status, expected $1"
		screen
	}
}

# answer NAME: the key after it is for whatever comes next.
answer() {
	tm send-keys "$1"
	expect_screen 5 "[|│] *$1 *[|│]"
	tm send-keys Enter
}

# shellcheck disable=SC2317 # called through wait_for
is_asked_anew() {
	screen >"$tmp/screen"
	grep -q OVERWRITE "$tmp/screen" && ! grep -q "[|│] *$1 *[|│]" "$tmp/screen"
}

# A name with the sign at which the question ends.
make_file "$tmp/a;b" 1
make_file "$tmp/other" 1
cp "$tmp/other" "$tmp/copy"
begin "$tmp/a;b" --rw=write
expect_screen 20 OVERWRITE
shows exists || fail "the question does not say what is there"
tm send-keys 'nope' Enter
expect_screen 5 'not it'
tm send-keys C-u
expect_screen 5 'Type'

echo "-- another file takes its place"
mv "$tmp/other" "$tmp/a;b"
answer 'a;b'
wait_for 20 is_asked_anew 'a;b' || {
	fail "it is not asked anew"
	screen
}
cmp "$tmp/a;b" "$tmp/copy" || fail "what nobody agreed to was overwritten"
answer 'a;b'
expect_screen 20 ' RUN '
tm send-keys q
expect_screen 5 'stop and quit'
tm send-keys 3
ends 0
cmp -s "$tmp/a;b" "$tmp/copy" && fail "with consent nothing was written"

[ "$(id -u)" -eq 0 ] || {
	[ "$failures" -eq 0 ] || finish
	skip "files are fine; the rest needs root for a loop device"
}
require losetup mkfs.ext4
truncate -s 32M "$tmp/image"
loop=$(losetup --find --show "$tmp/image" 2>/dev/null) || {
	[ "$failures" -eq 0 ] || finish
	skip "files are fine; no loop device can be had here"
}
at_end "losetup --detach '$loop'"
blockdev --setrw "$loop" # it keeps this from one image to the next
mkfs.ext4 -q -L precious "$loop"
cp "$tmp/image" "$tmp/copy"

echo "-- the first write of a run that reads"
begin "$loop" --rw=randread
expect_screen 20 ' RUN '
tm send-keys w
expect_screen 20 'OVERWRITTEN'
shows precious || {
	fail "the question does not say what is there"
	screen
}
tm send-keys Escape
expect_screen 5 'goes on reading'
tm send-keys q
expect_screen 5 'stop and quit'
tm send-keys 3
ends 0
cmp "$tmp/image" "$tmp/copy" || fail "it was written without consent"
finish
