#!/bin/sh
# SPDX-License-Identifier: MIT
# `iotop-bench fio` given what it must not do: nothing is overwritten, nothing is waited for without
# end, nothing reaches the terminal raw, and no report is lost.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
cd "$tmp" || exit 1

# refused STATUS WORDS ARGUMENT...: ends with that status and says that.
refused() {
	want=$1
	words=$2
	shift 2
	timeout -k 5 20 "$program" fio "$@" </dev/null >out 2>err
	status=$?
	[ "$status" -eq "$want" ] || fail "status $status, expected $want: $*: $(cat err)"
	grep -qF -e "$words" err || fail "it does not say '$words': $(cat err)"
}

small() {
	refused "$@" --name=x --size=64k
}

# The report and the logs never replace a target, however the job comes to it.
head -c 64k /dev/urandom >target
cp target copy
small 2 'is the target' --filename=target --output=target
small 2 'is the target' --filename=target --output=target --status-interval=1
refused 2 'is the target' --name=a --size=64k --filename=other --name=b --stonewall --size=64k \
	--filename=target --output=target --output-format=json
cmp -s target copy || fail 'the report replaced its target'
cp target t_bw.2.log
refused 2 'is the target' --name=a --size=64k --filename=t_bw.2.log --name=b --size=64k \
	--filename=target --write_bw_log=t
cmp -s t_bw.2.log copy || fail 'a log replaced the target of another job'

# Places for logs are looked at before anything starts.
small 2 'nothing was started' --write_bw_log=none/x --ioengine=null
small 2 'under /dev' --write_bw_log=/dev/iotop-bench-test --ioengine=null
mkfifo pipe_bw.1.log
small 2 'no regular file' --write_bw_log=pipe --ioengine=null
[ ! -s out ] || fail 'something ran although its log has no place'

# A job that cannot open its target keeps the others from starting: each time, not by chance.
for i in 1 2 3 4 5; do
	refused 2 'neither a regular file' --name=bad --filename=/dev/null --size=64k --name=good \
		--ioengine=null --size=1g --output-format=json
	[ ! -s out ] || fail "try $i: a report although a job could not begin"
done

# What cannot be written is written elsewhere.
small 1 'standard output instead' --ioengine=null --output=/dev/full --output-format=json
jq -e '.jobs | length == 1' out >/dev/null || fail 'the report went nowhere'
"$program" fio --name=x --size=64k --ioengine=null --output-format=json >/dev/full 2>err
[ $? = 1 ] || fail 'a full standard output is no failure'
sed -n '/^{/,/^}/p' err | jq -e '.jobs | length == 1' >/dev/null ||
	fail "the report did not follow on standard error: $(cat err)"

# Includes: no waiting, no end without end.
mkfifo pipe
printf '[x]\ninclude pipe\n' >job.fio
refused 2 'job.fio:2:1: include pipe: this is no regular file' job.fio
i=0
while [ "$i" -lt 15 ]; do
	printf 'include inc%s\ninclude inc%s\n' $((i + 1)) $((i + 1)) >inc$i
	i=$((i + 1))
done
: >inc15
printf '[x]\ninclude inc0\n' >job.fio
refused 2 'more than 1000 files' job.fio

# Names.
small 2 'control character' --name="$(printf 'e\033[31m')"
"$program" fio --name="$(printf 'a\302\233b\377')" --ioengine=null --size=64k \
	--output-format=normal,json,terse >out 2>err || fail "$(cat err)"
grep -q 'a?b?' out || fail 'the name is not shown clean'
LC_ALL=C grep -q "$(printf '\302\233\\|\377')" out err && fail 'a control character came through'
ln -s nowhere link
small 2 'leads nowhere' --filename=good:link
[ ! -e nowhere ] || fail 'something was made through a dangling link'

# Reports in the place of each other, or of the jobs.
printf '[x]\nioengine=null\nsize=64k\n' >job.fio
cp job.fio jobs.before
refused 2 'replace' --output=./job.fio job.fio
cmp job.fio jobs.before || fail 'the report replaced the job file'
refused 2 'replace' --name=x --ioengine=null --size=64k --write_bw_log=log --output=./log_bw.1.log
refused 2 'replace' --name=x --ioengine=null --size=64k --bandwidth-log=log --output=log-read_bw.log

# Each clone fits, all together do not.
refused 1 'run side by side take' --name=x --ioengine=null --size=1g --bs=1g --numjobs=512
refused 2 'not supported yet' --name=x --ioengine=null --size=64k --allow-exec --exec_prerun=true
finish
