#!/bin/busybox sh
# SPDX-License-Identifier: MIT
# shellcheck shell=dash disable=SC1090,SC1091 # places in the guest
# The first process of the guest.  Runs the parts, says what came of them, and turns the guest off.
/bin/busybox --install -s /bin
export PATH=/bin LC_ALL=C.UTF-8 TMPDIR=/tmp IOTOP_BENCH_PROFILES=/profiles
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
echo /bin/modprobe >/proc/sys/kernel/modprobe
mkdir /dev/shm
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /tmp

. /guest/support.sh
. /guest/commands.sh
echo "guest: Linux $(uname -r), up after $(cut -d' ' -f1 /proc/uptime) s"
start_disks
read -r parts </guest/parts
for part in $parts; do
	. "/guest/$part.sh"
done
echo "END after $(cut -d' ' -f1 /proc/uptime) s"
poweroff -f
