/* SPDX-License-Identifier: MIT */
/* The real program on a pseudo terminal: keys in, grid out.  The null engine needs no disk. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/support/ui_pty.h"

TestSuite(pty, .init = begin, .fini = end, .timeout = 90);

Test(pty, start_and_quit_leave_the_terminal_as_it_was)
{
	start();
	cr_assert(pty.alternate);
	cr_assert(iob_pty_wait(&pty, "IOPS", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert(iob_pty_wait(&pty, "keep running", PATIENCE));
	iob_pty_send(&pty, "\r");
	cr_assert(iob_pty_wait_gone(&pty, "keep running", PATIENCE));
	iob_pty_send(&pty, "q3");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert(iob_pty_is_restored(&pty));
	cr_assert_not(pty.saw_query);
}

Test(pty, a_closing_bracket_doubles_the_depth_once_and_marks_once)
{
	start();
	let_two_seconds_pass();
	iob_pty_send(&pty, "]");
	cr_assert(iob_pty_wait(&pty, "QD[8>16]", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 16", PATIENCE));
	cr_assert(iob_pty_wait(&pty, " qd 8>16", PATIENCE));
	let_two_seconds_pass();
	cr_assert_geq(iob_pty_find(&pty, "QD 16"), 0);
	int y = iob_pty_find(&pty, "-now");
	cr_assert_geq(y, 0);
	const char *lane = iob_pty_row(&pty, y + 1);
	cr_assert_not_null(strchr(lane, 'a'), "%s", lane);
	cr_assert_null(strchr(lane, 'b'), "%s", lane);
}

Test(pty, two_keys_in_one_write_both_act)
{
	start();
	iob_pty_send(&pty, "]}");
	cr_assert(iob_pty_wait(&pty, "QD 16  BS 8k", PATIENCE));
}

Test(pty, escape_cancels_a_staged_change)
{
	start();
	iob_pty_send(&pty, "]");
	cr_assert(iob_pty_wait(&pty, "QD[8>16]", PATIENCE));
	iob_pty_send(&pty, "\033");
	cr_assert(iob_pty_wait(&pty, "cancelled", PATIENCE));
	let_two_seconds_pass();
	cr_assert_geq(iob_pty_find(&pty, "QD 8"), 0);
}

/* The gap is what is tested here.  False if the machine made it so long that what follows may be
 * taken for a key. */
static bool gap(int ms)
{
	struct timespec nap = {.tv_nsec = ms * 1000000L};
	uint64_t begun = iob_monotonic_ns();

	nanosleep(&nap, NULL);
	return iob_monotonic_ns() - begun < 900 * IOB_NS_PER_MS;
}

/* Four arrows in three pieces each. */
static bool split_arrow(const char *introducer, int gap_ms)
{
	static const char *const finals = "ABCD";
	bool kept = true;

	for (int i = 0; i < 4; i++) {
		char last[2] = {finals[i], '\0'};

		iob_pty_send(&pty, "\033");
		kept &= gap(gap_ms);
		iob_pty_send(&pty, introducer);
		kept &= gap(gap_ms);
		iob_pty_send(&pty, last);
		kept &= gap(gap_ms);
	}
	return kept;
}

static void arrows_change_nothing(const char *introducer, int gap_ms)
{
	for (unsigned attempt = 1; start(), !split_arrow(introducer, gap_ms); attempt++) {
		cr_assert_lt(attempt, 4, "no gap of %d ms can be kept here", gap_ms);
		iob_pty_close(&pty);
	}
	let_two_seconds_pass();
	cr_assert_geq(iob_pty_find(&pty, "QD 8  BS 4k"), 0);
	cr_assert_geq(iob_pty_find(&pty, "| RUN "), 0);
	cr_assert_eq(iob_pty_find(&pty, "qd 8>"), -1);
}

Test(pty, whole_arrow_keys_change_nothing)
{
	arrows_change_nothing("[", 0);
}

Test(pty, arrow_keys_split_by_40_ms_change_nothing)
{
	arrows_change_nothing("[", 40);
}

Test(pty, arrow_keys_split_by_150_ms_change_nothing)
{
	arrows_change_nothing("[", 150);
}

Test(pty, arrow_keys_split_by_400_ms_change_nothing)
{
	arrows_change_nothing("[", 400);
}

Test(pty, application_arrow_keys_split_by_150_ms_change_nothing)
{
	arrows_change_nothing("O", 150);
}

