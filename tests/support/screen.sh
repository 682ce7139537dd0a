# SPDX-License-Identifier: MIT
# A terminal of 80x24 in tmux, for end-to-end scripts; to be sourced after e2e.sh.
# shellcheck shell=sh disable=SC2154 # tmp is of e2e.sh
require tmux

tm() {
	TMUX='' tmux -S "$tmp/socket" -f /dev/null "$@"
}
at_end "TMUX= tmux -S '$tmp/socket' kill-server 2>/dev/null"

screen() {
	tm capture-pane -p
}

# shows REGULAR-EXPRESSION: is it on the screen?
shows() {
	screen | grep -q -e "$1"
}

# expect_screen SECONDS REGULAR-EXPRESSION
expect_screen() {
	wait_for "$1" shows "$2" || {
		fail "not on the screen: $2"
		screen
		finish
	}
}

# type_in COMMAND...: a line for the shell.
type_in() {
	tm send-keys "$*" Enter
}

# The prompt tells the shell's lines from the program's.
tm new-session -d -x 80 -y 24 "env PS1='ready> ' TERM=tmux-256color sh" || skip "tmux does not start"
expect_screen 10 '^ready>'
