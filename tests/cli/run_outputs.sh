#!/bin/sh
# SPDX-License-Identifier: MIT
# Gates, formats and outputs of `run` and `report`: what goes where, and with which exit status.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

null="--ioengine=null --size=64m --runtime=1 --quiet"

echo "-- JSON alone on stdout, progress on stderr"
run run --ioengine=null --size=64m --runtime=1 --format=json
expect_status 0
expect_json '.jobs[0].read.total_ios > 0'
grep -q 'measuring' "$tmp/err" || fail "no progress on stderr"

echo "-- gates"
# shellcheck disable=SC2086 # words
run run $null --min-iops=1 --min-bw=1 --max-lat=10s --max-p99=10s
expect_status 0
[ ! -s "$tmp/err" ] || fail "gates that are kept are talked about"
# shellcheck disable=SC2086
run run $null --min-iops=1000000000000 --max-p99=1ns
expect_status 4
[ "$(wc -l <"$tmp/err")" -eq 2 ] || fail "not one line for each missed gate"
grep -q -- '--min-iops=1000000000000 was missed' "$tmp/err" || fail "which gate was missed?"
grep -q IOPS "$tmp/out" || fail "the report is missing when a gate was missed"

echo "-- several formats into files"
# shellcheck disable=SC2086
run run $null --format=text,json --output="$tmp/report"
expect_status 0
[ ! -s "$tmp/out" ] || fail "something on stdout"
grep -q IOPS "$tmp/report.txt" || fail "no text"
expect_json '.iotop_bench.outcome == "complete"' "$tmp/report.json"

echo "-- a name that has the suffix of one of them already"
run report "$tmp/report.json" --format=text,json --output="$tmp/other.txt"
expect_status 0
[ -s "$tmp/other.txt" ] || fail "no other.txt"
[ -s "$tmp/other.json" ] || fail "no other.json"

echo "-- several formats on standard output would run into each other"
# shellcheck disable=SC2086
run run $null --format=text,json
expect_status 2
expect_one_line "give --output=FILE"
run report "$tmp/report.json" --format=text,json
expect_status 2

echo "-- what cannot be written is refused before the run"
for option in --output="$tmp/none/report" --save="$tmp/none/run.json" --save="$tmp"; do
	# shellcheck disable=SC2086
	run run $null "$option"
	expect_status 2
	expect_one_line "nothing was started"
	grep -q IOPS "$tmp/out" && fail "it ran all the same"
done
[ -z "$(find "$tmp" -name '.iotop-bench*')" ] || fail "the check left a file behind"

echo "-- a report that finds no room goes to the other stream"
# shellcheck disable=SC2086
"$program" run $null >/dev/full 2>"$tmp/err"
status=$?
: >"$tmp/out"
expect_status 1
grep -q '^latency' "$tmp/err" || fail "the report is lost"
# shellcheck disable=SC2086
run run $null --output=/dev/full
expect_status 1
grep -q '^latency' "$tmp/out" || fail "the report is lost"

echo "-- a command that is misspelt is not taken for a target"
run reprot "$tmp/report.json"
expect_status 2
expect_one_line "did you mean report"

echo "-- report prints a saved run in any format, and refuses what is none"
run report "$tmp/report.json" -o "$tmp/again.txt"
expect_status 0
diff -u "$tmp/report.txt" "$tmp/again.txt" || fail "report prints something else"
run report "$tmp/report.json" --output=-
expect_status 0
cmp -s "$tmp/out" "$tmp/report.txt" || fail "--output=- is not the standard output"
run report -f json "$tmp/report.json"
expect_status 0
cmp -s "$tmp/out" "$tmp/report.json" || fail "the JSON of a saved run is not what was saved"
printf '{"fio version": "fio-3.33", "jobs": []}\n' >"$tmp/fio.json"
run report "$tmp/fio.json"
expect_status 2
expect_one_line fio.json
run report
expect_status 2
expect_one_line report
run report "$tmp/report.json" -f xml
expect_status 2
expect_one_line xml
run report "$tmp"
expect_status 2
expect_one_line directory
"$program" report "$tmp/report.json" >/dev/full 2>"$tmp/err"
status=$?
: >"$tmp/out"
expect_status 1
expect_one_line space

echo "-- no report takes the place of the run that it is of, whatever that is called"
cp "$tmp/report.json" "$tmp/saved.csv"
for output in "-o $tmp/saved.csv" "-f text,csv -o $tmp/saved" "-f text,csv -o $tmp/saved.txt"; do
	# shellcheck disable=SC2086 # words
	run report "$tmp/saved.csv" $output
	expect_status 2
	expect_one_line "is the saved run itself"
done
cmp -s "$tmp/saved.csv" "$tmp/report.json" || fail "the saved run was replaced"

echo "-- a range of block sizes survives"
# shellcheck disable=SC2086
run run $null --bsrange=4k-64k --save="$tmp/range.json"
expect_status 0
cp "$tmp/out" "$tmp/range.txt"
run report "$tmp/range.json"
expect_status 0
diff -u "$tmp/range.txt" "$tmp/out" || fail "report prints something else"
finish
