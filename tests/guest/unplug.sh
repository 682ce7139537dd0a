# SPDX-License-Identifier: MIT
# Disks that go away while they are used.
# shellcheck shell=sh disable=SC2154 # support.sh

# gone SERIAL PULL ENGINE KIND: KIND is which node the engine takes (disk, ng, sg).
gone() {
	disk=$(disk_of "$1") || {
		fail "no disk $1"
		return
	}
	case $4 in
	ng) target=$(ng_of "$disk") ;;
	sg) target=$(sg_of "$disk") ;;
	*) target=$disk ;;
	esac
	timeout 120 "$program" run "$target" --no-save --ioengine="$3" --iodepth=4 --bs=4k \
		--runtime=60 </dev/null >/tmp/out 2>/tmp/err &
	running=$!
	wait_for 60 grep -q '\[RUN\]' /tmp/err || fail "it never ran"
	"$2" "$1" "$disk"
	began=$(cut -d. -f1 /proc/uptime)
	wait "$running"
	status=$?
	expect_status 1
	lasted=$(($(cut -d. -f1 /proc/uptime) - began))
	[ "$lasted" -lt 45 ] || fail "it went on for $lasted s after the disk had gone"
	grep -qiE 'gone|No such device|vanished|does not answer|removed|lost' /tmp/out /tmp/err ||
		fail "nothing says that the disk has gone"
	back "$1" || fail "the disk did not come back for the next case"
}

pull_by_host() {
	echo "HOST device_del pulled"
}

remove_by_sysfs() {
	echo 1 >"/sys/block/${2#/dev/}/device/device/remove"
}

delete_scsi() {
	echo 1 >"/sys/block/${2#/dev/}/device/delete"
}

# Those that are still plugged in can be looked for again.
back() {
	[ "$1" != pulled ] || return 0
	echo 1 >/sys/bus/pci/rescan
	for host in /sys/class/scsi_host/host*; do
		echo '- - -' >"$host/scan"
	done
	wait_for 30 disk_of "$1"
}

try 'io_uring_cmd: the disk is removed' gone removed remove_by_sysfs io_uring_cmd ng
try 'io_uring: the NVMe disk is removed' gone removed remove_by_sysfs io_uring disk
try 'psync: the NVMe disk is removed' gone removed remove_by_sysfs psync disk
try 'sg: the disk is deleted' gone deleted delete_scsi sg sg
try 'libaio: the SCSI disk is deleted' gone deleted delete_scsi libaio disk
try 'io_uring: the NVMe disk is pulled out' gone pulled pull_by_host io_uring disk
