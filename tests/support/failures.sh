#!/bin/sh
# SPDX-License-Identifier: MIT
# failures.sh BUILD: of each test that failed there, what it said.  Of a test with many cases those
# that failed, not what the others said.
set -u

find "$1/tests" -name '*.trs' 2>/dev/null | sort | while read -r trs; do
	grep -Eq '^:test-result: (FAIL|XPASS|ERROR)' "$trs" || continue
	log=${trs%.trs}.log
	printf -- '---- %s\n' "${log#"$1"/}" | sed 's/\.log$//'
	if grep -q '^not ok' "$log"; then
		awk '/^(not )?ok / { left = /^not/ ? 40 : 0 } left-- > 0' "$log"
	else
		tail -n 120 -- "$log"
	fi
done
