# SPDX-License-Identifier: MIT
# What the guest runs from: busybox, the parts, this build, and the shared libraries of all that.
# shellcheck shell=sh disable=SC2154 # the caller's

root=$tmp/root

copy_modules() {
	target=$root/lib/modules/$kernel_version
	mkdir -p "$target"
	cp "$tmp/kernel/lib/modules/$kernel_version"/modules.builtin* \
		"$tmp/kernel/lib/modules/$kernel_version"/modules.order "$target"
	for module in $modules; do
		modprobe -S "$kernel_version" -d "$tmp/kernel" -D "$module" 2>/dev/null ||
			echo "$kernel_package has no $module" >&2
	done | sed -n 's/^insmod \([^ ]*\).*$/\1/p' | sort -u | while read -r file; do
		place=$target/${file#*"/lib/modules/$kernel_version/"}
		mkdir -p "${place%/*}"
		cp "$file" "$place"
	done
	depmod -b "$root" "$kernel_version"
}

# copy_program PATH: with the libraries that it is linked to.
copy_program() {
	cp -L "$1" "$root/bin/"
	ldd "$1" 2>/dev/null | sed -n 's/^.*[[:space:]]\(\/[^ ]*\) (0x.*$/\1/p' |
		while read -r library; do
			mkdir -p "$root${library%/*}"
			[ -e "$root$library" ] || cp -L "$library" "$root$library"
		done
}

make_initramfs() {
	mkdir -p "$root/bin" "$root/dev" "$root/guest" "$root/proc" "$root/sys" "$root/tmp" \
		"$root/mnt"
	cp "$busybox" "$root/bin/busybox"
	cp "$here"/*.sh "$root/guest/"
	cp -r "${IOTOP_BENCH_PROFILES:-$IOB_SRCDIR/profiles}" "$root/profiles"
	echo "$parts" >"$root/guest/parts"
	cp "$here/init.sh" "$root/init"
	chmod +x "$root/init"
	copy_modules
	copy_program "$program"
	copy_program "$(command -v jq)"
	for extra in "$(command -v dmsetup)" "$IOB_BUILDDIR/tests/guest/device_test"; do
		[ -x "$extra" ] && copy_program "$extra"
	done
	(cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$tmp/initramfs.gz"
}
