#!/bin/sh
# SPDX-License-Identifier: MIT
# What only a kernel of one's own can show: NVMe and SCSI disks that take commands, poll queues,
# device mapper and md, disks that go away.  Boots Debian's kernel under qemu with emulated disks and
# an initramfs that holds this build; no line of it touches a disk of this machine.
#	make check-guest                       all parts
#	make check-guest GUEST='nvme unplug'   some of them
# The guest says PASS, FAIL or SKIP on its serial console (init.sh and the parts); here they are
# counted.  IOB_GUEST_KERNEL=FILE.deb takes another package than the newest linux-image-amd64;
# IOB_GUEST_TIME is the limit in seconds.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
PATH=$PATH:/usr/sbin:/sbin

here=$IOB_SRCDIR/tests/guest
all_parts='listing nvme scsi polled stacked surroundings unplug contract'
parts=${*:-$all_parts}
limit=${IOB_GUEST_TIME:-900}
modules='virtio_pci virtio_scsi sd_mod sg scsi_debug nvme null_blk dm-mod dm-delay dm-flakey raid0
	ext4 crc32c_generic mq-deadline'

[ "$(uname -m)" = x86_64 ] || skip "the guest is x86_64, this machine is not"
for command in qemu-system-x86_64 cpio modprobe depmod dpkg-deb jq; do
	command -v "$command" >/dev/null || skip "$command is not installed (Debian:" \
		"qemu-system-x86 busybox-static cpio kmod dpkg jq)"
done
busybox=
for file in /bin/busybox /usr/bin/busybox; do
	# A program without an interpreter is a static one.
	if [ -x "$file" ] && ! ldd "$file" >/dev/null 2>&1; then
		busybox=$file
		break
	fi
done
[ -n "$busybox" ] || skip "there is no static busybox (Debian: busybox-static)"
for part in $parts; do
	[ -f "$here/$part.sh" ] || {
		echo "no part '$part'; there are: $all_parts"
		exit 1
	}
done

. "$here/kernel.sh"
. "$here/initramfs.sh"
. "$here/machine.sh"

fetch_kernel
unpack_kernel
make_initramfs
boot >"$tmp/console"

grep -q '^END' "$tmp/console" || fail "the guest did not come to its end within $limit s"
echo "$(grep -c '^PASS ' "$tmp/console") passed, $(grep -c '^FAIL ' "$tmp/console") failed," \
	"$(grep -c '^SKIP ' "$tmp/console") skipped"
grep -q '^PASS ' "$tmp/console" || fail "nothing has passed"
if grep -q '^FAIL ' "$tmp/console"; then
	failures=$((failures + 1))
fi
finish
