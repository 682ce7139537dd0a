#!/bin/bash
# SPDX-License-Identifier: MIT
# Do `iotop-bench fio` and fio come to the same figures?  Runs that people publish (whole disks and
# minutes cut down to a file and seconds) go to both in turn, and fio once more, so that what the
# machine itself differs by can be seen.  One row per run and direction: medians and ratios.
set -u

program=${IOB_PROGRAM:?run me by: make beside-fio}
turns=5 seconds=2 place=${TMPDIR:-/var/tmp} size=512m

usage() {
	cat <<END
usage: beside_fio.sh [OPTION...] [RUN...]
  --turns=N       turns of each run ($turns)
  --seconds=N     length of one turn ($seconds)
  --place=DIR     where the file is made ($place)
Runs: $(run_names)
END
}

# NAME OPTION...: as in the articles, but for size, runtime and file.
runs() {
	cat <<'END'
wbw     --numjobs=4 --bs=128k --ioengine=libaio --randrepeat=0 --norandommap --rw=randwrite --iodepth=512 --iodepth_batch=128 --iodepth_batch_complete=128
wlat    --numjobs=1 --bs=4k --ioengine=libaio --norandommap --randrepeat=0 --rw=randwrite --iodepth=1 --iodepth_batch_complete=0
wiops   --numjobs=4 --bs=4k --ioengine=libaio --randrepeat=0 --norandommap --rw=randwrite --iodepth=512 --iodepth_batch=128 --iodepth_batch_complete=128
rbw     --numjobs=4 --bs=128k --ioengine=libaio --randrepeat=0 --norandommap --rw=randread --iodepth=512 --iodepth_batch=128 --iodepth_batch_complete=128
rlat    --numjobs=1 --bs=4k --ioengine=libaio --randrepeat=0 --rw=randread --iodepth=1 --iodepth_batch_complete=0
riops   --numjobs=4 --bs=4k --ioengine=libaio --randrepeat=0 --norandommap --rw=randread --iodepth=512 --iodepth_batch=128 --iodepth_batch_complete=128
read10  --iodepth=1 --ioengine=libaio --rw=randread --bs=4k --numjobs=10
write64 --iodepth=64 --ioengine=libaio --rw=randwrite --bs=4k --numjobs=64
seq30   --iodepth=1 --thread --rw=read --ioengine=psync --bs=16k --numjobs=30
mixed30 --iodepth=1 --thread --rw=randrw --rwmixread=70 --ioengine=psync --bs=16k --numjobs=30
w128    --iodepth=128 --rw=randwrite --ioengine=libaio --bs=4k --numjobs=1
r128    --iodepth=128 --rw=randread --ioengine=libaio --bs=4k --numjobs=1
wseq    --iodepth=32 --rw=write --ioengine=libaio --bs=1024k --numjobs=1
rseq    --iodepth=32 --rw=read --ioengine=libaio --bs=1024k --numjobs=1
rlat1   --iodepth=1 --rw=randread --ioengine=libaio --bs=4k --numjobs=1
rand20  --iodepth=20 --thread --rw=randread --ioengine=libaio --bs=16k --numjobs=2
END
}

run_names() {
	runs | awk '{ printf "%s ", $1 }'
}

wanted=()
for argument in "$@"; do
	case $argument in
	--turns=*) turns=${argument#*=} ;;
	--seconds=*) seconds=${argument#*=} ;;
	--place=*) place=${argument#*=} ;;
	--help) usage && exit 0 ;;
	*)
		[[ " $(run_names)" == *" $argument "* ]] || { usage >&2 && exit 2; }
		wanted+=("$argument")
		;;
	esac
done
for command in fio jq column; do
	command -v "$command" >/dev/null || { echo "beside-fio: $command is not installed" && exit 77; }
done
tmp=$(mktemp -d "$place/iob-beside-XXXXXX") || exit 1
trap 'rm -rf -- "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# Data of fio's own, laid out before any turn: the first one must not pay for it.
make_file() {
	fio --name=lay-out --filename="$tmp/data" --size="$size" --rw=write --bs=1m --end_fsync=1 \
		--output=/dev/null || exit 1
}

# measure WHO COMMAND...: a row per direction with IOPS and mean latency.
measure() {
	local who=$1
	shift
	"$@" --name="$name" --filename="$tmp/data" --size="$size" --direct=1 --group_reporting --time_based \
		--runtime="$seconds" --output-format=json --output="$tmp/out.json" "${options[@]}" \
		>"$tmp/log" 2>&1 </dev/null || { echo "beside-fio: $name: $who failed" && cat "$tmp/log" && exit 1; }
	jq -c --arg run "$name" --arg who "$who" --argjson turn "$turn" '.jobs[0] as $job |
		("read", "write") | . as $rw | $job[$rw] | select(.total_ios > 0) |
		{run: $run, rw: $rw, who: $who, turn: $turn, iops: .iops, ns: .lat_ns.mean}' \
		"$tmp/out.json" >>"$tmp/rows"
}

# The order changes from turn to turn.
one_turn() {
	local ours=(measure ours "$program" fio --allow-write="$tmp/data")
	if [ $((turn % 2)) -eq 0 ]; then
		measure fio fio
		"${ours[@]}"
		measure again fio
	else
		measure again fio
		"${ours[@]}"
		measure fio fio
	fi
}

table() {
	jq -rs '
	def median: sort | .[length / 2 | floor];
	def figure($who; $f): map(select(.who == $who) | .[$f]) | median;
	def hundredths: . * 100 | round / 100;
	["run", "direction", "IOPS ours", "IOPS fio", "ours/fio", "fio/fio", "lat us ours", "lat us fio",
	 "ours/fio", "fio/fio"],
	(group_by([.run, .rw])[] |
	[.[0].run, .[0].rw,
	 (figure("ours"; "iops") | round), (figure("fio"; "iops") | round),
	 (figure("ours"; "iops") / figure("fio"; "iops") | hundredths),
	 (figure("again"; "iops") / figure("fio"; "iops") | hundredths),
	 (figure("ours"; "ns") / 1000 | round), (figure("fio"; "ns") / 1000 | round),
	 (figure("ours"; "ns") / figure("fio"; "ns") | hundredths),
	 (figure("again"; "ns") / figure("fio"; "ns") | hundredths)]) | @tsv' "$tmp/rows" |
		column -t -s $'\t'
}

make_file
: >"$tmp/rows"
while read -r name line; do
	[ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || continue
	read -ra options <<<"$line"
	for ((turn = 1; turn <= turns; turn++)); do
		printf '\r\033[K%s: turn %d of %d' "$name" "$turn" "$turns" >&2
		one_turn
	done
done < <(runs)
printf '\r\033[K' >&2
table
