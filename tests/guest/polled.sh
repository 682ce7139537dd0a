# SPDX-License-Identifier: MIT
# hipri: completions are polled for, on a disk that has a poll queue.
# shellcheck shell=sh disable=SC2154 # support.sh

# Interrupts of all queues for I/O (the first is that of the admin queue).
interrupts() {
	awk '/nvme[0-9]+q[1-9]/ { for (i = 2; i <= 3; i++) n += $i } END { print n + 0 }' \
		/proc/interrupts
}

# polled TARGET ENGINE DIRECTION DEPTH
polled() {
	before=$(interrupts)
	run "$1" --ioengine="$2" --hipri=1 --iodepth="$4" --rw="$3" --bs=4k --format=json \
		--allow-write="$1"
	after=$(interrupts)
	expect_status 0
	expect_json '.jobs[0].error == 0 and .jobs[0].read.total_ios > 50'
	ios=$(jq '.jobs[0].read.total_ios' /tmp/out)
	[ $((after - before)) -lt $((${ios:-0} / 4 + 20)) ] ||
		fail "$((after - before)) interrupts for $ios reads: nothing was polled"
}

# The same count without hipri: if it does not grow, the case above shows nothing.
not_polled() {
	before=$(interrupts)
	run "$nvme" --ioengine=psync --rw=randread --bs=4k --format=json
	after=$(interrupts)
	ios=$(jq '.jobs[0].read.total_ios' /tmp/out)
	[ $((after - before)) -gt $((ios / 2)) ] ||
		fail "$((after - before)) interrupts for $ios reads that are not polled"
}

# Since 6.0 the kernel takes the flag of a synchronous call and waits for the interrupt all the same.
polled_synchronous() {
	polled "$nvme" pvsync2 randread 1
	case $why in
	*'nothing was polled')
		why=
		skip "Linux $(uname -r) does not poll in a synchronous call"
		;;
	esac
}

no_poll_queues() {
	run "$sd" --ioengine="$1" --hipri=1
	expect_status 1
	expect_words /tmp/err 'no poll queues' 'leave hipri out'
}

try 'psync: reads come by interrupts' not_polled
try 'io_uring hipri: polls' polled "$nvme" io_uring randread 8
try 'io_uring hipri: polls one at a time' polled "$nvme" io_uring randread 1
try 'io_uring hipri: polls reads and writes' polled "$nvme" io_uring randrw 8
try 'io_uring_cmd hipri: polls' polled "$ng" io_uring_cmd randread 8
try 'io_uring_cmd hipri: polls reads and writes' polled "$ng" io_uring_cmd randrw 8
try 'pvsync2 hipri: polls' polled_synchronous
for engine in io_uring pvsync2; do
	try "$engine hipri: refused for a disk without poll queues" no_poll_queues "$engine"
done
