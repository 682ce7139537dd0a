#!/bin/sh
# SPDX-License-Identifier: MIT
# fio's own options, with one dash and two, "=" and a word of its own: what they give, where it goes
# and how it ends; beside fio itself where that is installed.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
cd "$tmp" || exit 1
fio=$(command -v fio)

printf '[global]\nioengine=null\nsize=4k\n[a]\nrw=read\n[b]\nrw=write\n' >jobs.fio
job='--name=a --ioengine=null --size=4k'

# theirs ARGUMENT...: fio's exit status; its standard output is in their.out.
theirs() {
	timeout 20 "$fio" "$@" </dev/null >their.out 2>their.err
	echo $?
}

# tells ARGUMENT...: both succeed and say something on standard output, ours nothing beside.
tells() {
	run fio "$@"
	[ "$status" = 0 ] && [ -s out ] && ! grep -qv ' warning: .*: SHORT' err || {
		fail "fio $*: it should tell something"
		show
	}
	[ -z "$fio" ] && return
	[ "$(theirs "$@")" = 0 ] && [ -s their.out ] || fail "fio $*: fio itself tells nothing"
}

# silent ARGUMENT...: it succeeds without a word.
silent() {
	run fio "$@"
	[ "$status" = 0 ] && [ ! -s out ] && [ ! -s err ] || {
		fail "fio $*: it should be silent"
		show
	}
}

# wrong WORDS ARGUMENT...: both fail; we say why in a line on standard error.
wrong() {
	words=$1
	shift
	run fio "$@"
	expect_status 2 3
	expect_one_line "$words"
	[ -z "$fio" ] && return
	[ "$(theirs "$@")" != 0 ] || fail "fio $*: fio itself succeeds"
}

# ours STATUS WORDS ARGUMENT...: where we differ from fio for a reason (doc/fio-differences.md).
ours() {
	want=$1
	words=$2
	shift 2
	run fio "$@"
	expect_status "$want"
	cat out err | grep -qF -e "$words" || {
		fail "fio $*: not a word of: $words"
		show
	}
}

echo "-- what is told instead of running"
for ask in --version -version -v --help -help -h --cmdhelp --cmdhelp=all -cmdhelp=bs --enghelp -enghelp \
	--enghelp=io_uring -enghelp=io_uring,hipri --debug=help '-debug ?'; do
	# shellcheck disable=SC2086 # words
	tells $ask --nosuch
done
ours 0 "fio-3.33 (iotop-bench" --version
ours 0 "has no options" --enghelp=null
ours 2 "no such engine" --enghelp=nosuch
ours 2 "no such option" --cmdhelp=nosuch
ours 0 "clock:" -cpuclock-test --nosuch
ours 0 "crc16:" -crctest=crc16 --nosuch
ours 2 "no such checksum" --crctest=nosuch
ours 0 "sha3-512" --crctest=help
[ -z "$fio" ] || [ "$(theirs --crctest=help)" = 0 ] || cmp their.out out ||
	fail "other checksums than fio's"
ours 0 "unit work: mean=" -idle-prof calibrate --nosuch
run fio --output=told --cmdhelp=bs
[ -s out ] && fail '--cmdhelp is told in spite of --output'
grep -q ' bs: Length' told || fail "--output is not for --cmdhelp: $(cat told)"

echo "-- what is read and not run"
silent --parse-only
silent -parse-only jobs.fio
tells --showcmd jobs.fio
for both in '--section a' '--section=a' '-section a' '-section=a --section a'; do
	# shellcheck disable=SC2086 # words
	run fio -showcmd $both jobs.fio
	[ "$(cat out)" = 'fio --ioengine=null --size=4k --name=a --rw=read' ] || fail "$both: $(cat out)"
done
[ -z "$fio" ] || [ "$(theirs -showcmd -section a jobs.fio)" != 0 ] || sed 's/ $//' their.out |
	cmp -s - out || fail "fio has $(cat their.out)"
