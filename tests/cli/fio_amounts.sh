#!/bin/sh
# SPDX-License-Identifier: MIT
# How much a job of fio does, of which files, and what is said of it: cases that were reported of fio.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
cd "$tmp" || exit 1

says() {
	grep -qF -- "$1" "$tmp/${2:-err}" || {
		fail "no \"$1\""
		show
	}
}

# ios WANTED OPTION...: a sequential read of blocks of 4k.
ios() {
	wanted=$1
	shift
	rm -f -- "$tmp"/a.*
	run fio --name=a --rw=read --bs=4k "$@" --output-format=json
	expect_status 0
	expect_json ".jobs[0].read.total_ios == $wanted"
}

echo "-- filesize bounds size, unless io_size says otherwise"
ios 16 --filesize=64k --size=100k
ios 8 --filesize=64k --size=32k
ios 50 --filesize=64k --size=200k --nrfiles=4
ios 32 --filesize=64k --size=300k --nrfiles=2
ios 12 --filesize=64k --size=100k --offset=16k
ios 50 --filesize=64k --size=300k --io_size=200k

echo "-- size=0 is all of the file, and that is said"
make_file "$tmp/file" 1
ios 256 --filename="$tmp/file" --size=0G
says 'size=0: all of the file or device, as in fio'

echo "-- a region without room for a block"
run fio --name=a --filename="$tmp/file" --rw=read --bs=64k --size=1% --offset=90%
expect_status 2
says 'bs=64k: 65536 bytes are more than the 10485 from offset 983040 on'

printf '[a]\nsize=2g // so much\n' >slashes.fio
run fio --parse-only slashes.fio
expect_status 0
says 'slashes.fio:2:1: size=2g // so much: // begins no comment'

echo "-- names of files add up"
cat >jobs.fio <<'END'
[global]
rw=read
bs=4k
size=48k
filename=one
[a]
filename=two
filename=three
[b]
END
run fio jobs.fio --output-format=json
expect_status 0
says 'jobs.fio:7:1: filename=two: one more beside those named before'
expect_json '[.jobs[].read.total_ios] == [12, 12]'
for name in two three; do
	[ "$(stat -c %s $name)" = 16384 ] || fail "$name: $(stat -c %s $name) bytes"
done

echo "-- one block cannot be read and written"
run run --ioengine=null --rw=rw --bs=1m --size=1m --time_based=0 --quiet
expect_status 0
says '0 IOPS' out
says 'Only 1 I/O was measured (the region has room for 1 block)' out

echo "-- less than 1 KiB/s is still all of it"
run fio --name=a --ioengine=null --rw=read --bs=512 --size=1m --rate_iops=1 --runtime=2 --time_based
expect_status 0
says 'per=100.00%' out

echo "-- the last window of a log"
run fio --name=a --ioengine=null --rw=read --size=1g --time_based --runtime=1 --rate_iops=1000 \
	--write_iops_log=log --log_avg_msec=250 --output=/dev/null
expect_status 0
awk -F, 'NR > 1 && $1 <= last { exit 1 } { last = $1 }' log_iops.1.log || {
	fail "stamps do not rise"
	cat log_iops.1.log
}

echo "-- a long description is whole"
words=$(head -c 2000 /dev/zero | tr '\0' d)
run fio --name=a --ioengine=null --size=1m "--description=$words" --output-format=json
expect_status 0
expect_json '.jobs[0]["job options"].description | length == 2000'

echo "-- fewer requests than libaio may have: nothing starts"
most=$(cat /proc/sys/fs/aio-max-nr 2>/dev/null || echo 0)
jobs=$((most / 32768 + 1))
if [ "$jobs" -gt 1 ] && [ "$jobs" -le 64 ]; then
	run fio --name=a --ioengine=libaio --iodepth=32768 --numjobs=$jobs --bs=512 --rw=read \
		--filename="$tmp/file"
	expect_status 1
	says "libaio: $((jobs * 32768)) requests are to be in flight together"
	says 'fs.aio-max-nr'
	grep -q 'READ:' "$tmp/out" && fail "some of them ran"
fi

if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=16m none small 2>/dev/null; then
	at_end "umount -l '$tmp/small'"
	echo "-- too little room for all files: nothing starts, and nothing is made"
	run fio --name=a --directory=small --size=6m --numjobs=3 --rw=read
	expect_status 1
	says 'laying out small/a.2.0: No space left on device'
	grep -q 'laid out before' "$tmp/err" && fail "something was made"
	[ -z "$(ls small)" ] || fail "left behind: $(ls small)"
	grep -q 'READ:' "$tmp/out" && fail "some of them ran"
fi
finish
