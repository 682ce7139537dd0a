#!/bin/sh
# SPDX-License-Identifier: MIT
# What is foreign never reaches a terminal raw: each text of a saved run in turn, names of files and
# the words of a profile, with an escape sequence, C1 controls and a change of direction in it.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq

make_file "$tmp/file" 4
evil='X\u001b[31m\u0007\u009b2J\u202e\r\nY'

# clean FILE...: no C0 but the end of a line, no DEL, no C1, no override.
clean() {
	! LC_ALL=C grep -lP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' "$@" >/dev/null
}

echo "-- a saved run"
run run "$tmp/file" --direct="$direct" --runtime=0.3 --quiet --save="$tmp/run.json"
expect_status 0
jq -c --arg evil "$(printf '"%s"' "$evil" | jq -r .)" '
	. as $run | paths(type == "string") as $p | $run | setpath($p; $evil)' "$tmp/run.json" >"$tmp/all"
said=0 tried=0
while read -r line; do
	printf '%s\n' "$line" >"$tmp/evil.json"
	tried=$((tried + 1))
	for format in text csv; do
		"$program" report "$tmp/evil.json" --format=$format >"$tmp/out" 2>"$tmp/err"
		status=$?
		[ "$status" -gt 2 ] && fail "report: exit status $status"
		[ "$status" -eq 0 ] && said=$((said + 1))
		clean "$tmp/out" "$tmp/err" || {
			fail "raw in the $format report of:"
			jq -c --arg evil X 'paths(type == "string" and startswith($evil))' "$tmp/evil.json"
		}
	done
done <"$tmp/all"
echo "   $tried texts, $said reports"
if [ "$tried" -lt 50 ] || [ "$said" -lt 50 ]; then
	fail "hardly anything was tried"
fi

echo "-- names"
name=$(printf 'a\033[31mb')
for option in "$tmp/$name" "--filename=$tmp/$name" "--profile=$name" "--rw=$name" "--$name=1" \
	"--output=$tmp/no/$name" "--script=$name" "--name=$name"; do
	run run "$option" --ioengine=null --runtime=0.1 --quiet
	clean "$tmp/out" "$tmp/err" || {
		fail "raw: $(printf '%s' "$option" | cat -v)"
		show | cat -v
	}
done

echo "-- a profile"
mkdir "$tmp/profiles"
printf '[profile]\nsummary = a \033[31m b\n[st\033age]\nrw = read\n' >"$tmp/profiles/evil.ini"
printf '[profile]\nsummary = a \033[31m b\n[stage]\nrw = read\nbs = \0334k\n' >"$tmp/profiles/worse.ini"
IOTOP_BENCH_PROFILES=$tmp/profiles
export IOTOP_BENCH_PROFILES
for words in profiles 'profiles evil' 'profiles worse' 'run --profile=evil' 'run --profile=worse'; do
	# shellcheck disable=SC2086 # words
	run $words
	clean "$tmp/out" "$tmp/err" || {
		fail "raw: $words"
		show | cat -v
	}
done
finish
