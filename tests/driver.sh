#!/bin/sh
# Test driver for programs without an extension: a Criterion suite (it answers --list) is run
# with TAP output through automake's TAP driver, so that each test and each skip with its
# reason is counted; any other program counts as one test by its exit status.
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
*_test)
	# automake calls: driver OPTIONS -- PROGRAM
	exec sh "$aux/tap-driver.sh" "$@" --tap=- -j1
	;;
*)
	exec sh "$aux/test-driver" "$@"
	;;
esac
