# SPDX-License-Identifier: MIT
# The column `place` of the fault matrix: where the fault lies.  Each leaves $target; $dir is what
# must be unchanged after the run.
# shellcheck shell=sh disable=SC2016,SC2030,SC2031,SC2034,SC2086,SC2116,SC2120,SC2154,SC2317
# (The functions are called from the rows, with the variables of cell.sh.)

none() { :; }

# fio's command line instead of `run`; another place follows.
as_fio() {
	mode=fio
}

directory() {
	target=$dir
}

file() {
	target=$dir/t
	head -c 4M /dev/urandom >"$target"
}

sparse() {
	target=$dir/t
	truncate -s "${1:-64M}" "$target"
}

needs_root() {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
}

# fuse RULE,RULE...: a file of 4 MiB on a file system that goes wrong so.
fuse() {
	[ -x "$tools/fault_fs" ] || skip "built without libfuse3"
	mkdir "$tmp/back"
	head -c 4M /dev/urandom >"$tmp/back/t"
	"$tools/fault_fs" "$tmp/back" "$dir" -f -o fsname=fault_fs 2>/dev/null &
	fuse_pid=$!
	pids="$pids $fuse_pid"
	wait_for 3 mountpoint -q "$dir" || skip "no FUSE here"
	minor=$(awk -v d="$dir" '$5 == d { sub(".*:", "", $3); print $3 }' /proc/self/mountinfo)
	# What hangs in there holds everything else up: the connection goes first.
	at_end "umount -l '$dir' 2>/dev/null || fusermount3 -uz '$dir'"
	at_end "echo 1 2>/dev/null >/sys/fs/fuse/connections/$minor/abort"
	target=$dir/t
	rule "$*"
}

fuse_direct() {
	FAULT_FS_DIRECT=1
	export FAULT_FS_DIRECT
	fuse "$@"
}

rule() {
	echo "$*" | tr ',' '\n' | while read -r line; do
		[ -z "$line" ] || echo "$line" >"$dir/.fault"
	done
}

# Once more at the end it could be another cell's.
detach() {
	losetup --detach "$target"
	detached=1
}

fuse_die() {
	kill -KILL "$fuse_pid"
}

# loop [SIZE [OPTION...]]: a loop device over $tmp/image.
loop() {
	needs_root
	size=${1:-8M}
	[ $# -eq 0 ] || shift
	[ -e "$tmp/image" ] || head -c "$size" /dev/urandom >"$tmp/image"
	loop_on "$tmp/image" "$@"
}

loop_on() {
	image=$1
	shift
	target=$(losetup --find --show "$@" "$image" 2>/dev/null) || skip "no loop device"
	at_end "[ -n \"\${detached:-}\" ] || losetup --detach '$target' 2>/dev/null"
	# Partitions that a run which was killed has left would be in the way.
	partx --delete "$target" 2>/dev/null
	# A device keeps this from one image to the next.
	blockdev --setrw "$target"
}

# second_loop OPTION...: one more loop device, which is the target.
second_loop() {
	first=$target
	loop_on "$@"
	[ "$target" != "$first" ] || fail "it is the same loop device"
}

# hung_neighbour: a file system that does not answer; a loop device and a process use a file there.
hung_neighbour() {
	needs_root
	parent=$dir
	dir=$tmp/neighbour
	mkdir "$dir"
	fuse ''
	loop_on "$target"
	sleep 60 9<"$dir/t" >/dev/null 2>&1 &
	pids="$pids $!"
	kill -STOP "$fuse_pid"
	at_end "kill -CONT $fuse_pid"
	sleep 1.1 # what the kernel knows of the file has gone stale
	dir=$parent
}

loop_on_fuse() {
	needs_root
	fuse ''
	mount_dir=$dir
	loop_on "$dir/t" --direct-io=on
	dir=$tmp/nothing
	mkdir "$dir"
	(dir=$mount_dir && rule "$*")
}

# thin: 64 MiB are promised, 4 MiB are there.
thin() {
	needs_root
	mkdir "$tmp/pool"
	mount -t tmpfs -o size=4m none "$tmp/pool" || skip "no tmpfs"
	at_end "umount -l '$tmp/pool'"
	truncate -s 64M "$tmp/pool/image"
	loop_on "$tmp/pool/image"
}

# tmpfs OPTIONS: with a sparse file of 64 MiB on it.
tmpfs() {
	needs_root
	mount -t tmpfs -o "$1" none "$dir" || skip "no tmpfs"
	at_end "umount -l '$dir'"
	sparse 64M
}

# ext4 [OPTION...]: a file system of $image_size, or 16 MiB, with a sparse file of 64 MiB on it.
ext4() {
	needs_root
	truncate -s "${image_size:-16M}" "$tmp/image"
	mkfs.ext4 -q -O ^has_journal "$@" "$tmp/image" 2>/dev/null || skip "no mkfs.ext4"
	loop_on "$tmp/image"
	device=$target
	mount -o errors=remount-ro "$device" "$dir" || skip "no ext4"
	at_end "umount -l '$dir'"
	rmdir "$dir/lost+found"
	sparse 64M
}

shrink_to() {
	head -c "$1" /dev/urandom >"$target"
}

ext4_file() {
	ext4
	head -c 4M /dev/urandom >"$target"
	sync "$target"
}

zram() {
	needs_root
	[ -e /sys/class/zram-control/hot_add ] || skip "no zram"
	number=$(cat /sys/class/zram-control/hot_add) || skip "no zram"
	at_end "echo $number >/sys/class/zram-control/hot_remove"
	at_end "echo 1 >/sys/block/zram$number/reset"
	echo 64M >"/sys/block/zram$number/disksize"
	target=/dev/zram$number
}

# btrfs_quota SIZE: a subvolume that may hold so much, with a sparse file of 32 MiB in it.
btrfs_quota() {
	needs_root
	truncate -s 160M "$tmp/image"
	mkfs.btrfs -q "$tmp/image" 2>/dev/null || skip "no mkfs.btrfs"
	loop_on "$tmp/image"
	device=$target
	mkdir "$tmp/whole"
	mount "$device" "$tmp/whole" 2>/dev/null || skip "no btrfs"
	at_end "umount -l '$tmp/whole'"
	{
		btrfs quota enable "$tmp/whole" && btrfs subvolume create "$tmp/whole/part" &&
			btrfs qgroup limit "$1" "$tmp/whole/part"
	} >/dev/null 2>&1 || skip "no quota on btrfs"
	dir=$tmp/whole/part
	sparse 32M
}
