#!/bin/sh
# SPDX-License-Identifier: MIT
# What is saved can be printed again, and is the same; it appears whole or not at all.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

make_file "$tmp/file" 32

run run "$tmp/file" --profile=iops --direct="$direct" --runtime=2 --save="$tmp/run.json"
expect_status 0
expect_json '.iotop_bench.version != null' "$tmp/run.json"
expect_json '.jobs[0].read.total_ios > 0' "$tmp/run.json"
awk 'length > 80' "$tmp/out" | grep . && fail "lines longer than 80 columns"
cp "$tmp/out" "$tmp/first.txt"
cp "$tmp/run.json" "$tmp/saved.json"

run report "$tmp/run.json"
expect_status 0
diff -u "$tmp/first.txt" "$tmp/out" || fail "report prints something else than the run did"

run report "$tmp/run.json" --format=json
expect_status 0
jq -S . "$tmp/saved.json" >"$tmp/a"
jq -S . "$tmp/out" >"$tmp/b"
diff -u "$tmp/a" "$tmp/b" | head -n 40
cmp -s "$tmp/a" "$tmp/b" || fail "the JSON of a saved run is not what was saved"

# Into a file: nothing on stdout.
run run "$tmp/file" --profile=latency --direct="$direct" --runtime=1 --quiet --format=json \
	--output="$tmp/report.json"
expect_status 0
[ ! -s "$tmp/out" ] || fail "--output leaves something on stdout"
[ ! -s "$tmp/err" ] || fail "--quiet leaves something on stderr"
expect_json '.jobs[0].read.total_ios > 0' "$tmp/report.json"

# A save that fails does not touch what was there, and the report is printed all the same.
mkdir "$tmp/target.json"
run run "$tmp/file" --profile=latency --direct="$direct" --runtime=1 --quiet --save="$tmp/target.json"
expect_status 1 2
[ -z "$(ls -A "$tmp/target.json")" ] || fail "something was left in the directory"
cmp -s "$tmp/saved.json" "$tmp/run.json" || fail "an older file was changed"

# One of the two would be lost: before anything is measured, whatever the names and whether there is one.
ln -s . "$tmp/here"
for names in "run.json run.json" "run.json here/run.json" "new here/new" "none.txt,text,json none.json"; do
	other=${names#* }
	name=${names%% *}
	formats=text
	[ "$name" = "${name%,*,*}" ] || formats=text,json
	run run --ioengine=null --size=1m --runtime=0.1 --quiet --format="$formats" \
		--output="$tmp/${name%%,*}" --save="$tmp/$other"
	expect_status 2
	expect_one_line "--save"
done
rm "$tmp/here"
cmp -s "$tmp/saved.json" "$tmp/run.json" || fail "an older file was changed"

expect_only file run.json saved.json first.txt a b report.json target.json
finish
