# SPDX-License-Identifier: MIT
# What the parts of the guest are written with.  A case is a function; `try NAME FUNCTION...` runs it
# and says PASS, SKIP, or FAIL with the first reason.
# shellcheck shell=sh disable=SC2034 # the parts use what is set here

program=/bin/iotop-bench

try() {
	case_name=$1
	shift
	why='' skipped=''
	: >/tmp/out
	: >/tmp/err
	"$@"
	if [ -n "$why" ]; then
		echo "FAIL $case_name: $why"
		readable | sed 's/^/  out: /' | head -n 40
		sed 's/^/  err: /' /tmp/err | head -n 20
	elif [ -n "$skipped" ]; then
		echo "SKIP $case_name: $skipped"
	else
		echo "PASS $case_name"
	fi
}

# Of a report in JSON what matters in a few lines.
readable() {
	jq -c '{outcome: .iotop_bench.outcome, engine: .iotop_bench.engine,
		target: .iotop_bench.target, warnings: .iotop_bench.warnings} +
		(.jobs[0] | {error, read: .read.total_ios, write: .write.total_ios,
			trim: .trim.total_ios, sync: .sync.total_ios})' /tmp/out 2>/dev/null ||
		cat /tmp/out
}

fail() {
	why=${why:-$*}
}

skip() {
	skipped=${skipped:-$*}
}

# wait_for SECONDS COMMAND...
wait_for() {
	tries=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

# disk_of NAME SERIAL: the block device with this number; for NVMe of the first namespace.
disk_of() {
	for disk in /sys/block/*; do
		serial=$(cat "$disk/device/serial" 2>/dev/null)
		[ -n "$serial" ] || serial=$(dd if="$disk/device/vpd_pg80" bs=1 skip=4 2>/dev/null)
		if [ "$(echo "$serial" | tr -d ' ')" = "$1" ]; then
			echo "/dev/${disk##*/}"
			return
		fi
	done
	return 1
}

# sg_of /dev/sdX
sg_of() {
	for node in /sys/block/"${1#/dev/}"/device/scsi_generic/*; do
		echo "/dev/${node##*/}"
	done
}

# ng_of /dev/nvmeXnY
ng_of() {
	echo "/dev/ng${1#/dev/nvme}"
}

all_there() {
	nvme=$(disk_of many) && sd=$(disk_of scsi) && sd4k=$(disk_of blocks4k) &&
		disk_of pulled && [ -b "${nvme%n1}n3" ] && [ -b "$sd" ] && [ -b "$sd4k" ]
}

# Leaves $nvme, $nvme4k, $nvme_bad with $ng, $ng4k, $ng_bad; $sd, $sd4k with $sg, $sg4k.
start_disks() {
	modprobe nvme poll_queues=1
	for module in virtio_pci virtio_scsi sd_mod sg dm-mod; do
		modprobe "$module"
	done
	wait_for 60 all_there || echo "FAIL disks: not all of them came up"
	all_there >/dev/null
	nvme4k=${nvme%n1}n2 nvme_bad=${nvme%n1}n3
	ng=$(ng_of "$nvme") ng4k=$(ng_of "$nvme4k") ng_bad=$(ng_of "$nvme_bad")
	sg=$(sg_of "$sd") sg4k=$(sg_of "$sd4k")
}

# run ARGUMENT...: of "run", to its end; leaves $status, /tmp/out, /tmp/err.
run() {
	timeout 60 "$program" run --quiet --no-save --runtime=0.5 "$@" </dev/null \
		>/tmp/out 2>/tmp/err
	status=$?
}

expect_status() {
	[ "$status" -eq "$1" ] || fail "exit status $status, expected $1"
}

# expect_words FILE WORD...
expect_words() {
	file=$1
	shift
	for word in "$@"; do
		grep -qF -e "$word" "$file" || fail "not said: '$word'"
	done
}

# expect_json EXPRESSION
expect_json() {
	[ "$(jq -r "$1" /tmp/out 2>&1)" = true ] || fail "not true in the JSON: $1"
}

# fill DEVICE BYTE-AS-OCTAL MIB: all of the first part of a disk the same.
fill() {
	dd if=/dev/zero bs=1M count="$3" 2>/dev/null | tr '\0' "\\$2" |
		dd of="$1" bs=1M conv=notrunc 2>/dev/null
	sync
	blockdev --flushbufs "$1"
}

# sum DEVICE [KIB-FROM KIB-COUNT]
sum() {
	blockdev --flushbufs "$1"
	dd if="$1" bs=1k skip="${2:-0}" count="${3:-16384}" 2>/dev/null | md5sum
}
