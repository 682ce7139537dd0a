#!/bin/sh
# SPDX-License-Identifier: MIT
# `engines`, and runs, where something is forbidden: the words say what, and what to do; another
# engine is never taken in silence.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
require jq
deny=${IOB_BUILDDIR:?}/tests/support/deny
make_file "$tmp/file" 8

# under COMMAND...: the program's output under it, in $tmp/out and $tmp/err; leaves $status.
under() {
	timeout -k 5 60 "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# said WORD...: each is in the output, words of one line or not.
said() {
	tr -s ' \n' ' ' <"$tmp/out" >"$tmp/words"
	for word in "$@"; do
		grep -qF -e "$word" "$tmp/words" || {
			fail "the output does not say '$word'"
			show
		}
	done
}

fits() {
	if [ "$(awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }' "$tmp/out")" -gt 80 ]; then
		fail "a line is longer than 80 columns"
		show
	fi
}

echo "-- here"
under "$program" engines
expect_status 0
fits
said io_uring libaio psync null fault 'needs no target'
under "$program" engines --format=json
expect_status 0
expect_json '[.engines[] | .name] | index("io_uring") != null and index("fault") != null'
expect_json '[.engines[] | select(.works == false) | .reason | type] | all(. == "string")'
expect_json '.engines[] | select(.name == "null") | .works'
uring=$(json '.engines[] | select(.name == "io_uring") | .works')
libaio=$(json '.engines[] | select(.name == "libaio") | .works')

echo "-- io_uring forbidden by a filter: EPERM"
under "$deny" EPERM io_uring_setup "$program" engines io_uring
[ "$status" -ne 77 ] || skip "no system call filter can be set here"
expect_status 0
fits
said 'does not run here: Operation not permitted'
# A setting that forbids it as well has words of its own.
[ "$uring" = false ] || said 'seccomp' 'allow io_uring_setup' '--ioengine=libaio'
under "$deny" EPERM io_uring_setup "$program" engines --format=json
expect_json '.engines[] | select(.name == "io_uring") | .works == false and (.reason | contains("not permitted"))'
expect_json '.engines[] | select(.name == "null") | .works'

echo "-- hidden by a filter: ENOSYS has other words"
under "$deny" ENOSYS io_uring_setup "$program" engines io_uring
said 'does not run here: Function not implemented' 'built without it' '--ioengine=libaio'
under "$deny" ENOSYS io_setup "$program" engines libaio
said 'does not run here: Function not implemented' '--ioengine=psync'

echo "-- a run with the default engine says so and does not take another"
for code in EPERM ENOSYS; do
	under "$deny" $code io_uring_setup "$program" run "$tmp/file" --direct="$direct" --runtime=1 --quiet
	expect_status 1
	expect_one_line io_uring --ioengine=libaio
done
under "$deny" EPERM io_uring_setup "$program" run "$tmp/file" --ioengine=psync --direct="$direct" \
	--runtime=1 --format=json
expect_status 0
expect_json '.iotop_bench.engine.name == "psync"'
under "$deny" EPERM io_uring_setup "$program" run --ioengine=fault --fault_engine=io_uring --runtime=1
expect_status 1
expect_one_line io_uring

if [ "$uring" = true ]; then
	echo "-- registration forbidden: it goes on without, and the report says so"
	under "$deny" EPERM io_uring_register "$program" run "$tmp/file" --ioengine=io_uring \
		--direct="$direct" --runtime=1 --format=json
	expect_status 0
	expect_json '.iotop_bench.engine.flags | index("nofixedbufs") != null and index("registerfiles") == null'
	under "$program" run "$tmp/file" --ioengine=io_uring --direct="$direct" --runtime=1 --quiet
	expect_status 0
	said 'engine io_uring (' 'registerfiles'
fi

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && [ "$uring" = true ]; then
	echo "-- a user without privileges with little lockable memory: buffers are not registered"
	cp -p "$program" "$tmp/program" && chmod 755 "$tmp" "$tmp/program" && chmod 644 "$tmp/file"
	nobody() {
		under setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
			prlimit --memlock=65536 "$tmp/program" "$@"
	}
	nobody engines io_uring
	expect_status 0
	fits
	said '64 KiB' 'ulimit -l'
	nobody run "$tmp/file" --direct="$direct" --runtime=1 --iodepth=8 --bs=64k --format=json
	# Rings count against the same limit on some kernels: then that is said.
	if [ "$status" -eq 0 ]; then
		expect_json '.iotop_bench.engine.flags | index("nofixedbufs-memlock") != null'
	else
		expect_status 1
		expect_one_line 'ulimit -l' --ioengine=libaio
	fi
fi

# as_if SETTING VALUE COMMAND...: another file lies over the kernel's setting, for the command alone: to
# change it would disturb all that runs beside; `deny` answers as the kernel would.
as_if() {
	setting=$1
	printf '%s\n' "$2" >"$tmp/setting"
	shift 2
	# shellcheck disable=SC2016 # expanded by the inner shell
	under unshare --mount sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' \
		sh "$tmp/setting" "$setting" "$@"
}

max=/proc/sys/fs/aio-max-nr
as_if $max 1 cat $max
settings=$(cat "$tmp/out")
if [ "$settings" != 1 ]; then
	echo "-- left out: settings of the kernel, which cannot be covered here: $(head -n 1 "$tmp/err")"
fi

if [ "$libaio" = true ] && [ "$settings" = 1 ]; then
	echo "-- no room for libaio"
	as_if $max 1 "$deny" EAGAIN io_setup "$program" engines libaio
	expect_status 0
	fits
	said 'fs.aio-max-nr'
	as_if $max 1 "$deny" EAGAIN io_setup "$program" run "$tmp/file" --ioengine=libaio --iodepth=64 \
		--direct="$direct" --runtime=1
	expect_status 1
	expect_one_line fs.aio-max-nr libaio
fi

disabled=/proc/sys/kernel/io_uring_disabled
if [ "$uring" = true ] && [ "$settings" = 1 ] && [ -e $disabled ]; then
	echo "-- io_uring switched off"
	as_if $disabled 2 "$deny" EPERM io_uring_setup "$program" engines io_uring
	expect_status 0
	fits
	said 'kernel.io_uring_disabled is 2' 'set it to 0'
fi
finish
