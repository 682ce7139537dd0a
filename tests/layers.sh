#!/bin/sh
# SPDX-License-Identifier: MIT
# The direction of the includes (doc/architecture.md), what may stand in one place only, and calls
# that stand nowhere (doc/style.md).
# usage: layers.sh [SOURCE-TREE]; prints one line for each violation.
cd "${1:-${IOB_SRCDIR:-$(dirname "$0")/..}}" || exit 1

files=$(find src engines ui tests -name '*.[ch]' | sort)
if [ -z "$files" ]; then
	echo "no source found under $(pwd)"
	exit 1
fi

# shellcheck disable=SC2086 # names of source files, without blanks
awk '
BEGIN {
	# A folder of src/ may include folders of a lower rank and itself.
	rank["base"] = 0; rank["job"] = 1; rank["measure"] = 1; rank["target"] = 2
	rank["load"] = 3; rank["run"] = 4; rank["result"] = 5; rank["cli"] = 6
}

function bad(why) {
	printf "%s:%d: %s\n", FILENAME, FNR, why
	violations++
}

# Where a file lives: "main", "ui", "engines", "tests", or a folder of src/.
function place_of(path, part) {
	split(path, part, "/")
	if (part[1] != "src")
		return part[1]
	return path == "src/main.c" ? "main" : part[2]
}

# What an include names: a folder, "" for the own one.
function folder_of(include, part) {
	if (split(include, part, "/") == 1)
		return ""
	return part[1] == "src" ? part[2] : part[1]
}

function check_quoted(include, place, folder) {
	folder = folder_of(include)
	if (place == "tests" || place == "main" || folder == "" || folder == place)
		return
	if (place == "ui") {
		if (!(folder in rank) || folder == "cli")
			bad("ui/ includes " include ": only src/ without cli/")
	} else if (place == "engines") {
		if (include != "load/engine.h" && include != "target/target.h" && folder != "base")
			bad("an engine includes " include ": only load/engine.h, target/target.h, base/")
	} else if (!(place in rank)) {
		bad("src/" place "/ has no place in the order of the layers")
	} else if (!(folder in rank)) {
		bad("src/ includes " include ": it knows neither engines/ nor ui/")
	} else if (rank[folder] >= rank[place]) {
		bad("src/" place "/ includes " include ": against the direction")
	}
}

FNR == 1 {
	place = place_of(FILENAME)
	includes = 0
	if ($0 !~ /SPDX-License-Identifier: MIT/)
		bad("the first line is not the licence line")
}

/^[ \t]*#[ \t]*include/ {
	name = $0
	sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
	quoted = substr(name, 1, 1) == "\""
	name = substr(name, 2)
	sub(/[>"].*$/, "", name)
	includes++
	if (name == "config.h" && (FILENAME !~ /\.c$/ || includes > 1))
		bad("config.h belongs into a .c file, before all others")
	if (quoted && name != "config.h")
		check_quoted(name, place)
	if (name ~ /^(ncursesw?\/)?(n?curses|panel|menu|form|term)\.h$/ && place != "ui" &&
	    FILENAME !~ /^tests\/(ui|support)\//)
		bad("curses outside ui/: " name)
	if (name ~ /iniparser/ && FILENAME !~ /^src\/job\/profile[a-z_]*\.c$|^ui\/prefs\.c$/)
		bad("iniparser outside src/job/profile.c and ui/prefs.c")
	if (name ~ /(^|\/)(liburing|libaio)\.h$/ && place != "engines" && place != "tests")
		bad("the library of an engine outside engines/: " name)
}

# Calls that overrun or are not safe among threads; comments may speak of them.
FILENAME !~ /^tests\// && !/^[ \t]*(\/?\*)/ {
	line = " " $0
	if (match(line, /[^A-Za-z0-9_](strcpy|strcat|strtok|sprintf|vsprintf|gets|alloca|strerror|localtime|gmtime|ctime|asctime|rand|atoi|atol|atof)\(/))
		bad("not to be used: " substr(line, RSTART + 1, RLENGTH - 2))
}

END {
	exit violations > 0
}
' $files
status=$?

# A second list of parameters is a defect.  Words that are nothing but a parameter are looked for;
# "size" or "sync" have other uses.
table=src/job/param_table.c
if [ -f $table ]; then
	words=$(grep -l "IOB_PARAM_ROWS(" src/job/param_*.c |
		xargs sed -n 's/.*\(\.name = \|_ROW(\)"\([a-z]*_[a-z_]*\|numjobs\|nrfiles\|norandommap\|lockmem\)".*/\2/p')
	if [ -z "$words" ]; then
		echo "$table: no row was recognised"
		status=1
	fi
	for word in $words; do
		found=$(find src/job src/cli ui -name '*.c' ! -name 'param_*.c' \
			-exec grep -n "\"$word\"" /dev/null {} +)
		if [ -n "$found" ]; then
			printf '%s\n' "$found" | sed "s/\$/   <- names the parameter $word outside the table/"
			status=1
		fi
	done
fi
exit $status
