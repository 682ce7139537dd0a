#!/bin/sh
# SPDX-License-Identifier: MIT
# The same bytes by another name, names that mean something else to each process, and files that are
# none: not written, in spite of consent, and `check` says so beforehand.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq sha256sum

# alike STATUS WORDS TARGET: what `run` says of writing it, `check` says as well.
alike() {
	want=$1
	words=$2
	target=$3
	echo "-- $target: $words"
	run run "$target" --rw=write --bs=4k --size=4k --direct=0 --runtime=0.1 --quiet \
		--allow-write="$target"
	expect_status "$want"
	expect_one_line "$words"
	run check "$target" --rw=write --bs=4k --size=4k --direct=0 --allow-write="$target" \
		--format=json
	[ "$status" -ne 0 ] || fail "check finds nothing wrong with it"
	expect_json "[.check | .write.why, .usable.why, .job.why] | tostring | contains(\"$words\")"
}

make_file "$tmp/file" 1
ln -s /dev/stdin "$tmp/in"
ln -s /proc/self/fd "$tmp/fds"
for name in /dev/stdin /dev/fd/3 /proc/self/fd/3 /proc/thread-self/fd/3 "$tmp/in" "$tmp/fds/3"; do
	alike 2 "another file in each process" "$name"
done
(cd "$tmp" && "$program" run /proc/self/cwd/file --rw=read --bs=4k --direct=0 --runtime=0.1 --quiet) \
	>"$tmp/out" 2>"$tmp/err"
status=$?
expect_status 0

for made_up in /proc/version /proc /proc/iob-no-such-file /sys/kernel /sys/kernel/uevent_seqnum \
	/dev/pts; do
	[ ! -e "${made_up%/iob*}" ] || alike 2 "the kernel makes it up" "$made_up"
done
run fio --name=job --filename=/proc/self/fd/3 --rw=write --size=4k --allow-write=/proc/self/fd/3
expect_status 2
run fio --name=job --filename=/proc/version --rw=read --size=4k
expect_status 2

# A copy of a program: that it runs is all that is asked of it.
cp "$(command -v sleep)" "$tmp/program" && chmod 755 "$tmp/program"
"$tmp/program" 60 &
pids="$pids $!"
wait_for 5 test "/proc/$!/exe" -ef "$tmp/program"
alike 3 "running program" "$tmp/program"
if [ "$(id -u)" -ne 0 ]; then
	chmod 400 "$tmp/file"
	alike 1 "open $tmp/file for writing" "$tmp/file"
	chmod 600 "$tmp/file"
	[ "$failures" -eq 0 ] || finish
	skip "files are fine; the rest needs root for loop devices"
fi
if chattr +i "$tmp/file" 2>/dev/null; then
	alike 1 "chattr -i" "$tmp/file"
	chattr -i "$tmp/file"
fi

require losetup mkfs.ext4 addpart delpart
truncate -s 32M "$tmp/image"
mkdir "$tmp/mount"
mounted='' twin='' upper='' part='' whole='' worked=''
# attach VARIABLE FILE: a loop device on it.
attach() {
	node=$(losetup --find --show "$2" 2>/dev/null) || {
		[ "$failures" -eq 0 ] || finish
		skip "files are fine; no loop device can be had here"
	}
	at_end "losetup --detach '$node' 2>/dev/null"
	blockdev --setrw "$node" # it keeps this from one image to the next
	eval "$1=\$node"
}
attach mounted "$tmp/image"
mkfs.ext4 -q "$mounted"
if mount "$mounted" "$tmp/mount" 2>/dev/null; then
	at_end "umount '$tmp/mount' 2>/dev/null"
	attach twin "$tmp/image"
	attach upper "$twin"
	for node in "$mounted" "$twin" "$upper"; do
		alike 3 "mounted" "$node"
	done
	# Without /sys nobody knows.
	if unshare -m true 2>/dev/null; then
		for target in "$twin" "$tmp/image"; do
			echo "-- $target without /sys"
			unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$program" run "$target" \
				--rw=write --bs=4k --size=4k --direct=0 --runtime=0.1 --quiet \
				--allow-write="$target" >"$tmp/out" 2>"$tmp/err"
			status=$?
			expect_status 3
			expect_one_line "/sys"
		done
	fi
	umount "$tmp/mount"
	losetup --detach "$upper"
	losetup --detach "$twin"
else
	echo "not tried: a mounted device"
fi

delpart "$mounted" 1 2>/dev/null # a run that was killed may have left it
if addpart "$mounted" 1 2048 32768 2>/dev/null && wait_for 5 test -b "${mounted}p1"; then
	at_end "delpart '$mounted' 1 2>/dev/null"
	attach part "${mounted}p1"
	mkfs.ext4 -q "$part"
	if mount "$part" "$tmp/mount" 2>/dev/null; then
		attach whole "$mounted"
		alike 3 "mounted" "$whole"
		umount "$tmp/mount"
		losetup --detach "$whole"
	fi
	losetup --detach "$part"
fi

mkdir "$tmp/nodes"
if mount -t devtmpfs none "$tmp/nodes" 2>/dev/null; then
	at_end "umount '$tmp/nodes'"
	echo "-- nothing is made in /dev, whatever its name"
	mkdir -p /dev/shm
	for name in "$tmp/nodes/iob-new" "$tmp/nodes/shm/iob-new"; do
		run run "$name" --size=1m --direct=0 --runtime=0.1 --quiet
		expect_status 3
		run run --ioengine=null --size=1m --runtime=0.1 --quiet --save="$name"
		expect_status 2
		[ ! -e "$name" ] || {
			fail "$name was made"
			rm "$name"
		}
	done
fi

echo "-- somebody works on it who does not say so to the kernel"
attach worked "$tmp/file"
sleep 60 9<>"$worked" &
pids="$pids $!"
wait_for 5 [ -e "/proc/$!/fd/9" ]
alike 3 "has it open" "$worked"
finish
