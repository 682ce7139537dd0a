#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual page knows every parameter, key, engine, report format, subcommand and option.
: "${IOB_SRCDIR:?}" "${IOB_PROGRAM:?}" "${IOB_BUILDDIR:?}"
command -v mandoc >/dev/null || {
	echo "mandoc is not installed"
	exit 77
}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mandoc -T ascii -O width=200 "$IOB_SRCDIR/doc/iotop-bench.1" | sed 's/.\x08//g' >"$tmp/page" || exit 1
"$IOB_BUILDDIR/tests/support/table_names" >"$tmp/names" || exit 1
"$IOB_PROGRAM" --help >"$tmp/help" || exit 1

# Words of a section, one per line, without the commas.
section() {
	sed -n "/^$1\$/,/^[A-Z]/p" "$tmp/page" | tr ', ' '[\n*]' | grep -v '^$'
}
section PARAMETERS >"$tmp/PARAMETERS"
section KEYS >"$tmp/KEYS"
tr ', .=|[]' '[\n*]' <"$tmp/page" >"$tmp/all"
sed -n '/^COMMANDS$/,/^OPTIONS$/p' "$tmp/page" >"$tmp/COMMANDS"

missing=0
want() {
	grep -qxF -e "$2" "$tmp/$3" || {
		echo "the manual page lacks the $1 $2"
		missing=1
	}
}

while read -r kind words; do
	for word in $words; do
		case $kind in
		param) want parameter "$word" PARAMETERS ;;
		keys) want key "$word" KEYS ;;
		*) want "$kind" "$word" all ;;
		esac
	done
done <"$tmp/names"
for kind in param keys engine format; do
	grep -q "^$kind " "$tmp/names" || {
		echo "no $kind was named: the test itself is wrong"
		missing=1
	}
done

# Subcommands: "  iotop-bench NAME ..."; options: lines that begin with a dash.
sed -n 's/^ *iotop-bench \([a-z][a-z]*\) .*/\1/p' "$tmp/help" | sort -u >"$tmp/subcommands"
while read -r command; do
	grep -q "^     $command" "$tmp/COMMANDS" || {
		echo "the manual page lacks the subcommand $command"
		missing=1
	}
done <"$tmp/subcommands"
[ -s "$tmp/subcommands" ] || missing=1
for option in $(sed -n 's/^ *\(-[-a-zA-Z0-9_,= ]*\).*/\1/p' "$tmp/help" | tr ', =' '[\n*]' |
	grep '^-' | sort -u); do
	name=$(printf '%s' "${option#--}" | tr '-' '_')
	grep -qx "param $name" "$tmp/names" || want option "$option" all
done

# The codes of warnings, here and where they are explained.
codes=$(sed -n '/iob_warning_add(/{N;s/.*"\([A-Z][A-Z]*\)".*/\1/p;}' "$IOB_SRCDIR"/src/measure/verdict*.c |
	sort -u)
[ "$(echo "$codes" | wc -l)" -ge 20 ] || {
	echo "codes of warnings were not found: the test itself is wrong"
	missing=1
}
for code in $codes; do
	want warning "$code" all
	grep -q "^| $code |" "$IOB_SRCDIR/doc/measuring.md" || {
		echo "measuring.md lacks $code"
		missing=1
	}
done
exit $missing
