#!/bin/sh
# SPDX-License-Identifier: MIT
# What `fio` says of job files and command lines without running them, and job files for `run`.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"

cat >"$tmp/jobs.fio" <<'END'
[global]
ioengine=null
size=64m	; a comment
thread
[one]
blocksize=8k
description=two words
[global]
time_based
runtime=10sec
[two]
stonewall
END

says() {
	grep -qF -- "$1" "$tmp/$2" || fail "no \"$1\" in: $(cat "$tmp/$2")"
}

echo "-- showcmd gives a command line that gives the same jobs"
run fio --showcmd "$tmp/jobs.fio"
expect_status 0
says "fio --ioengine=null --size=64m --thread --name=one --bs=8k --description='two words' --name=two --time_based --runtime=10sec --stonewall" out
says "jobs.fio:10:1: runtime=10sec: fio does not know this unit" err
cp "$tmp/out" "$tmp/first"
eval "run $(cat "$tmp/first") --showcmd"
expect_status 0
cmp -s "$tmp/first" "$tmp/out" || fail "another command line: $(cat "$tmp/out")"

# Not one of them is "no such option".
if command -v fio >/dev/null; then
	echo "-- every option of fio is known"
	{
		fio --cmdhelp=all
		for engine in io_uring libaio pvsync2 mmap sg io_uring_cmd; do
			fio --enghelp=$engine
		done
	} 2>/dev/null | sed -n 's/^ *\([a-z][a-z_-]*[a-z]\) *:.*/\1/p' | sort -u >"$tmp/fios"
	[ "$(wc -l <"$tmp/fios")" -gt 150 ] || fail "which options has fio? $(cat "$tmp/fios")"
	"$program" fio --cmdhelp=all | sed -n 's/^ *\([a-z][a-z_-]*[a-z]\) *:.*/\1/p' | sort -u >"$tmp/known"
	for name in $(comm -13 "$tmp/known" "$tmp/fios"); do
		run fio --cmdhelp="$name"
		expect_status 0
	done
fi

echo "-- what is accepted without effect has its value as a word, too"
run fio --name=a --ioengine=null --clocksource cpu --userspace_reap --log_entries 1024 --size=1m --parse-only
expect_status 0

echo "-- warnings, notes, errors"
run fio --parse-only --warnings "$tmp/jobs.fio"
expect_status 0
says "note: " err
run fio --parse-only --warnings-fatal "$tmp/jobs.fio"
expect_status 2
says "1 warning, and --warnings-fatal" err
printf '[a]\n\tiodepth=4x\n' | "$program" fio --parse-only - 2>"$tmp/err"
says '<stdin>:2:2: iodepth=4x: "x" is not a unit' err
run fio --name=a --ioengine=nulll --parse-only
expect_status 2
says "argument 2: ioengine=nulll: no such engine; there are " err
run fio --name=a --ioengine=null --hipri --size=1m --parse-only
expect_status 2
says "argument 3: hipri: the engine null has no such parameter" err
run fio --name=a --rw=write --readonly --parse-only
expect_status 3
says "argument 2: [a] writes or trims, and --readonly forbids it" err
run fio --name=a
expect_status 2
says "[a] has no filename and no size" err
run fio --rw=read
expect_status 2
says "no job is given" err
run fio --name=x --ioengine=rbd --pool=rbd --rbdname=y
expect_status 2
says "argument 2: ioengine=rbd: no engine of this program" err
printf '[a]   bs=4k\n' | "$program" fio --parse-only - 2>"$tmp/err"
says '<stdin>:1:1: [a]   bs=4k: something stands behind [a]; options have lines of their own' err
run fio --showcmd --rw=read --bs=8k
expect_status 0
says "fio --rw=read --bs=8k" out
run fio --client=x "$tmp/jobs.fio"
expect_status 2
says "not here" err

printf '[a]\n[b]\nrw=write\n' >"$tmp/letters.fio"
run fio -x b -s "$tmp/letters.fio"
expect_status 0
grep -q 'name=a' "$tmp/out" && fail "-x b: it is not for one section"
says "fio --name=b --rw=write" out
run fio -l log --name=a --size=1m
expect_status 2
says "write_lat_log=PREFIX" err

echo "-- help"
for words in --help --version --cmdhelp=all --cmdhelp=bs --cmdhelp=verify --enghelp \
	--enghelp=io_uring --enghelp=io_uring,hipri --crctest=crc32c --cpuclock-test; do
	run fio "$words"
	expect_status 0
	[ -s "$tmp/out" ] || fail "$words says nothing"
done
run fio --version
says "fio-3.33 (iotop-bench" out
for default in rw=read ioengine=psync direct=0 time_based=0 iodepth=1; do
	run fio --cmdhelp="${default%=*}"
	says "default: ${default#*=}" out
done
run fio --enghelp=libaio,userspace_reap
expect_status 0
says "accepted without effect" out
run fio --cmdhelp=iodpeth
expect_status 2
says "did you mean iodepth?" err

echo "-- run takes job files as stages"
run run --jobfile="$tmp/jobs.fio" --runtime=100ms --time_based=1 --quiet --no-save
expect_status 0
says "stage 2 of 2: two" out
grep -q random "$tmp/out" && fail "the defaults are not fio's"
run run --jobfile="$tmp/jobs.fio" --section=no --quiet
expect_status 2
says "there is no such section" err
run run --jobfile="$tmp/jobs.fio" --profile=iops --quiet
expect_status 2
run run --stonewall --quiet
expect_status 2
says "for job files only" err
finish
