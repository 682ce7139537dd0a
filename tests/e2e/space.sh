#!/bin/sh
# SPDX-License-Identifier: MIT
# Of a file system 5 % stay free, whatever jobs do together; and what fits is not refused.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
require_root "a small file system is mounted"
mkdir "$tmp/small"
mount -t tmpfs -o size=20m none "$tmp/small" 2>/dev/null || skip "no tmpfs"
at_end "umount -l '$tmp/small'"
cd "$tmp/small" || exit 1

says() {
	grep -qF -- "$1" "$tmp/err" || {
		fail "no \"$1\""
		show
	}
}

# fresh TITLE: an empty file system of 20 MiB, 19 of which may be taken.
fresh() {
	echo "-- $1"
	rm -rf -- ./*
}

writing() {
	run fio --rw=write --bs=64k --ioengine=psync --fallocate=none "$@"
}

# done_and_free STATUS: and the twentieth is there.
done_and_free() {
	expect_status "$1"
	left=$(df -B1k --output=avail . | tail -n 1)
	[ "$left" -ge 1024 ] || fail "only $left KiB are free"
}

refused() {
	done_and_free 1
	says 'No space left on device'
	[ -z "$(find . -type f ! -name sparse)" ] || fail "made before it was refused: $(ls)"
	! grep -q 'WRITE:' "$tmp/out" || fail "some of it ran"
}

fresh "two files that do not fit together"
writing --name=a --size=12m --name=b --size=12m
refused
says '12MiB are for other files of this command'
fresh "two that do"
writing --name=a --size=9m --name=b --size=9m
done_and_free 0
fresh "the second when the first is gone"
writing --name=a --size=12m --unlink=1 --name=b --stonewall --size=12m --file_append=1
done_and_free 0
fresh "the second beside what the first has written"
writing --name=a --size=10m --time_based --runtime=1 --name=b --startdelay=500ms --size=8m --file_append=1
done_and_free 0
fresh "one file of several jobs"
writing --filename=f --numjobs=4 --name=a --size=18m --name=b --size=18m --stonewall
done_and_free 0
fresh "one file of jobs that each write a part of it"
writing --rw=randwrite --filename=f --numjobs=4 --name=a --size=16m --io_size=8m
done_and_free 0

fresh "a file larger than the disk, of which little is written"
run fio --rw=randwrite --bs=4k --ioengine=psync --name=a --size=1g --number_ios=1000 --numjobs=4
done_and_free 0
fresh "and too much"
run fio --rw=randwrite --bs=4k --ioengine=psync --name=a --size=1g --io_size=8m --numjobs=3
refused

fresh "holes of a file that exists"
truncate -s 40M sparse
for command in run "fio --name=a --size=40m"; do
	target=sparse
	[ "$command" = run ] || target=--filename=sparse
	before=$(stat -c %b sparse)
	# shellcheck disable=SC2086
	run $command $target --rw=write --direct=0 --ioengine=psync --runtime=1 --allow-write=sparse
	refused
	says 'filling the holes in sparse'
	[ "$(stat -c %b sparse)" -eq "$before" ] || fail "it was written"
	# shellcheck disable=SC2086
	run $command $target --rw=randwrite --direct=0 --ioengine=psync --number_ios=500 --allow-write=sparse
	done_and_free 0
done
run check sparse --rw=write --direct=0 --allow-write=sparse
expect_status 2
grep -q 'filling the holes in' "$tmp/out" "$tmp/err" || {
	fail "check does not tell"
	show
}

fresh "what is trimmed is filled again"
writing --rw=randtrimwrite --name=a --size=14m --loops=2 --name=b --size=4m --startdelay=200ms
done_and_free 0
finish
