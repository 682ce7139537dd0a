#!/bin/sh
# SPDX-License-Identifier: MIT
# Our JSON report holds every key of a real fio's, with the same type.
command -v fio >/dev/null 2>&1 || { echo "fio is not installed"; exit 77; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/iob-fio-XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
for direct in 1 0; do
	fio --name=x --filename="$dir/file" --size=8m --rw=randrw --direct=$direct --runtime=1 \
		--time_based --output-format=json --output="$dir/fio.json" >/dev/null 2>&1 && break
done
[ -s "$dir/fio.json" ] || { echo "fio does not run here"; exit 77; }
"${IOB_BUILDDIR:-.}/tests/result/fio_tree" "$dir/fio.json" || exit 1
