#!/bin/sh
# Test driver for programs without an extension: a Criterion suite (it answers --list) is run
# with TAP output through automake's TAP driver, so that each test and each skip with its
# reason is counted; any other program counts as one test by its exit status.
#
# Tests may run side by side (make -j), and a busy machine must not make one fail.  Those named below
# look at what a neighbour does too (the counters of a disk): each of them runs alone.
here=$(dirname "$0")
aux=$here/../build-aux
program=
for arg do
	case $program$arg in
	--) program=next ;;
	next*) program=$arg; break ;;
	esac
done
name=${program##*/}
case $name in
json_diskstats.sh | warnings.sh)
	hold=-x
	;;
*)
	hold=-s
	;;
esac
exec 9>tests/alone.lock
# Without flock(1) they run one after the other only if make is told so.
flock "$hold" 9 2>/dev/null
# The lock is this shell's: a test counts its own descriptors.
case $name in
*_test)
	# automake calls: driver OPTIONS -- PROGRAM
	sh "$aux/tap-driver.sh" "$@" --tap=- -j1 9>&-
	;;
*)
	sh "$aux/test-driver" "$@" 9>&-
	;;
esac