run fio -showcmd --output told jobs.fio
grep -q '^fio --ioengine=null' told || fail "--output is not for --showcmd: $(cat told)"
ours 2 "there is no such section" --showcmd --section=zz jobs.fio
silent --max-jobs 2 --parse-only jobs.fio
ours 2 "--max-jobs=1" -max-jobs=1 --parse-only jobs.fio
wrong "--readonly forbids it" --readonly --parse-only jobs.fio
wrong "--readonly forbids it" -readonly jobs.fio
# shellcheck disable=SC2086 # words
silent -warnings-fatal --parse-only $job
all=
for quiet in --eta=always '-eta never' '--eta auto' --eta-newline=1 '-eta-newline 2s' '--eta-interval 1' \
	--status-interval=100ms '-status-interval 1m' --bandwidth-log -bandwidth-log --minimal -minimal \
	--append-terse -append-terse=1 '--terse-version 4' -terse-version=5 --output-format=json+ \
	'-output-format terse,json' '--idle-prof percpu' -idle-prof=system; do
	# shellcheck disable=SC2086 # words
	silent --parse-only $quiet $job
	all="$all $quiet"
done
# fio takes long to start.
# shellcheck disable=SC2086 # words
[ -z "$fio" ] || [ "$(theirs --parse-only jobs.fio --max-jobs 2 $all)" = 0 ] ||
	fail "fio itself refuses one of$all: $(cat their.err)"

echo "-- what is wrong"
for bad in --nosuch '-nosuch 3' --terse-version=9 '-terse-version x' --output-format=yaml \
	'--output-format json,' --eta-newline=0 '-eta-newline x' --status-interval=0 --status-interval=999us \
	--eta-interval=249ms --idle-prof=x -idle-prof --readonly=1 --parse-only=1 -showcmd=x --minimal=1 \
	--version=1 --output --debug; do
	# shellcheck disable=SC2086 # words
	wrong "argument 1: --" $bad
done
wrong "no job is given"
wrong "nosuch.fio: No such file" nosuch.fio
ours 2 "not one of auto, always, never" --eta=x --parse-only
ours 2 "no class of messages" --debug=nosuch --parse-only
ours 0 "there are no such messages here" --debug=io --parse-only
for gone in --server --server=ip:localhost --client=x '-client x' --daemonize=x --remote-config=x \
	--trigger=x '-trigger-file x' --trigger-timeout=3 --trigger-remote=x --inflate-log=x; do
	# shellcheck disable=SC2086 # words
	ours 2 ": not here: " $gone jobs.fio
done

echo "-- reports"
for format in json '-minimal' terse normal,json 'terse,json,json+,normal'; do
	case $format in
	-*) set -- "$format" ;;
	*) set -- -output-format "$format" ;;
	esac
	# shellcheck disable=SC2086 # words
	run fio "$@" $job
	expect_status 0
	[ -s out ] || fail "$*: no report"
done
# shellcheck disable=SC2086 # words
run fio --output-format=json --append-terse $job
[ "$(head -c 2 out)" = '3;' ] && grep -q '"jobs"' out || fail 'no terse line before the JSON'

echo "-- the line of progress is not among lines for programs, and the figures up to now are right"
set -- --name=a --ioengine=null --size=1g --rate_iops=500 --runtime=700ms --time_based --eta=always \
	--eta-interval=250ms
run fio "$@" --output-format=json
grep -q 'Jobs: ' out && fail 'a line of progress in JSON'
run fio "$@" --output=f --output-format=terse --status-interval=250ms
grep -q 'Jobs: 1' out || fail 'no line of progress beside --output'
[ "$(grep -c '^3;fio' f)" -ge 2 ] || fail 'no reports in between'
# IOPS of the reads: 500 a second, whenever it is asked.
cut -d';' -f8 f | while read -r iops; do
	[ "$iops" -ge 250 ] && [ "$iops" -le 750 ] || echo "$iops"
done >off
[ ! -s off ] || fail "IOPS of reports in between: $(cat off)"
finish
