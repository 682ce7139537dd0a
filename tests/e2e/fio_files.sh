#!/bin/sh
# SPDX-License-Identifier: MIT
# Which files the jobs of `fio` work on, how they are called, and which of them stay.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
cd "$tmp" || exit 1

# The files there are, on one line, after a run that succeeds.
files_of() {
	rm -rf here
	mkdir here
	cd here || exit 1
	"$program" fio "$@" >../out 2>../err || fail "$*: $(cat ../err)"
	echo *
	cd ..
}

echo "-- each filename adds to those before it"
cat >two.fio <<'END'
[global]
filename=a
filename=b
size=64k
rw=write
[x]
[y]
stonewall
filename=c
END
[ "$(files_of ../two.fio --output-format=json)" = 'a b c' ] || fail "not all of the files are used"
grep -q 'filename=b: one more beside those named before (a)' err || fail "no word of it: $(cat err)"
[ "$(jq -c '[.jobs[].write.io_bytes]' out)" = '[65536,65536]' ] || fail "another size: $(cat out)"
[ "$(files_of --filename=a --size=64k --name=x --filename=b)" = 'a b' ] ||
	fail "the command line's filename is lost"

[ "$(files_of --filename=a --size=64k --rw=write --name=x --filename=a --output-format=json)" = a ] ||
	fail "a file that is named twice"
[ "$(jq -c .jobs[0].write.io_bytes out)" = 65536 ] || fail "not all of it is done: $(cat out)"

echo "-- files are named after the section, whatever name= says"
printf '[section]\nname=shown\nsize=64k\nwrite_bw_log\n' >name.fio
[ "$(files_of ../name.fio)" = 'section.0.0 shown_bw.1.log' ] || fail "names: $(ls here)"
grep -q '^shown: (groupid=0' out || fail "the name is not shown"

echo "-- unlink removes what an earlier job of ours made, and nothing else"
[ "$(files_of --size=64k --rw=write --filename=a --name=x --name=y --stonewall --unlink=1)" = '*' ] ||
	fail "the file stays"
[ "$(grep -c 'Laying out' out)" = 1 ] || fail "it was laid out more than once: $(cat out)"
mkdir theirs
echo precious >theirs/file
"$program" fio --name=x --size=4 --bs=4 --filename=theirs/file --unlink=1 >out 2>err ||
	fail "reading: $(cat err)"
[ "$(cat theirs/file)" = precious ] || fail "a file of somebody else's is gone"

echo "-- --readonly makes no file, and none longer"
for file in theirs/new theirs/file; do
	"$program" fio --name=x --size=64k --filename=$file --readonly >out 2>err
	[ $? = 2 ] || fail "$file: status $?"
	grep -q -- '--readonly forbids to make it' err || fail "$file: $(cat err)"
	! grep -q 'Laying out' out || fail "$file is told as laid out"
done
[ "$(ls theirs)" = file ] || fail "a file was made"

echo "-- create_only has a report"
[ "$(files_of --create_only=1 --filename=a --size=64k --name=x --output-format=json)" = a ] ||
	fail "no file"
[ "$(jq -r '.jobs[0].read.io_bytes' out)" = 0 ] || fail "no report: $(cat out)"
finish
