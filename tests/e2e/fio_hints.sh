#!/bin/sh
# SPDX-License-Identifier: MIT
# Options that tell the kernel something about a file.
. "${IOB_SRCDIR:?}/tests/support/e2e.sh"
cd "$tmp" || exit 1

"$program" fio --name=hint --filename=hinted --size=64k --rw=write --write_hint=long >out 2>err
status=$?
if [ $status = 0 ]; then
	# F_GET_RW_HINT
	if command -v python3 >/dev/null; then
		hint=$(python3 -c 'import fcntl, struct
with open("hinted") as f:
	print(struct.unpack("Q", fcntl.fcntl(f, 1035, struct.pack("Q", 0)))[0])')
		[ "$hint" = 4 ] || fail "write_hint=long: the file says $hint"
	fi
else
	grep -q 'write_hint=long' err || fail "write_hint: status $status: $(cat err)"
fi
"$program" fio --parse-only --name=hint --size=64k --write_hint=soon >out 2>err
[ $? = 2 ] || fail 'write_hint=soon was taken'
grep -q 'extreme' err || fail "write_hint=soon: $(cat err)"

dd if=/dev/urandom of=data bs=64k count=16 2>/dev/null
"$program" fio --name=huge --filename=data --rw=randread --ioengine=mmap --thp=1 --number_ios=50 >out 2>err ||
	fail "thp: $(cat err)"
finish
