#!/bin/sh
# SPDX-License-Identifier: MIT
# A file that exists is never changed by a read job: content, size, time of change.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require sha256sum

identity() {
	stat -c '%s %y %i %a %b' "$1"
	sha256sum <"$1"
}

# Not a multiple of any block size: its end must stay, too.
make_file "$tmp/file" 32
printf 'the odd end of it' >>"$tmp/file"
before=$(identity "$tmp/file")

unchanged() {
	after=$(identity "$tmp/file")
	if [ "$before" != "$after" ]; then
		fail "$*: the file was changed"
		printf 'before: %s\nafter: %s\n' "$before" "$after"
	fi
}

for arguments in --profile=iops --profile=bandwidth --profile=latency '--profile=iops --numjobs=3' \
	'--rw=read --bs=64k --ioengine=libaio' '--rw=randread --ioengine=psync' \
	'--rw=randread --size=8m --offset=4m' '--rw=read --size=50%'; do
	# shellcheck disable=SC2086 # words
	run run "$tmp/file" $arguments --direct="$direct" --runtime=1 --quiet --format=json
	if [ "$arguments" != "${arguments#*libaio}" ] && grep -q libaio "$tmp/err"; then
		echo "not here: $(cat "$tmp/err")"
		continue
	fi
	expect_status 0
	expect_json '.jobs[0].read.total_ios > 0 and .jobs[0].write.total_ios == 0'
	unchanged "$arguments"
done

# A region that is larger than the file, or begins beyond it, is an error and no reason to grow it.
run run "$tmp/file" --size=1g --direct="$direct" --runtime=1 --quiet
expect_status 2
expect_one_line size
unchanged "a region larger than the file"
run run "$tmp/file" --offset=1g --direct="$direct" --runtime=1 --quiet
expect_status 2
expect_one_line offset
unchanged "a region beyond the end"

expect_only file
finish
