# SPDX-License-Identifier: MIT
# Rows of run.sh in (one object each), medians and ratios out.  A ratio is the median of the ratios
# of the turns, since the machine drifts from turn to turn.

# What the design asks for: a figure of ours, against a rival's if there is one.
def demands: [
	{line: "null-qd32", figure: "ns", most: 40},
	{line: "null-qd32", figure: "iops", rival: "fio", least: 10},
	{line: "cached-uring", figure: "iops", rival: "raw", least: 0.95},
	{line: "cached-uring", figure: "iops", rival: "fio", least: 1.8},
	{line: "cached-psync", figure: "iops", rival: "raw", least: 0.95},
	{line: "cached-psync", figure: "iops", rival: "fio", least: 1.25},
	{line: "zram-libaio", figure: "iops", rival: "raw", least: 0.95},
	{line: "zram-libaio", figure: "iops", rival: "fio", least: 1.8},
	{line: "disk-uring", figure: "iops", rival: "fio", least: 0.98},
	{line: "disk-uring", figure: "cpu_ns", rival: "fio", most: 0.6},
	{line: "dashboard", figure: "iops", ours: "dashboard", rival: "iotop-bench", least: 0.99},
	{line: "jobs64-memory", figure: "mem_kib", rival: "fio", most: 1},
	{line: "jobs64-start", figure: "start_ms", most: 50}
];

def figures: ["iops", "ns", "cpu_ns", "mem_kib", "start_ms"];

def median: sort | if length == 0 then null
	elif length % 2 == 1 then .[(length - 1) / 2]
	else (.[length / 2 - 1] + .[length / 2]) / 2 end;

def summary: {median: median, min: min, max: max,
	spread: (if median > 0 then (max - min) / median else 0 end)};

def round_to($digits): . as $x | pow(10; $digits) as $p | ($x * $p | round) / $p;

def ratio($rows; $figure; $ours; $rival):
	[$rows[] | select(.program == $ours)] as $a
	| [$rows[] | select(.program == $rival)] as $b
	| [$a[] as $x | $b[] | select(.turn == $x.turn) | $x[$figure] / .[$figure]] | median;

def judge($rows):
	. as $d
	| ($d.ours // "iotop-bench") as $ours
	| (if $d.rival then ratio($rows; $d.figure; $ours; $d.rival)
	   else [$rows[] | select(.program == $ours) | .[$d.figure]] | median end) as $value
	| $d + {ours: $ours, value: $value,
		met: (if $d.least then $value >= $d.least else $value <= $d.most end)};

def demand_text:
	"\(.figure)\(if .rival then " / \(.rival)" else "" end) \(.value | round_to(3))" +
	" (\(if .least then "at least \(.least)" else "at most \(.most)" end)): " +
	(if .met then "met" else "MISSED" end);

def number: if . == null then "-" elif . >= 1000 then round | tostring
	else round_to(1) | tostring end;

def table:
	["line", "program", "IOPS", "spread", "ns", "CPU ns", "memory KiB", "start ms", "IOPS ratio",
	 "CPU ratio"],
	(.[] | .line as $line
	| if .skipped then [$line, "skipped: \(.skipped)"] else
		(.programs[] | [$line, .program, (.iops.median | number),
			(if .iops.spread then "\(.iops.spread * 100 | round)%" else "-" end),
			(.ns.median | number), (.cpu_ns.median | number), (.mem_kib.median | number),
			(.start_ms.median | number), (.ratio | if . then round_to(3) else "-" end),
			(.cpu_ratio | if . then round_to(3) else "-" end)]),
		(.demands[] | [$line, "  " + demand_text])
	end);

map(if .iops then .ns = 1e9 / .iops else . end | if .mem_kib == 0 then del(.mem_kib) else . end)
| group_by(.line) as $groups
| ([.[].line] | reduce .[] as $l ([]; if index($l) then . else . + [$l] end)) as $order
| [$order[] as $name | $groups[] | select(.[0].line == $name) | . as $rows
	| if .[0].skipped then {line: $name, skipped: .[0].skipped} else
	{line: $name,
	 programs: ([.[].program] | reduce .[] as $p ([]; if index($p) then . else . + [$p] end)
		| map(. as $p | [$rows[] | select(.program == $p)] as $own
			| {program: $p} + ([figures[] as $f | [$own[] | .[$f] // empty]
				| select(length > 0) | {key: $f, value: summary}] | from_entries)
			| if $p != "iotop-bench" and .iops
			  then .ratio = ratio($rows; "iops"; "iotop-bench"; $p)
				| .cpu_ratio = ratio($rows; "cpu_ns"; "iotop-bench"; $p) else . end)),
	 demands: [demands[] | select(.line == $name) | judge($rows)]} end]
| . as $lines
| {program: $program, fio: $fio, host: $host, load: $load, turns: $turns, seconds: $seconds,
	lines: $lines, table: [$lines | table]}
