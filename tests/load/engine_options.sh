#!/bin/sh
# SPDX-License-Identifier: MIT
# The contract suite of all engines, once more for each parameter that an engine has of its own.  The
# number is how many tests the kernel may refuse the parameter for (a pipe, a directory, a buffered
# write) where it works for plain reads: more are a regression and no skip.
suite=${IOB_BUILDDIR:-.}/tests/load/engine_contract_test
if [ ! -x "$suite" ]; then
	echo "skipped: built without unit tests"
	exit 77
fi
log=$(mktemp) || exit 99
trap 'rm -f "$log"' EXIT
failed=0
while read -r refusals options; do
	IOB_ENGINE_OPTIONS=$options "$suite" --tap >"$log" 2>&1
	status=$?
	# A parameter that is missing here says so once per test: one reason is enough.
	skipped=$(sed -n 's/^.*# SKIP *//p; s/^.*test was skipped: *//p' "$log" |
		grep -v '^these parameters are for' | sort -u | head -n 1)
	passed=$(grep -c '^ok [^#]*$' "$log")
	refused=$(grep -c '# SKIP .*\(not know it\|does not go through\)' "$log")
	if [ "$status" -ne 0 ]; then
		echo "FAILED with $options"
		cat "$log"
		failed=1
	elif [ "$refused" -gt "$refusals" ] &&
		grep -q '^ok [^#]*reads_return_the_content[^#]*$' "$log"; then
		echo "FAILED with $options: refused in $refused tests, not at most $refusals"
		grep '# SKIP' "$log" | grep -v 'these parameters are for'
		failed=1
	else
		echo "$options: passed $passed${skipped:+; skipped: $skipped}"
	fi
done <<END
0 io_uring fixedbufs=0
0 io_uring registerfiles=0
0 io_uring fixedbufs=0 registerfiles=0
0 io_uring nonvectored=0
0 io_uring nonvectored=1 fixedbufs=0
0 io_uring sqthread_poll=1
0 io_uring sqthread_poll=1 sqthread_poll_cpu=0 registerfiles=0
0 io_uring force_async=1
0 io_uring force_async=3
5 io_uring uncached=1
2 io_uring nowait=1
0 libaio libaio_vectored=1
8 libaio nowait=1
4 libaio uncached=1
END
exit "$failed"
