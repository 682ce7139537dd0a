#!/bin/sh
# SPDX-License-Identifier: MIT
# --output and --save: a place that hangs or is full takes no report with it, and nothing that was
# read for the run, or is measured by it, is replaced.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
cd "$tmp" || exit 1
null='--name=x --ioengine=null --size=1g --time_based'

# refused WORDS ARGUMENT...: as bad input, and nothing is left where the report would have been.
refused() {
	words=$1
	shift
	run "$@"
	expect_status 2
	expect_one_line "$words"
}

echo "-- what was read for the run stays"
printf '[x]\nioengine=null\nsize=64k\ninclude rest\n' >job.fio
echo 'bs=4k' >rest
printf '[profile]\nsummary = x\n[one]\nioengine = null\nrw = read\nruntime = 1\n' >own.ini
cat job.fio rest own.ini >before
ln -s job.fio link
for file in job.fio rest ./link; do
	refused 'is the job file' fio job.fio --output="$file"
	refused 'is the job file' fio job.fio --showcmd --output="$file"
done
for option in --output --save; do
	refused 'is the profile' run -p ./own.ini --quiet "$option=own.ini"
done
cat job.fio rest own.ini | cmp -s - before || fail 'a file that was read is another now'

echo "-- and so do targets, those too that are not there yet"
refused 'is the target' run new --size=64k --rw=read --runtime=1 --quiet --output=./new
refused 'is the target' fio --name=x --filename=new --size=64k --output=new --status-interval=1
refused 'is the target' fio --name=x --nrfiles=2 --size=64k --rw=write --output="$tmp/x.0.1"
for name in new x.0.1; do
	[ ! -e "$name" ] || fail "$name was made"
done
head -c 64k /dev/urandom >target
cp target copy
refused 'is a file of [x]' fio --name=x --filename=copy:target --size=64k --showcmd --output=target
refused 'is a file of [x]' fio --name=x --size=64k --showcmd --output=x.0.0
cmp -s target copy || fail 'the command line replaced a file of the job'
run fio --name=x --filename=target --size=64k --showcmd --output=told
expect_status 0
grep -qx 'fio --name=x --filename=target --size=64k' told || fail "told: $(cat told)"
refused '--save as well' run --ioengine=null --size=64k --runtime=1 --save=a.json --output=./a.json \
	--format=json
refused 'is a directory' fio --name=x --ioengine=null --size=64k --output="$tmp"
refused 'is a device' fio --name=x --ioengine=null --size=64k --output=/dev/random

echo "-- what is told goes elsewhere, too"
run fio --name=x --size=64k --showcmd --output=/dev/full
expect_status 1
grep -qx 'fio --name=x --size=64k' out || fail "nothing was told: $(cat out err)"

echo "-- a report that grows is one file, with all the reports in between"
# shellcheck disable=SC2086 # words
run fio $null --runtime=2 --status-interval=500ms --output=grown --output-format=json
expect_status 0
[ "$(jq -s 'length >= 2 and .[-1].jobs[0].job_runtime >= 1500' grown)" = true ] ||
	fail 'reports in between are missing'
[ ! -s out ] || fail "on standard output: $(cat out)"
expect_only job.fio rest own.ini before link target copy told grown

command -v fio >/dev/null && {
	echo "-- several formats: what fio writes, in its order"
	# parts FILE: a word for each part.
	parts() {
		awk '/^fio-/ { print "banner" } /^[0-9];/ { print "terse" } /^{/ { print "json" }
			/groupid=/ { print "normal" } /^Run status/ { print "groups" }' "$1"
	}
	while read -r words; do
		# shellcheck disable=SC2086
		run fio $null --runtime=1 $words --output=ours
		expect_status 0
		# shellcheck disable=SC2086
		fio $null --rate_iops=1000 --runtime=1 $words --output=theirs >/dev/null 2>&1
		parts ours >a
		parts theirs >b
		[ -s a ] && diff a b || fail "$words: other parts than fio's"
	done <<-END
		--output-format=json,normal,terse --status-interval=600ms
		--minimal --output-format=json --append-terse
	END
}

tools=$IOB_BUILDDIR/tests/support
[ -x "$tools/fault_fs" ] || finish
mkdir back dir
"$tools/fault_fs" back dir -f -o fsname=fault_fs 2>/dev/null &
pids="$pids $!"
wait_for 3 mountpoint -q dir || finish
minor=$(awk -v d="$tmp/dir" '$5 == d { sub(".*:", "", $3); print $3 }' /proc/self/mountinfo)
at_end "umount -l '$tmp/dir' 2>/dev/null || fusermount3 -uz '$tmp/dir'"
at_end "echo 1 2>/dev/null >/sys/fs/fuse/connections/$minor/abort"

echo "-- a full file system: the report follows on standard output, and nothing half is left"
echo 'write err 28' >dir/.fault
# shellcheck disable=SC2086
run fio $null --runtime=1 --output=dir/report --output-format=json
expect_status 1
expect_json '.jobs | length == 1'
grep -q 'No space left' err || fail "it is not said: $(cat err)"
grep -q 'goes to standard output instead' err || fail "it is not said: $(cat err)"
[ -z "$(ls back)" ] || fail "left behind: $(ls -A back)"
# shellcheck disable=SC2086
XDG_STATE_HOME=$tmp/state "$program" fio $null --runtime=1 --output=dir/report >/dev/full 2>err
[ $? = 1 ] || fail 'a report that is nowhere is no failure'
jq -e '.jobs | length == 1' state/iotop-bench/fio-*.json >/dev/null || fail "it is lost: $(cat err)"

echo "-- one that hangs: the run goes on, ends, and the report follows on standard output"
echo clear >dir/.fault
echo 'write hang 0' >dir/.fault
# shellcheck disable=SC2086
start fio $null --runtime=2 --status-interval=500ms --output=dir/report --output-format=json
ended_within 20 || fail 'it stays'
expect_status 1
expect_json '.jobs[0].job_runtime >= 1500'
grep -q 'its file system hangs' err || fail "it is not said: $(cat err)"
finish
