#!/bin/sh
# SPDX-License-Identifier: MIT
# `compare`, and `report` of fio's own JSON.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"

null="--ioengine=null --size=64m --runtime=300ms --quiet"

# shellcheck disable=SC2086 # words
"$program" run $null --save="$tmp/a.json" >/dev/null || fail "no run to compare"
# shellcheck disable=SC2086
"$program" run $null --iodepth=4 --save="$tmp/b.json" >/dev/null || fail "no run to compare"

echo "-- side by side"
run compare "$tmp/a.json" "$tmp/b.json"
expect_status 0
grep -q '^A  .*a.json  (noise unknown' "$tmp/out" || fail "what is A, and how noisy?"
grep -qE '^IOPS .* x[0-9.]+ \?$' "$tmp/out" || fail "no ratio of IOPS"
grep -q '^differs: iodepth  *A .*B 4$' "$tmp/out" || fail "the depth was another"
grep -q ' $' "$tmp/out" && fail "blanks at the end of a line"
run compare "$tmp/a.json" "$tmp/b.json" "$tmp/a.json"
expect_status 0
grep -q '^IOPS .*x1.000$' "$tmp/out" || fail "a run against itself is no difference"

echo "-- fio's JSON, as it is"
cat >"$tmp/fio.json" <<'EOF'
note: something
{
"fio version" : "fio-3.33", "timestamp" : 1700000000, "jobs" : [ { "jobname" : "j",
"job options" : { "rw" : "randread", "bs" : "8k" },
"read" : { "io_bytes" : 8192000, "io_kbytes" : 8000, "bw_bytes" : 8192000, "iops" : 1000.0,
"runtime" : 1000, "total_ios" : 1000, "lat_ns" : { "min" : 1000, "max" : 9000, "mean" : 2000.0,
"stddev" : 10.0, "N" : 1000 } } } ] }
EOF
run report "$tmp/fio.json"
expect_status 0
grep -q '^read .*1000 IOPS' "$tmp/out" || fail "not fio's figures"
grep -q 'random reads of 8k' "$tmp/out" || fail "not fio's job"
run compare "$tmp/a.json" "$tmp/fio.json"
expect_status 0
grep -q 'differs: bs  *A 4k   B 8k' "$tmp/out" || fail "the block size was another"

echo "-- what makes no sense"
run compare "$tmp/a.json"
expect_status 2
expect_one_line "two to 8 saved runs"
run compare "$tmp/a.json" "$tmp/none.json"
expect_status 1
expect_one_line none.json
run compare --fast "$tmp/a.json" "$tmp/b.json"
expect_status 2
expect_one_line "no such option"
# Names reach the terminal clean; what has no end is not read; the run itself is not replaced.
name=$(printf 'run\033[31m.json')
"$program" run --ioengine=null --runtime=0.2 --no-save --format=json --output="$tmp/one.json" \
	2>/dev/null || fail 'no run'
cp "$tmp/one.json" "$tmp/$name"
run compare "$tmp/one.json" "$tmp/$name"
expect_status 0
grep -qF 'run?[31m.json' "$tmp/out" || fail 'the name of a file came through raw'
run report /dev/zero
expect_status 2
expect_one_line 'is a device'
run report "$tmp/one.json" --output="$tmp/one.json"
expect_status 2
expect_one_line 'the saved run itself'
expect_json '.jobs | length == 1' "$tmp/one.json"
finish
