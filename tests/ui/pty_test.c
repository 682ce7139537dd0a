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
#include "tests/support/pty.h"

#define PATIENCE 10000

static const char *const environment[] = {"TERM=xterm-256color", "LINES", "COLUMNS", "ESCDELAY",
	"NO_COLOR", "XDG_STATE_HOME", "SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT", "LC_ALL=C.UTF-8",
	NULL};

static struct iob_pty pty;
static char home[64];

static const char *program(void)
{
	const char *path = getenv("IOB_PROGRAM");

	if (!path || access(path, X_OK) != 0)
		cr_skip_test("IOB_PROGRAM does not name the program");
	return path;
}

static void begin(void)
{
	snprintf(home, sizeof(home), "/tmp/iob-pty-XXXXXX");
	cr_assert_not_null(mkdtemp(home));
	cr_assert_eq(chdir(home), 0);
	setenv("HOME", home, 1);
}

static void end(void)
{
	char command[128];

	if (pty.pid)
		iob_pty_close(&pty);
	cr_assert_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf %s", home);
	cr_assert_eq(system(command), 0);
}

TestSuite(pty, .init = begin, .fini = end, .timeout = 90);

static void start_sized(int rows, int cols, const char *const *env)
{
	const char *const argv[] = {program(), "--ioengine=null", "--iodepth=8", "--rw=randread",
		"--bs=4k", "--size=1g", "--runtime=60", "--numjobs=1", "--symbols=ascii", NULL};

	cr_assert(iob_pty_open(&pty, rows, cols, argv, env ? env : environment));
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 8", PATIENCE));
}

static void start(void)
{
	start_sized(24, 80, NULL);
}

static int clock_of_run(void)
{
	int minutes = 0, seconds = 0;
	const char *at = strstr(iob_pty_row(&pty, 0), "RUN ");

	cr_assert_not_null(at, "no clock in \"%s\"", iob_pty_row(&pty, 0));
	cr_assert_eq(sscanf(at, "RUN %d:%d", &minutes, &seconds), 2);
	return minutes * 60 + seconds;
}

/* Until the clock of the run has shown two more seconds: a fence behind which a staged change would
 * have been seen. */
static void let_two_seconds_pass(void)
{
	uint64_t deadline = iob_monotonic_ns() + PATIENCE * IOB_NS_PER_MS;

	while (iob_pty_pump(&pty, 0))
		;
	int later = clock_of_run() + 2;
	while (clock_of_run() < later && iob_monotonic_ns() < deadline)
		iob_pty_pump(&pty, 100);
	cr_assert_geq(clock_of_run(), later);
}

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

