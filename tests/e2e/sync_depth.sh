#!/bin/sh
# SPDX-License-Identifier: MIT
# Engines that do one request at a time say that iodepth has no effect, and the depth in effect; the
# others do not.  A depth beyond what an engine takes, and a parameter of another engine, are refused.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

make_file "$tmp/file" 16
"$program" engines --format=json >"$tmp/engines" || fail "engines: status $?"

measure() {
	"$program" run "$tmp/file" --ioengine="$1" --direct="$direct" --iodepth=8 --numjobs=2 \
		--rw=read --bs=4k --size=16m --time_based=0 --invalidate=0 --save="$tmp/saved" \
		>"$tmp/out" 2>"$tmp/err"
}

synchronous=0
for engine in $(jq -r '.engines[] | select(.works and .name != "fault") | .name' "$tmp/engines"); do
	measure "$engine" || fail "$engine: status $?: $(cat "$tmp/err")"
	if [ "$(jq ".engines[] | select(.name == \"$engine\") | .max_iodepth" "$tmp/engines")" = 1 ]; then
		synchronous=$((synchronous + 1))
		grep -q '^SYNCDEPTH' "$tmp/out" || fail "$engine: no word that iodepth has no effect"
		grep -q '^depth .*in effect 2' "$tmp/out" ||
			fail "$engine: the depth in effect is not shown: $(grep ^depth "$tmp/out")"
		jq -e '.jobs[0].iodepth_level["1"] > 99' "$tmp/saved" >/dev/null ||
			fail "$engine: iodepth_level is not all at 1"
	elif grep -q 'SYNCDEPTH\|in effect' "$tmp/out"; then
		fail "$engine: it has a depth, and says that it has none"
	fi
done
[ "$synchronous" -ge 6 ] || fail "only $synchronous synchronous engines were tried"

echo "-- deeper than the vectors of one call"
run run "$tmp/file" --ioengine=vsync --iodepth=4096 --direct=0 --rw=read --bs=4k --size=16m \
	--time_based=0 --format=json
expect_status 0
expect_json '.jobs[0].read.io_bytes == 16777216'

two_stages() {
	printf '[profile]\nsummary = two engines\n' >"$tmp/two.ini"
	printf '[one]\nrw = randread\nioengine = %s\niodepth = 8\nruntime = 300ms\n' "$1" >>"$tmp/two.ini"
	printf '[two]\nrw = randread\nioengine = %s\niodepth = %s\nruntime = 300ms\n' "$2" "$3" >>"$tmp/two.ini"
	run run "$tmp/file" --profile="$tmp/two.ini" --direct="$direct"
}

echo "-- each stage has the depth of its own engine"
two_stages vsync psync 8
expect_status 0
[ "$(grep -c '^depth' "$tmp/out")" -eq 2 ] || fail "no depth for each stage"
[ "$(grep '^depth' "$tmp/out" | sed -n 1p | grep -c 'in effect')" -eq 0 ] || fail "vsync has a depth"
[ "$(grep '^depth' "$tmp/out" | sed -n 2p | grep -c 'in effect 1')" -eq 1 ] || fail "psync has none"
two_stages psync vsync 8
expect_status 0
[ "$(grep '^depth' "$tmp/out" | sed -n 1p | grep -c 'in effect 1')" -eq 1 ] || fail "psync has none"
[ "$(grep '^depth' "$tmp/out" | sed -n 2p | grep -c 'in effect')" -eq 0 ] || fail "vsync has a depth"
grep -q '^SYNCDEPTH The engine psync' "$tmp/out" || fail "the first stage's engine is not named"

echo "-- of a wrapper the engine inside is named"
run run "$tmp/file" --ioengine=fault --fault_engine=psync --iodepth=8 --direct="$direct" --runtime=300ms
expect_status 0
grep -q '^SYNCDEPTH The engine psync' "$tmp/out" || fail "the engine inside is not named"

echo "-- what a later stage cannot do is said before the first one starts"
two_stages vsync posixaio 1025
expect_status 2
grep -q 'stage two: iodepth=1025: the engine posixaio takes' "$tmp/err" || fail "$(cat "$tmp/err")"
[ -s "$tmp/out" ] && fail "the first stage was run"

echo "-- too deep"
"$program" run "$tmp/file" --ioengine=posixaio --iodepth=1025 >"$tmp/out" 2>"$tmp/err"
status=$?
[ $status -eq 2 ] || fail "iodepth=1025 with posixaio: status $status"
grep -q 'iodepth=1025: the engine posixaio takes at most 1024' "$tmp/err" || fail "$(cat "$tmp/err")"

echo "-- the parameter of another engine"
"$program" run "$tmp/file" --ioengine=psync --hipri >"$tmp/out" 2>"$tmp/err"
status=$?
[ $status -eq 2 ] || fail "hipri with psync: status $status"
grep -q 'hipri: the engine psync has no such parameter' "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q 'pvsync2' "$tmp/err" || fail "who has it is not said: $(cat "$tmp/err")"
finish
