#!/bin/sh
# SPDX-License-Identifier: MIT
# The contract suite of all engines, once more for each parameter that an engine has of its own.
suite=${IOB_BUILDDIR:-.}/tests/load/engine_contract_test
if [ ! -x "$suite" ]; then
	echo "skipped: built without unit tests"
	exit 77
fi
log=$(mktemp) || exit 99
trap 'rm -f "$log"' EXIT
failed=0
while read -r options; do
	IOB_ENGINE_OPTIONS=$options "$suite" --tap >"$log" 2>&1
	status=$?
	# A parameter that is missing here says so once per test: one reason is enough.
	skipped=$(sed -n 's/^.*# SKIP *//p; s/^.*test was skipped: *//p' "$log" |
		grep -v '^these parameters are for' | sort -u | head -n 1)
	passed=$(grep -c '^ok [^#]*$' "$log")
	if [ "$status" -ne 0 ]; then
		echo "FAILED with $options"
		cat "$log"
		failed=1
	else
		echo "$options: passed $passed${skipped:+; skipped: $skipped}"
	fi
done <<END
io_uring fixedbufs=0
io_uring registerfiles=0
io_uring fixedbufs=0 registerfiles=0
io_uring nonvectored=0
io_uring nonvectored=1 fixedbufs=0
io_uring sqthread_poll=1
io_uring sqthread_poll=1 sqthread_poll_cpu=0 registerfiles=0
io_uring force_async=1
io_uring force_async=3
io_uring uncached=1
io_uring nowait=1
libaio libaio_vectored=1
libaio nowait=1
libaio uncached=1
END
exit "$failed"
