#!/bin/bash
# SPDX-License-Identifier: MIT
# The program against its rivals, in turn: fio from the distribution, and loops of our own without
# statistics (the ceiling).  One table of medians, spreads and ratios; doc/performance.md explains.
# Run by `make bench BENCH='OPTIONS'`, which sets IOB_PROGRAM and IOB_BUILDDIR.
set -u
export LC_ALL=C.UTF-8

here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P) || exit 1
program=${IOB_PROGRAM:?the program to measure: run this by make bench}
tools=${IOB_BUILDDIR:?where the tools are built}/tests/bench
turns=5 seconds=5 json='' place=${TMPDIR:-/var/tmp}
all=(null-qd32 null-qd1 null-1 null-2 null-8 null-64 null-256 cached-uring cached-psync
	zram-libaio disk-uring dashboard jobs64-memory jobs64-start)

usage() {
	cat <<END
usage: run.sh [OPTION...] [LINE...]
  --quick         3 turns of 1 s each, to see that it works
  --turns=N       turns of each line ($turns)
  --seconds=N     length of one measurement ($seconds)
  --json=FILE     write all figures to FILE
  --place=DIR     where the files to read are made ($place)
Lines: ${all[*]}
END
}

lines=()
for argument in "$@"; do
	case $argument in
	--quick) turns=3 seconds=1 ;;
	--turns=*) turns=${argument#*=} ;;
	--seconds=*) seconds=${argument#*=} ;;
	--json=*) json=${argument#*=} ;;
	--place=*) place=${argument#*=} ;;
	--help) usage && exit 0 ;;
	*)
		[[ " ${all[*]} " == *" $argument "* ]] || { usage >&2 && exit 2; }
		lines+=("$argument")
		;;
	esac
done
[ ${#lines[@]} -gt 0 ] || lines=("${all[@]}")
for command in fio jq column; do
	command -v "$command" >/dev/null || { echo "bench: $command is not installed" && exit 77; }
done

tmp=$(mktemp -d "$place/iob-bench-XXXXXX") || exit 1
zram=
clean_up() {
	[ -z "$zram" ] || echo 1 >"/sys/block/$zram/reset"
	rm -rf -- "$tmp"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
: >"$tmp/figures"

# ---- one measurement -------------------------------------------------------------------------

# note PROGRAM JSON: one row for the statistics.
note() {
	jq -c --arg line "$line" --arg program "$1" --argjson turn "$turn" \
		'{line: $line, program: $program, turn: $turn} + .' <<<"$2" >>"$tmp/figures"
}

fail() {
	echo "bench: $line: $1 failed:" >&2
	tail -5 "$tmp/out" >&2
	exit 1
}

# From fio's tree of JSON, which both write, and what the helper says of the processes.
from_json() {
	note "$1" "$(jq -n --slurpfile run "$2" --slurpfile spent "$tmp/spent" '
		$run[0].jobs[0].read as $read | $spent[0] |
		{iops: $read.iops, cpu_ns: (.cpu_s * 1e9 / $read.total_ios), mem_kib: .peak_kib}')"
}

# spend OPTION... -- COMMAND...
spend() {
	"$tools/spend" "$@" >"$tmp/out" 2>&1 </dev/null
}

measure=()
# The job of the line, which the rivals get as well.
ours() {
	spend "${measure[@]}" "$tmp/spent" "$program" run "${job[@]}" --rw=randread --bs=4k \
		--runtime="$seconds" --quiet --no-save -f json -o "$tmp/run.json" ||
		fail iotop-bench
	from_json iotop-bench "$tmp/run.json"
}

# by_fio NAME OPTION...: all statistics on, as by default.
by_fio() {
	local name=$1
	shift
	spend "${measure[@]}" "$tmp/spent" fio --name=bench --rw=randread --bs=4k --time_based \
		--runtime="$seconds" --group_reporting --output-format=json --output="$tmp/fio.json" \
		"${job[@]}" "$@" || fail "$name"
	from_json "$name" "$tmp/fio.json"
}

# by_raw LOOP [direct]
by_raw() {
	"$tools/$1" "$file" "$seconds" "${@:2}" >"$tmp/out" 2>&1 || fail raw
	note raw "$(sed -n 's/.*: \([0-9]*\) IOPS.*CPU \([0-9.]*\) ns.*/{"iops":\1,"cpu_ns":\2}/p' "$tmp/out")"
}

# ---- what they read --------------------------------------------------------------------------

# A file of data, not of holes and not of promises of the file system.
make_file() {
	file=$tmp/data
	[ -s "$file" ] && return
	dd if=/dev/urandom of="$file" bs=1M count="$1" 2>/dev/null && sync "$file" ||
		{ echo "bench: cannot make a file of $1 MiB in $place" >&2 && exit 1; }
}

make_cached() {
	make_file 256
	cat "$file" >/dev/null
}

# Prints why not, if not.
can_read_directly() {
	make_file 256
	dd if="$file" of=/dev/null bs=4096 count=1 iflag=direct 2>/dev/null ||
		echo "$place has no direct I/O"
}

make_zram() {
	[ "$(id -u)" -eq 0 ] || { echo "needs root" && return; }
	[ -e /sys/block/zram0 ] || modprobe zram 2>/dev/null
	[ -e /sys/block/zram0 ] || { echo "no zram0 here" && return; }
	[ "$(cat /sys/block/zram0/disksize)" = 0 ] || { echo "zram0 is in use" && return; }
	echo 256M >/sys/block/zram0/disksize || { echo "zram0 takes no size" && return; }
	dd if=/dev/urandom of=/dev/zram0 bs=1M count=256 oflag=direct 2>/dev/null
}

# ---- the lines -------------------------------------------------------------------------------

# Before its turns a line says (on standard output) why it must be left out, if it must.
prepare() {
	case $line in
	cached-* | jobs64-*) make_cached ;;
	disk-*) can_read_directly ;;
	zram-*) make_zram ;;
	esac
	[ "$line" != jobs64-start ] || command -v strace >/dev/null || echo "strace is not installed"
}