Test(pty, a_paste_of_brackets_changes_nothing)
{
	char paste[1025];

	memset(paste, ']', sizeof(paste) - 1);
	for (size_t i = 0; i < 1024; i += 3)
		paste[i] = '}';
	paste[1024] = '\0';
	start();
	iob_pty_send(&pty, paste);
	let_two_seconds_pass();
	cr_assert_geq(iob_pty_find(&pty, "QD 8  BS 4k"), 0);
}

static void ended_by(int number)
{
	start();
	cr_assert_eq(kill(pty.pid, number), 0);
	cr_assert_eq(iob_pty_wait_exit(&pty, 20000), 128 + number);
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, sigterm_restores_the_terminal)
{
	ended_by(SIGTERM);
}

Test(pty, sigint_restores_the_terminal)
{
	ended_by(SIGINT);
}

Test(pty, sighup_restores_the_terminal)
{
	ended_by(SIGHUP);
}

Test(pty, sigquit_restores_the_terminal)
{
	ended_by(SIGQUIT);
}

Test(pty, a_crash_restores_the_terminal)
{
	start();
	cr_assert_eq(kill(pty.pid, SIGSEGV), 0);
	int status = iob_pty_wait_exit(&pty, PATIENCE);
	cr_assert_neq(status, 0);
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, control_c_stops_and_shows_the_summary)
{
	start();
	iob_pty_send(&pty, "\003");
	cr_assert(iob_pty_wait(&pty, "| SUMMARY", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "stopped", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, help_opens_over_the_run_and_closes)
{
	start();
	iob_pty_send(&pty, "?");
	cr_assert(iob_pty_wait(&pty, "| HELP", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "iodepth half / double", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "quit; asks during a run", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
}

Test(pty, s_saves_a_file_and_says_its_full_path)
{
	struct stat st;

	start();
	let_two_seconds_pass();
	iob_pty_send(&pty, "s");
	cr_assert(iob_pty_wait(&pty, "Enter saves", PATIENCE));
	/* Ctrl-U clears the proposal. */
	iob_pty_send(&pty, "\025mine.json\r");
	cr_assert(iob_pty_wait(&pty, "ok: saved /tmp/iob-pty-", PATIENCE));
	cr_assert_eq(stat("mine.json", &st), 0);
	cr_assert_gt(st.st_size, 100);
}

Test(pty, a_resize_lays_out_anew)
{
	start();
	iob_pty_resize(&pty, 40, 120);
	cr_assert(iob_pty_wait(&pty, "p99 latency", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "Changes", PATIENCE));
	iob_pty_resize(&pty, 16, 60);
	cr_assert(iob_pty_wait_gone(&pty, "Changes", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 8", PATIENCE));
	for (int i = 0; i < 40; i++)
		iob_pty_resize(&pty, 1 + i * 7 % 50, 1 + i * 37 % 150);
	iob_pty_resize(&pty, 24, 80);
	cr_assert(iob_pty_wait(&pty, "Latency", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "? help  q quit", PATIENCE));
}

Test(pty, a_question_survives_a_resize)
{
	start();
	iob_pty_send(&pty, "s");
	cr_assert(iob_pty_wait(&pty, "Enter saves", PATIENCE));
	iob_pty_send(&pty, "\025half");
	cr_assert(iob_pty_wait(&pty, " half", PATIENCE));
	iob_pty_resize(&pty, 30, 100);
	cr_assert(iob_pty_wait(&pty, "Enter saves", PATIENCE));
	iob_pty_send(&pty, "way.json\r");
	cr_assert(iob_pty_wait(&pty, "halfway.json", PATIENCE));
	cr_assert_eq(access("halfway.json", F_OK), 0);
}

Test(pty, a_terminal_that_does_not_read_holds_up_nothing)
{
	struct timespec pause = {.tv_sec = 3};

	start();
	int before = clock_of_run();
	/* Not reading for a while is what is tested here. */
	nanosleep(&pause, NULL);
	let_two_seconds_pass();
	cr_assert_geq(clock_of_run(), before + 4);
	iob_pty_send(&pty, "q");
	cr_assert(iob_pty_wait(&pty, "keep running", PATIENCE));
}

Test(pty, a_terminal_of_unknown_size_is_taken_for_24x80)
{
	start_sized(0, 0, NULL);
	cr_assert_geq(iob_pty_find(&pty, "Latency"), 0);
}

Test(pty, a_dumb_terminal_gets_the_plain_run)
{
	const char *const argv[] = {
		program(), "--ioengine=null", "--size=1g", "--runtime=1", "--iodepth=8", NULL};
	const char *const env[] = {"TERM=dumb", "LC_ALL=C.UTF-8", NULL};

	cr_assert(iob_pty_open(&pty, 60, 120, argv, env));
	cr_assert_eq(iob_pty_wait_exit(&pty, 20000), 0);
	cr_assert_geq(iob_pty_find(&pty, "no dashboard"), 0);
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, a_pipe_gets_no_escape_sequences)
{
	char command[4096], output[65536];

	snprintf(command, sizeof(command),
		"TERM=xterm %s --ioengine=null --size=1g --runtime=1 --iodepth=8 2>&1 </dev/null",
		program());
	FILE *f = popen(command, "r");
	cr_assert_not_null(f);
	size_t n = fread(output, 1, sizeof(output), f);
	cr_assert_eq(pclose(f), 0);
	cr_assert_gt(n, 0);
	cr_assert_null(memchr(output, '\033', n));
}

Test(pty, no_color_means_no_color)
{
	static const char *const env[] = {
		"TERM=xterm-256color", "NO_COLOR=1", "LINES", "COLUMNS", "LC_ALL=C.UTF-8", NULL};

	start_sized(24, 80, env);
	for (int y = 0; y < 24; y++) {
		for (int x = 0; x < 80; x++) {
			VTermScreenCell cell;

			vterm_screen_get_cell(pty.screen, (VTermPos){.row = y, .col = x}, &cell);
			cr_assert(VTERM_COLOR_IS_DEFAULT_FG(&cell.fg), "row %d column %d", y, x);
		}
	}
}

Test(pty, without_a_target_the_setup_screen_comes_first)
{
	const char *const argv[] = {program(), "--symbols=ascii", NULL};

	cr_assert(iob_pty_open(&pty, 24, 80, argv, environment));
	cr_assert(iob_pty_wait(&pty, "| SETUP", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "scratch", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "latency", PATIENCE));
	iob_pty_send(&pty, "\033");
	iob_pty_send(&pty, "?");
	cr_assert(iob_pty_wait(&pty, "| HELP", PATIENCE));
	iob_pty_send(&pty, "?");
	cr_assert(iob_pty_wait(&pty, "| SETUP", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, a_terminal_that_goes_away_ends_the_program)
{
	uint64_t deadline = iob_monotonic_ns() + PATIENCE * IOB_NS_PER_MS;
	struct timespec nap = {.tv_nsec = 20 * 1000 * 1000};
	pid_t ended = 0;

	start();
	close(pty.slave);
	close(pty.master);
	while ((ended = waitpid(pty.pid, &pty.status, WNOHANG)) == 0 &&
		iob_monotonic_ns() < deadline)
		nanosleep(&nap, NULL);
	cr_assert_eq(ended, pty.pid);
	cr_assert(WIFEXITED(pty.status));
	/* 128 + SIGHUP, or that the report could not be written to where the terminal was. */
	cr_assert(WEXITSTATUS(pty.status) == 128 + SIGHUP || WEXITSTATUS(pty.status) == 1);
	vterm_free(pty.vt);
	pty.pid = 0;
}

Test(pty, control_z_goes_to_the_shell_and_fg_comes_back)
{
	/* The shell gives the program a group of its own; a session leader cannot be stopped. */
	const char *const argv[] = {"/bin/sh", "-mc",
		"\"$0\" \"$@\"; echo STOPPED; read -r x; fg >/dev/null; echo \"exit=$?\"",
		program(), "--ioengine=null", "--rw=randread", "--size=1g", "--runtime=60",
		"--symbols=ascii", NULL};

	cr_assert(iob_pty_open(&pty, 24, 80, argv, environment));
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	iob_pty_send(&pty, "\032");
	cr_assert(iob_pty_wait(&pty, "STOPPED", PATIENCE));
	cr_assert(iob_pty_wait_gone(&pty, "| RUN ", PATIENCE));
	cr_assert(iob_pty_is_restored(&pty));
	iob_pty_send(&pty, "\r");
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	iob_pty_send(&pty, "]");
	cr_assert(iob_pty_wait(&pty, "QD 2", PATIENCE));
	iob_pty_send(&pty, "Q");
	cr_assert(iob_pty_wait(&pty, "exit=0", PATIENCE));
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, frames_stay_within_their_budget_of_bytes)
{
	start();
	/* The first paint, and what has come since. */
	cr_assert_leq(pty.bytes, 3072);
	let_two_seconds_pass();
	size_t before = pty.bytes;
	int from = clock_of_run();
	let_two_seconds_pass();
	size_t seconds = (size_t)(clock_of_run() - from);
	/* The budget: 4 kB a second at four frames a second. */
	cr_assert_leq((pty.bytes - before) / seconds, 4096);
}

Test(pty, a_repaint_in_block_symbols_and_colours_takes_less_than_3_kb)
{
	const char *const argv[] = {program(), "--ioengine=null", "--iodepth=8", "--rw=randrw",
		"--size=1g", "--runtime=60", "--symbols=block", "--refresh=10s", NULL};

	cr_assert(iob_pty_open(&pty, 24, 80, argv, environment));
	cr_assert(iob_pty_wait(&pty, "wr seg", PATIENCE));
	while (iob_pty_pump(&pty, 100))
		continue;
	size_t before = pty.bytes;
	iob_pty_send(&pty, "\014");
	cr_assert(iob_pty_pump(&pty, PATIENCE));
	while (iob_pty_pump(&pty, 100))
		continue;
	cr_assert_gt(pty.bytes - before, 1000);
	cr_assert_leq(pty.bytes - before, 3072);
}

Test(pty, a_line_of_9600_baud_is_not_filled)
{
	static const char *const serial[] = {
		"TERM=vt220", "LINES", "COLUMNS", "NO_COLOR", "LC_ALL=C", "XDG_STATE_HOME", NULL};
	const char *const argv[] = {program(), "--ioengine=null", "--iodepth=8", "--rw=randread",
		"--size=1g", "--runtime=60", "--refresh=1s", NULL};

	cr_assert(iob_pty_open(&pty, 24, 80, argv, serial));
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	let_two_seconds_pass();
	size_t before = pty.bytes;
	int from = clock_of_run();
	let_two_seconds_pass();
	cr_assert_leq((pty.bytes - before) / (size_t)(clock_of_run() - from), 600);
}

Test(pty, the_usual_terminals_are_served_and_restored)
{
	static const char *const names[] = {"TERM=xterm-256color", "TERM=screen", "TERM=tmux",
		"TERM=linux", "TERM=vt100", "TERM=vt220"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *const env[] = {
			names[i], "LINES", "COLUMNS", "XDG_STATE_HOME", "LC_ALL=C.UTF-8", NULL};

		start_sized(24, 80, env);
		iob_pty_send(&pty, "v");
		cr_assert(iob_pty_wait(&pty, "MiB/s", PATIENCE), "%s", names[i]);
		iob_pty_send(&pty, "q3");
		cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0, "%s", names[i]);
		cr_assert(iob_pty_is_restored(&pty), "%s", names[i]);
		cr_assert_not(pty.saw_query, "%s", names[i]);
		iob_pty_close(&pty);
		pty.pid = 0;
	}
}

/* The emulator of the tests does not know how this one repeats a character: no look at the grid. */
Test(pty, an_ansi_terminal_is_served_and_restored)
{
	static const char *const env[] = {
		"TERM=ansi", "LINES", "COLUMNS", "XDG_STATE_HOME", "LC_ALL=C.UTF-8", NULL};
	const char *const argv[] = {
		program(), "--ioengine=null", "--size=1g", "--runtime=60", "--iodepth=8", NULL};

	cr_assert(iob_pty_open(&pty, 24, 80, argv, env));
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	iob_pty_send(&pty, "q3");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, a_plain_locale_gets_plain_characters)
{
	static const char *const env[] = {
		"TERM=xterm-256color", "LINES", "COLUMNS", "XDG_STATE_HOME", "LC_ALL=C", NULL};
	const char *const argv[] = {program(), "--ioengine=null", "--size=1g", "--runtime=60",
		"--iodepth=8", "--symbols=braille", NULL};

	cr_assert(iob_pty_open(&pty, 40, 120, argv, env));
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	let_two_seconds_pass();
	for (int y = 0; y < 40; y++)
		for (const char *p = iob_pty_row(&pty, y); *p; p++)
			cr_assert_eq(*p & 0x80, 0, "row %d: %s", y, iob_pty_row(&pty, y));
}