Test(pty, the_command_line_sets_exact_values_and_undo_takes_them_back)
{
	start();
	iob_pty_send(&pty, ":");
	cr_assert(iob_pty_wait(&pty, "Enter does it", PATIENCE));
	iob_pty_send(&pty, "qd 24\r");
	cr_assert(iob_pty_wait(&pty, "QD 24", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "in force within", PATIENCE));
	iob_pty_send(&pty, "u");
	cr_assert(iob_pty_wait(&pty, "undone, in force", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 8", PATIENCE));
	iob_pty_send(&pty, "\022");
	cr_assert(iob_pty_wait(&pty, "redone, in force", PATIENCE));
	iob_pty_send(&pty, ":zom 3\r");
	cr_assert(iob_pty_wait(&pty, "did you mean zoom", PATIENCE));
}

Test(pty, enter_asks_for_the_focused_value)
{
	start();
	iob_pty_send(&pty, "l\r");
	cr_assert(iob_pty_wait(&pty, "Value of bs", PATIENCE));
	iob_pty_send(&pty, "\02512k\r");
	cr_assert(iob_pty_wait(&pty, "BS 12k", PATIENCE));
}

Test(pty, a_reset_begins_a_segment_and_a_mark_is_listed)
{
	start();
	iob_pty_send(&pty, "r");
	cr_assert(iob_pty_wait(&pty, "statistics begin anew", PATIENCE));
	cr_assert(iob_pty_wait(&pty, " reset", PATIENCE));
	iob_pty_send(&pty, "m");
	cr_assert(iob_pty_wait(&pty, "What happened now", PATIENCE));
	iob_pty_send(&pty, "fan off\r");
	cr_assert(iob_pty_wait(&pty, "fan off", PATIENCE));
	cr_assert(iob_pty_wait_gone(&pty, "What happened now", PATIENCE));
}

static void write_script(const char *text)
{
	FILE *f = fopen("script", "w");

	cr_assert_not_null(f);
	fputs(text, f);
	cr_assert_eq(fclose(f), 0);
}

static int run_script(void)
{
	const char *const argv[] = {program(), "--ioengine=null", "--iodepth=8", "--rw=randread",
		"--bs=4k", "--size=1g", "--runtime=60", "--numjobs=1", "--symbols=ascii",
		"--script=script", NULL};

	/* High enough for the report that follows. */
	cr_assert(iob_pty_open(&pty, 70, 80, argv, environment));
	return iob_pty_wait_exit(&pty, 40000);
}

Test(pty, a_script_turns_looks_saves_and_leaves)
{
	char text[8192];

	write_script(
		"# turn, look, save\nsleep 500ms\nqd 16\nbs 8k\nundo\nmark here\nview p99\n"
		"zoom 2\nyaxis log\nsleep 500ms\ndump screen.txt\nsave out.json\nsave out.txt\nq\n");
	cr_assert_eq(run_script(), 0);
	cr_assert(iob_pty_is_restored(&pty));
	FILE *f = fopen("screen.txt", "r");
	cr_assert_not_null(f);
	size_t n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	cr_assert_not_null(strstr(text, "QD 16  BS 4k"), "%s", text);
	cr_assert_not_null(strstr(text, "p99 latency"), "%s", text);
	cr_assert_not_null(strstr(text, "2 s/col"), "%s", text);
	cr_assert_not_null(strstr(text, "! 00:0"), "%s", text);
	cr_assert_eq(access("out.json", R_OK), 0);
	f = fopen("out.txt", "r");
	cr_assert_not_null(f);
	cr_assert_eq(fgetc(f) == '{', 0);
	fclose(f);
}

Test(pty, a_wrong_line_ends_a_script_with_its_number)
{
	write_script("sleep 100ms\nqd many\nq\n");
	cr_assert_eq(run_script(), 2);
	cr_assert(iob_pty_wait(&pty, "script=script:2: ", PATIENCE));
	cr_assert(iob_pty_is_restored(&pty));
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

static void split_arrow(const char *introducer, int gap_ms)
{
	static const char *const finals = "ABCD";
	struct timespec gap = {.tv_nsec = gap_ms * 1000000L};

	for (int i = 0; i < 4; i++) {
		char last[2] = {finals[i], '\0'};

		/* The gap is what is tested here. */
		iob_pty_send(&pty, "\033");
		nanosleep(&gap, NULL);
		iob_pty_send(&pty, introducer);
		nanosleep(&gap, NULL);
		iob_pty_send(&pty, last);
		nanosleep(&gap, NULL);
	}
}

static void arrows_change_nothing(const char *introducer, int gap_ms)
{
	start();
	split_arrow(introducer, gap_ms);
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

/* Number of runs in the state directory below the home of the test. */
static int kept_runs(void)
{
	int n = 0;
	FILE *f = popen("ls .local/state/iotop-bench 2>/dev/null | grep -c '^null-.*json$'", "r");

	cr_assert_not_null(f);
	cr_assert_eq(fscanf(f, "%d", &n), 1);
	pclose(f);
	return n;
}

Test(pty, a_run_is_kept_unless_it_is_not_to_be)
{
	start();
	let_two_seconds_pass();
	iob_pty_send(&pty, "q3");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert_eq(kept_runs(), 1);
	iob_pty_close(&pty);
	const char *const argv[] = {program(), "--ioengine=null", "--size=1g", "--runtime=1",
		"--iodepth=8", "--no-save", NULL};
	cr_assert(iob_pty_open(&pty, 24, 80, argv, environment));
	cr_assert(iob_pty_wait(&pty, "| SUMMARY", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert_eq(kept_runs(), 1);
}

Test(pty, a_run_is_kept_when_the_line_is_hung_up)
{
	start();
	let_two_seconds_pass();
	cr_assert_eq(kill(pty.pid, SIGHUP), 0);
	cr_assert_eq(iob_pty_wait_exit(&pty, 20000), 128 + SIGHUP);
	cr_assert_eq(kept_runs(), 1);
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

Test(pty, frames_stay_within_their_budget_of_bytes)
{
	start();
	let_two_seconds_pass();
	size_t before = pty.bytes;
	int from = clock_of_run();
	let_two_seconds_pass();
	size_t seconds = (size_t)(clock_of_run() - from);
	/* The budget: 4 kB a second at four frames a second. */
	cr_assert_leq((pty.bytes - before) / seconds, 4096);
}

static void open_setup(int rows, int cols)
{
	const char *const argv[] = {
		program(), "--symbols=ascii", "--runtime=3", "--size=64m", NULL};

	cr_assert(iob_pty_open(&pty, rows, cols, argv, environment));
	cr_assert(iob_pty_wait(&pty, "| SETUP", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "Parameters", PATIENCE));
}

Test(pty, the_setup_form_steps_lists_and_types_values)
{
	open_setup(40, 120);
	cr_assert(iob_pty_wait(&pty, "32 in flight; 4k randread", PATIENCE));
	iob_pty_send(&pty, "\t\tjjjjj");
	cr_assert(iob_pty_wait(&pty, "> iodepth", PATIENCE));
	iob_pty_send(&pty, "+");
	cr_assert(iob_pty_wait(&pty, "= 64 in flight", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "(edited)", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "--iodepth=64", PATIENCE));
	iob_pty_send(&pty, "\r");
	cr_assert(iob_pty_wait(&pty, "Enter sets it", PATIENCE));
	iob_pty_send(&pty, "\02548x\r");
	cr_assert(iob_pty_wait(&pty, "iodepth=48x", PATIENCE));
	iob_pty_send(&pty, "\02548\r");
	cr_assert(iob_pty_wait(&pty, "= 48 in flight", PATIENCE));
	/* A list of words. */
	iob_pty_send(&pty, "g\r");
	cr_assert(iob_pty_wait(&pty, "Enter takes it", PATIENCE));
	iob_pty_send(&pty, "2");
	cr_assert(iob_pty_wait(&pty, "4k write", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "--rw=write", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
}

Test(pty, arrows_in_a_value_step_it)
{
	open_setup(24, 80);
	iob_pty_send(&pty, "\t\tjj\r");
	cr_assert(iob_pty_wait(&pty, "Enter sets it", PATIENCE));
	iob_pty_send(&pty, "\033OA");
	cr_assert(iob_pty_wait(&pty, "| 8k", PATIENCE));
	iob_pty_send(&pty, "\r");
	cr_assert(iob_pty_wait(&pty, "8k randread", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
}

Test(pty, a_run_from_the_setup_screen_is_remembered_and_compared)
{
	open_setup(40, 120);
	iob_pty_send(&pty, "f");
	cr_assert(iob_pty_wait(&pty, "Enter takes it", PATIENCE));
	iob_pty_send(&pty, home);
	iob_pty_send(&pty, "/\r");
	cr_assert(iob_pty_wait(&pty, "file       /tmp/iob-pty", PATIENCE));
	/* Not all file systems of /tmp have direct I/O. */
	iob_pty_send(&pty, "\t\tjjjjjjj");
	cr_assert(iob_pty_wait(&pty, "> direct", PATIENCE));
	iob_pty_send(&pty, "-");
	cr_assert(iob_pty_wait(&pty, "buffered", PATIENCE));
	iob_pty_send(&pty, "S");
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "| SUMMARY", 20000));
	cr_assert(iob_pty_wait(&pty, "Can this be trusted?", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "kept: /tmp/iob-pty", PATIENCE));
	iob_pty_send(&pty, "S");
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "| SUMMARY", 20000));
	iob_pty_send(&pty, "C");
	cr_assert(iob_pty_wait(&pty, "| COMPARE", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "[A ]", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "[ B]", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "read p99 us", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "Same settings? yes", PATIENCE));
	iob_pty_send(&pty, "x");
	cr_assert(iob_pty_wait(&pty, "[ B]", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert(iob_pty_wait(&pty, "| SUMMARY", PATIENCE));
	iob_pty_send(&pty, "\033");
	cr_assert(iob_pty_wait(&pty, "| SETUP", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert(iob_pty_is_restored(&pty));
}

Test(pty, options_are_in_force_at_once)
{
	start();
	iob_pty_send(&pty, "o");
	cr_assert(iob_pty_wait(&pty, "| OPTIONS", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "ascii (ascii)", PATIENCE));
	iob_pty_send(&pty, "h");
	cr_assert(iob_pty_wait(&pty, "console (console)", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "\u2500", PATIENCE));
	iob_pty_send(&pty, "jjl");
	cr_assert(iob_pty_wait(&pty, "500 ms", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
}

Test(pty, the_mouse_chooses_panels_and_presses_hints)
{
	start();
	iob_pty_send(&pty, ":");
	cr_assert(iob_pty_wait(&pty, "Enter does it", PATIENCE));
	iob_pty_send(&pty, "mouse on\r");
	cr_assert(iob_pty_wait_gone(&pty, "Enter does it", PATIENCE));
	/* On "]" in the last line, as xterm reports a press and a release. */
	int y = iob_pty_find(&pty, "[ ] qd");
	cr_assert_geq(y, 0);
	char press[64];
	snprintf(press, sizeof(press), "\033[<0;4;%dM\033[<0;4;%dm", y + 1, y + 1);
	iob_pty_send(&pty, press);
	cr_assert(iob_pty_wait(&pty, "QD 16", PATIENCE));
	iob_pty_send(&pty, "q3");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert(iob_pty_is_restored(&pty));
}
