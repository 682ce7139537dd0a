# SPDX-License-Identifier: MIT
# device_test.c for each pair of an engine and a device that it is for.
# shellcheck shell=sh disable=SC2154 # support.sh

# contract ENGINE DEVICE DISK [OPTION...]
contract() {
	export IOB_TEST_ENGINE="$1" IOB_TEST_DEVICE="$2" IOB_TEST_DISK="$3"
	shift 3
	label="$IOB_TEST_ENGINE${*:+ $*} on ${IOB_TEST_DEVICE#/dev/}"
	unset IOB_ENGINE_OPTIONS
	[ $# -eq 0 ] || export IOB_ENGINE_OPTIONS="$IOB_TEST_ENGINE $*"
	timeout 600 device_test --tap --jobs 1 >/tmp/out 2>&1
	status=$?
	sed -n "s/^ok - device::\([a-z_]*\).*# SKIP *\(.*\)\$/SKIP $label: \1: \2/p;
		s/^ok - device::\([a-z_]*\)  *([0-9.s]*)\$/PASS $label: \1/p;
		s/^not ok - device::\([a-z_]*\).*\$/FAIL $label: \1/p" \
		</tmp/out | sed 'h; s/^[^:]*: //; s/_/ /g; x; s/: [a-z_]*.*$/: /; G; s/\n//'
	[ "$status" -eq 0 ] || sed 's/^/  /' /tmp/out
	grep -q '^ok ' /tmp/out || echo "FAIL $label: no test has passed, exit status $status"
}

if [ -x /bin/device_test ]; then
	contract io_uring_cmd "$ng" "$nvme"
	contract io_uring_cmd "$ng" "$nvme" hipri=1
	contract io_uring_cmd "$ng" "$nvme" fixedbufs=0 registerfiles=0
	contract io_uring_cmd "$ng" "$nvme" sqthread_poll=1
	contract io_uring_cmd "$ng4k" "$nvme4k"
	contract io_uring "$nvme" "$nvme"
	contract io_uring "$nvme" "$nvme" hipri=1
	contract io_uring "$nvme4k" "$nvme4k" hipri=1 fixedbufs=0
	contract libaio "$nvme" "$nvme"
	contract pvsync2 "$nvme" "$nvme" hipri=1
	contract psync "$nvme" "$nvme"
	contract sg "$sg" "$sd"
	contract sg "$sd" "$sd"
	contract sg "$sg4k" "$sd4k"
	contract io_uring "$sd" "$sd"
	contract libaio "$sd4k" "$sd4k"
else
	echo 'SKIP contract: built without unit tests'
fi
