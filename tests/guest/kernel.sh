# SPDX-License-Identifier: MIT
# The guest's kernel: a package that is downloaded once and unpacked, never installed.
# shellcheck shell=sh disable=SC2154 # tmp is e2e.sh's

kernel_place=${IOB_BUILDDIR:-.}/tests/guest
kernel_package=

newest_kernel() {
	apt-cache depends linux-image-amd64 2>/dev/null |
		sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1
}

fetch_kernel() {
	if [ -n "${IOB_GUEST_KERNEL:-}" ]; then
		kernel_package=$IOB_GUEST_KERNEL
		[ -f "$kernel_package" ] || fail "no such file: IOB_GUEST_KERNEL=$kernel_package"
		[ "$failures" -eq 0 ] || finish
		return
	fi
	mkdir -p "$kernel_place"
	for kernel_package in "$kernel_place"/linux-image-*.deb; do
		[ -f "$kernel_package" ] && return
	done
	command -v apt-get >/dev/null || skip "no apt-get, and IOB_GUEST_KERNEL names no package"
	name=$(newest_kernel)
	[ -n "$name" ] || skip "apt-cache knows no linux-image-amd64 (apt-get update?)"
	echo "downloading $name"
	mkdir "$tmp/download"
	(cd "$tmp/download" && apt-get -q -o APT::Sandbox::User= download "$name") \
		>"$tmp/apt" 2>&1 || skip "cannot download $name: $(tail -n 1 "$tmp/apt")"
	mv "$tmp/download"/*.deb "$kernel_place"
	for kernel_package in "$kernel_place"/linux-image-*.deb; do
		return
	done
}

# Leaves $kernel (the image), $kernel_version, and modules with their index under $tmp/kernel.
unpack_kernel() {
	mkdir "$tmp/kernel"
	dpkg-deb --fsys-tarfile "$kernel_package" |
		tar -x -C "$tmp/kernel" --wildcards './boot/vmlinuz-*' './lib/modules/*/modules.*' \
			'*/kernel/block/*' '*/kernel/crypto/*' '*/kernel/lib/*' \
			'*/kernel/arch/x86/crypto/*' '*/kernel/fs/ext4/*' '*/kernel/fs/jbd2/*' \
			'*/kernel/fs/mbcache.*' '*/kernel/drivers/block/*' \
			'*/kernel/drivers/md/*' '*/kernel/drivers/nvme/*' \
			'*/kernel/drivers/scsi/*' '*/kernel/drivers/virtio/*' 2>"$tmp/tar"
	for kernel in "$tmp"/kernel/boot/vmlinuz-*; do
		kernel_version=${kernel##*/vmlinuz-}
	done
	[ -f "$kernel" ] || {
		cat "$tmp/tar"
		skip "no kernel in $kernel_package"
	}
	depmod -b "$tmp/kernel" "$kernel_version"
}