null_turn() {
	job=(--ioengine=null --size=100g --iodepth="$1" --numjobs="$2")
	ours
	by_fio fio
	by_fio fio-norandommap --norandommap
}

cached_turn() {
	job=(--filename="$file" --direct=0 --invalidate=0 --ioengine="$1" --iodepth="$2")
	ours
	by_raw "$3"
	by_fio fio
	by_fio fio-norandommap --norandommap
}

direct_turn() {
	job=(--filename="$file" --direct=1 --ioengine="$1" --iodepth=32)
	ours
	[ $# -lt 2 ] || by_raw "$2" direct
	by_fio fio
}

dashboard_turn() {
	job=(--ioengine=null --size=100g --iodepth=32)
	ours
	spend --pty="$((seconds + 1))" "$tmp/spent" "$program" "${job[@]}" --rw=randread --bs=4k \
		--runtime="$seconds" --refresh=250ms --save="$tmp/run.json" || fail dashboard
	from_json dashboard "$tmp/run.json"
}

memory_turn() {
	job=(--filename="$file" --direct=0 --invalidate=0 --ioengine=io_uring --iodepth=32
		--numjobs=64)
	measure=(--memory)
	ours
	by_fio fio
	measure=()
}

# start_of PROGRAM COMMAND...: from exec to the first read of the file, as strace sees it.
start_of() {
	local name=$1
	shift
	strace -f -ttt -y --seccomp-bpf -e trace=execve,pread64 -o "$tmp/trace" "$@" \
		>"$tmp/out" 2>&1 </dev/null || fail "$name"
	note "$name" "$(awk -v file="<$file>" 'NR == 1 {start = $2}
		index($0, "pread64(") && index($0, file) {
			printf("{\"start_ms\":%.3f}", ($2 - start) * 1000)
			exit
		}' "$tmp/trace")"
}

start_turn() {
	job=(--filename="$file" --direct=0 --invalidate=0 --ioengine=psync --numjobs=64
		--rw=randread --bs=4k)
	start_of iotop-bench "$program" run "${job[@]}" --number_ios=100 --quiet --no-save
	start_of fio fio --name=bench "${job[@]}" --number_ios=100
}

one_turn() {
	case $line in
	null-qd32) null_turn 32 1 ;;
	null-qd1) null_turn 1 1 ;;
	null-*) null_turn 32 "${line#null-}" ;;
	cached-uring) cached_turn io_uring 32 raw_uring ;;
	cached-psync) cached_turn psync 1 raw_psync ;;
	zram-libaio) direct_turn libaio raw_libaio ;;
	disk-uring) direct_turn io_uring ;;
	dashboard) dashboard_turn ;;
	jobs64-memory) memory_turn ;;
	jobs64-start) start_turn ;;
	esac
}

for line in "${lines[@]}"; do
	file=$tmp/data
	prepare >"$tmp/why"
	if [ -s "$tmp/why" ]; then
		turn=0
		note '' "$(jq -Rs '{skipped: rtrimstr("\n")}' "$tmp/why")"
		continue
	fi
	[ "$line" != zram-libaio ] || { zram=zram0 file=/dev/zram0; }
	for ((turn = 1; turn <= turns; turn++)); do
		printf '\r\033[K%s: turn %d of %d' "$line" "$turn" "$turns" >&2
		one_turn
	done
done
printf '\r\033[K' >&2

host=$(printf '%s, %s x%s, Linux %s' "$(date -u '+%F')" \
	"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$(uname -r)")
jq -s --arg host "$host" --arg fio "$(fio --version)" --arg program "$("$program" --version)" \
	--argjson turns "$turns" --argjson seconds "$seconds" --arg load "$(cut -d' ' -f1-3 /proc/loadavg)" \
	-f "$here/figures.jq" "$tmp/figures" >"$tmp/all.json" || exit 1
[ -z "$json" ] || cp "$tmp/all.json" "$json"
jq -r '"\(.program) against \(.fio), \(.turns) turns of \(.seconds) s\n\(.host), load \(.load)\n"' \
	"$tmp/all.json"
jq -r '.table[] | @tsv' "$tmp/all.json" | column -t -s "$(printf '\t')"
