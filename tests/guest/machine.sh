# SPDX-License-Identifier: MIT
# The guest's hardware.  Each disk is named by its serial number, which the guest looks for.
# shellcheck shell=sh disable=SC2154 # the caller's

# Pieces of the command line of qemu, one a line.
machine() {
	cat <<END
-nodefaults
-no-user-config
-no-reboot
-machine q35
-accel tcg
-cpu max
-smp 2
-m 768
-display none
-serial stdio
-chardev pipe,id=monitor,path=$tmp/monitor
-mon chardev=monitor
-kernel $kernel
-initrd $tmp/initramfs.gz
END
	nvme_disks
	scsi_disks
}

# disk NAME MIB: an empty one, as a node of that name.
disk() {
	truncate -s "$2M" "$tmp/$1.img"
	echo "-blockdev driver=file,node-name=$1,filename=$tmp/$1.img,discard=unmap"
}

# Three namespaces behind one controller: of 512 bytes, of 4 KiB, with an unreadable place; two more
# controllers that will be taken away.
nvme_disks() {
	disk plain 32
	disk large-blocks 16
	disk pulled 16
	disk removed 16
	disk sound 16
	cat <<END
-blockdev driver=blkdebug,node-name=unsound,image=sound,inject-error.0.event=none,inject-error.0.iotype=read,inject-error.0.sector=2048,inject-error.0.errno=5,inject-error.0.once=off,inject-error.0.immediately=off
-device pcie-root-port,id=port0,chassis=1
-device pcie-root-port,id=port1,chassis=2
-device pcie-root-port,id=port2,chassis=3
-device nvme,id=nvme0,bus=port0,serial=many,mdts=5,max_ioqpairs=4
-device nvme-ns,bus=nvme0,drive=plain,nsid=1,logical_block_size=512
-device nvme-ns,bus=nvme0,drive=large-blocks,nsid=2,logical_block_size=4096,physical_block_size=4096
-device nvme-ns,bus=nvme0,drive=unsound,nsid=3
-device nvme,id=pulled,bus=port1,serial=pulled,drive=pulled
-device nvme,id=removed,bus=port2,serial=removed,drive=removed
END
}

scsi_disks() {
	disk scsi 32
	disk scsi-large-blocks 16
	disk scsi-removed 16
	cat <<END
-device virtio-scsi-pci,id=scsi,num_queues=2
-device scsi-hd,bus=scsi.0,drive=scsi,serial=scsi,product=emulated
-device scsi-hd,bus=scsi.0,drive=scsi-large-blocks,serial=blocks4k,logical_block_size=4096,physical_block_size=4096
-device scsi-hd,bus=scsi.0,id=scsi-removed,drive=scsi-removed,serial=deleted
END
}

# Prints the console as it comes.  A line "HOST COMMAND" is for qemu's monitor.
boot() {
	return=$(printf '\r')
	mkfifo "$tmp/monitor.in" "$tmp/monitor.out"
	cat <"$tmp/monitor.out" >/dev/null &
	pids="$pids $!"
	# Both ends, so that neither side waits for the other to open it.
	exec 3<>"$tmp/monitor.in"
	machine >"$tmp/machine"
	# shellcheck disable=SC2046 # words
	timeout -k 5 "$limit" qemu-system-x86_64 $(cat "$tmp/machine") \
		-append 'console=ttyS0 quiet loglevel=1 oops=panic panic=-1' </dev/null 2>"$tmp/qemu" |
		while IFS= read -r line; do
		line=${line%"$return"}
		case $line in
		'HOST '*) echo "${line#HOST }" >&3 ;;
		*)
			printf '%s\n' "$line"
			printf '%s\n' "$line" >&2
			;;
		esac
	done
	exec 3>&-
	# It also tells of each unreadable block; only at an early end that matters.
	grep -q '^END' "$tmp/console" || {
		sed 's/^/qemu: /' "$tmp/qemu" >&2
		return 1
	}
}
