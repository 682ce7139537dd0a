#!/bin/sh
# SPDX-License-Identifier: MIT
# layers.sh must notice what it is for: each kind of violation is planted in a copy of the tree.
source=${IOB_SRCDIR:-$(dirname "$0")/..}
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
status=0

fresh() {
	rm -rf "$copy/tree"
	mkdir "$copy/tree"
	cp -R "$source/src" "$source/engines" "$source/ui" "$source/tests" "$copy/tree/"
	chmod -R u+w "$copy/tree"
}

# plant WORDS FILE LINE...: a new file with these lines must be reported with these words.
plant() {
	words=$1
	file=$2
	shift 2
	fresh
	printf '%s\n' "$@" >"$copy/tree/$file"
	if said=$(sh "$source/tests/layers.sh" "$copy/tree"); then
		echo "not noticed: $file: $*"
		status=1
	elif ! printf '%s\n' "$said" | grep -q "^$file:.*$words"; then
		echo "$file: expected words '$words', got: $said"
		status=1
	fi
}

spdx='/* SPDX-License-Identifier: MIT */'

fresh
if ! said=$(sh "$source/tests/layers.sh" "$copy/tree"); then
	echo "the copy itself is not clean: $said"
	exit 1
fi
plant 'against the direction' src/base/planted.c "$spdx" '#include "job/job.h"'
plant 'against the direction' src/measure/planted.h "$spdx" '#include "job/job.h"'
plant 'against the direction' src/load/planted.c "$spdx" '#  include "run/run.h"'
plant 'against the direction' src/run/planted.c "$spdx" '#include "cli/options.h"'
plant 'neither engines/ nor ui/' src/run/planted.c "$spdx" '#include "ui/ui.h"'
plant 'neither engines/ nor ui/' src/load/planted.c "$spdx" '#include "engines/null.h"'
plant 'only src/ without cli/' ui/planted.c "$spdx" '#include "cli/options.h"'
plant 'only src/ without cli/' ui/planted.c "$spdx" '#include "engines/null.h"'
plant 'only load/engine.h' engines/planted.c "$spdx" '#include "load/worker.h"'
plant 'curses outside ui/' src/cli/planted.c "$spdx" '#include <ncurses.h>'
plant 'curses outside ui/' src/cli/planted.h "$spdx" '#include <panel.h>'
plant 'outside engines/' src/load/planted.c "$spdx" '#include <liburing.h>'
plant 'config.h belongs' src/base/planted.h "$spdx" '#include <config.h>'
plant 'config.h belongs' src/base/planted.c "$spdx" '#include <stdio.h>' '#include <config.h>'
plant 'iniparser outside' src/cli/planted.c "$spdx" '#include <iniparser/iniparser.h>'
plant 'not to be used: strcpy' src/base/planted.c "$spdx" 'int f(void) { strcpy(a, b); }'
plant 'not to be used: strerror' ui/planted.c "$spdx" 'const char *f(void) { return strerror(2); }'
plant 'licence line' src/base/planted.c 'int planted;'
if [ -f "$source/src/job/param_table.c" ]; then
	for name in ramp_time rw_sequencer wait_for significant_figures; do
		plant 'outside the table' ui/planted.c "$spdx" "const char *const second_list = \"$name\";"
	done
fi
exit $status
