#!/bin/sh
# SPDX-License-Identifier: MIT
# Bad input: one clear line, exit status 2 (or 1 where the machine says no), nothing left behind.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"

mkdir "$tmp/dir"
make_file "$tmp/dir/file" 16
before=$(ls -lA --time-style=full-iso "$tmp/dir")

nothing_left() {
	after=$(ls -lA --time-style=full-iso "$tmp/dir")
	if [ "$before" != "$after" ]; then
		fail "$*: something was left behind"
		printf 'before: %s\nafter: %s\n' "$before" "$after"
	fi
}

# refused STATUS WORDS ARGUMENT...: words are separated by commas.
refused() {
	want=$1
	words=$2
	shift 2
	echo "-- $*"
	run run --runtime=1 "$@"
	expect_status "$want"
	# shellcheck disable=SC2046 # words
	expect_one_line $(printf '%s' "$words" | tr ',' ' ')
	nothing_left "$*"
}

f=$tmp/dir/file
refused 2 bs,0 "$f" --bs=0
refused 2 bs,4x "$f" --bs=4x
refused 2 bs,-1 "$f" --bs=-1
refused 2 iodepth,0 "$f" --iodepth=0
refused 2 iodepth,100000 "$f" --iodepth=100000
refused 2 rw,foo,randread "$f" --rw=foo
refused 2 runtime,-1 "$f" --runtime=-1
refused 2 size,1e9999 "$f" --size=1e9999
refused 2 numjobs,0 "$f" --numjobs=0
refused 2 ioengine,magic,io_uring "$f" --ioengine=magic
refused 2 iodepht,iodepth "$f" --iodepht=4
refused 2 rwmixread,101 "$f" --rwmixread=101
refused 2 nosuchprofile "$f" --profile=nosuchprofile
refused 2 format,xml "$f" --format=xml
refused 2 "$tmp/dir/missing,size" "$tmp/dir/missing"
refused 2 "$tmp/dir/no/such/dir" "$tmp/dir/no/such/dir/" --size=1m
refused 2 surplus "$f" surplus
if [ "$direct" -eq 1 ]; then
	refused 2 bs,1000 "$f" --bs=1000
fi

echo "-- an unknown subcommand or option, without a run"
run report "$tmp/dir/none.json"
expect_status 1 2
expect_one_line "$tmp/dir/none.json"
printf '{"a": ' >"$tmp/broken.json"
run report "$tmp/broken.json"
expect_status 1 2
expect_one_line broken.json
run params nosuchparameter
expect_status 2
expect_one_line nosuchparameter

echo "-- more than the disk has: refused before a byte is written"
(
	ulimit -f 4194304 # 2 GiB: a program that tries all the same does not fill the disk
	run run "$tmp/dir/new" --rw=read --size=900t --runtime=1
	exit "$status"
)
status=$?
expect_status 1 2
expect_one_line 'space'
nothing_left "a size beyond the free space"

echo "-- a directory without write permission"
mkdir -m 555 "$tmp/locked"
if [ "$(id -u)" -ne 0 ]; then
	run run "$tmp/locked" --size=16m --runtime=1
	expect_status 1
	expect_one_line "$tmp/locked"
elif command -v setpriv >/dev/null && chmod 755 "$tmp" &&
	setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$program"; then
	timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$program" run "$tmp/locked" --size=16m --runtime=1 </dev/null >"$tmp/out" 2>"$tmp/err"
	status=$?
	expect_status 1
	expect_one_line "$tmp/locked"
else
	echo "not tried: the program cannot be run as another user from here"
fi
[ -z "$(ls -A "$tmp/locked")" ] || fail "something was left in the locked directory"

echo "-- a full disk"
mkdir "$tmp/small"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=8m none "$tmp/small" 2>/dev/null; then
	at_end "umount '$tmp/small'"
	run run "$tmp/small" --size=64m --runtime=1 --direct=0 --quiet
	expect_status 1 2
	expect_one_line space
	[ -z "$(ls -A "$tmp/small")" ] || fail "something was left on the full disk"
	run run "$tmp/small/new" --rw=write --size=64m --runtime=1 --direct=0 --quiet
	expect_status 1 2
	expect_one_line space
	[ -z "$(ls -A "$tmp/small")" ] || fail "something was left on the full disk"
else
	echo "not tried: mounting a small file system needs root"
fi

echo "-- a report that cannot be written"
run run "$f" --runtime=1 --quiet --output="$tmp/dir/no/report.txt"
expect_status 1 2
nothing_left "an output that cannot be written"
"$program" run "$f" --runtime=1 --quiet </dev/null >/dev/full 2>"$tmp/err"
status=$?
: >"$tmp/out"
expect_status 1
finish
