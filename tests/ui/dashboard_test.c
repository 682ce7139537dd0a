/* SPDX-License-Identifier: MIT */
/* What someone does with the dashboard: turn, undo, mark, script, set up, compare. */
#include <config.h>

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/ui_pty.h"

TestSuite(dashboard, .init = begin, .fini = end, .timeout = 120);

Test(dashboard, the_command_line_sets_exact_values_and_undo_takes_them_back)
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

Test(dashboard, enter_asks_for_the_focused_value)
{
	start();
	iob_pty_send(&pty, "l\r");
	cr_assert(iob_pty_wait(&pty, "Value of bs", PATIENCE));
	iob_pty_send(&pty, "\02512k\r");
	cr_assert(iob_pty_wait(&pty, "BS 12k", PATIENCE));
}

Test(dashboard, a_reset_begins_a_segment_and_a_mark_is_listed)
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

Test(dashboard, the_first_write_is_asked_for_and_begins_another_run)
{
	const char *const argv[] = {program(), "data", "--ioengine=psync", "--iodepth=1",
		"--direct=0", "--bs=4k", "--runtime=60", "--symbols=ascii", NULL};
	FILE *f = fopen("data", "w");

	cr_assert(f && ftruncate(fileno(f), 1 << 20) == 0 && fclose(f) == 0);
	cr_assert(iob_pty_open(&pty, 24, 80, argv, environment));
	cr_assert(iob_pty_wait(&pty, "start: qd 1", PATIENCE));
	iob_pty_send(&pty, "<");
	cr_assert(iob_pty_wait(&pty, "FIRST WRITE", PATIENCE));
	iob_pty_send(&pty, "dat\r");
	cr_assert(iob_pty_wait(&pty, "type exactly data", PATIENCE));
	iob_pty_send(&pty, "a\r");
	cr_assert(iob_pty_wait(&pty, "RD 95%", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "start: qd 1 bs 4k jobs 1 randrw", PATIENCE));
	iob_pty_send(&pty, ":bs 8k\r");
	cr_assert(iob_pty_wait(&pty, "BS 8k", PATIENCE));
	iob_pty_send(&pty, "S");
	cr_assert(iob_pty_wait(&pty, "Start again?", PATIENCE));
	iob_pty_send(&pty, "y");
	cr_assert(iob_pty_wait(&pty, "start: qd 1 bs 8k", PATIENCE));
}

Test(dashboard, the_changes_of_a_run_are_made_again)
{
	start();
	iob_pty_send(&pty, ":qd 24\r");
	cr_assert(iob_pty_wait(&pty, "QD 24", PATIENCE));
	iob_pty_send(&pty, "\0331" /* Esc 1 */);
	cr_assert(iob_pty_wait(&pty, "HELP", PATIENCE));
	iob_pty_send(&pty, "q");
	iob_pty_send(&pty, "\0339" /* F9 */);
	cr_assert(iob_pty_wait(&pty, "SUMMARY", PATIENCE));
	iob_pty_send(&pty, "R");
	cr_assert(iob_pty_wait(&pty, "QD 8", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 24", PATIENCE));
	iob_pty_send(&pty, "Q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
	cr_assert(iob_pty_is_restored(&pty));
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

Test(dashboard, a_script_turns_looks_saves_and_leaves)
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

Test(dashboard, a_wrong_line_ends_a_script_with_its_number)
{
	write_script("sleep 100ms\nqd many\nq\n");
	cr_assert_eq(run_script(), 2);
	cr_assert(iob_pty_wait(&pty, "script=script:2: ", PATIENCE));
	cr_assert(iob_pty_is_restored(&pty));
}

Test(dashboard, nothing_is_saved_over_the_target)
{
	static const char *const commands[] = {"save ./measured", "dump ./measured"};
	const char *const argv[] = {program(), "measured", "--ioengine=psync", "--direct=0",
		"--rw=randread", "--runtime=60", "--no-save", "--symbols=ascii", "--script=script",
		NULL};
	char script[64];
	struct stat st;

	cr_assert_eq(system("head -c 1048576 /dev/zero >measured"), 0);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		snprintf(script, sizeof(script), "sleep 300ms\n%s\nq\n", commands[i]);
		write_script(script);
		if (i > 0)
			iob_pty_close(&pty);
		cr_assert(iob_pty_open(&pty, 70, 80, argv, environment));
		cr_assert_eq(iob_pty_wait_exit(&pty, 40000), 2);
		cr_assert(iob_pty_wait(&pty, "measured is the target", PATIENCE));
		cr_assert_eq(stat("measured", &st), 0);
		cr_assert_eq(st.st_size, 1048576, "replaced by \"%s\"", commands[i]);
	}
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

Test(dashboard, a_run_is_kept_unless_it_is_not_to_be)
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

Test(dashboard, a_run_is_kept_when_the_line_is_hung_up)
{
	start();
	let_two_seconds_pass();
	cr_assert_eq(kill(pty.pid, SIGHUP), 0);
	cr_assert_eq(iob_pty_wait_exit(&pty, 20000), 128 + SIGHUP);
	cr_assert_eq(kept_runs(), 1);
}

Test(dashboard, a_run_is_kept_elsewhere_if_its_place_cannot_be_written)
{
	static const char *const nowhere[] = {"TERM=xterm-256color", "LINES", "COLUMNS",
		"LC_ALL=C.UTF-8", "XDG_STATE_HOME=/proc/nowhere", "TMPDIR=/proc/nowhere", NULL};

	start_sized(24, 80, nowhere);
	let_two_seconds_pass();
	iob_pty_send(&pty, ":stop\r");
	cr_assert(iob_pty_wait(&pty, "kept: /var/tmp/iotop-bench-", PATIENCE));
	char path[256];
	const char *at = strstr(iob_pty_row(&pty, iob_pty_find(&pty, "kept: ")), "/var");
	cr_assert_eq(sscanf(at, "%255s", path), 1);
	cr_assert_eq(unlink(path), 0);
	iob_pty_send(&pty, "s");
	cr_assert(iob_pty_wait(&pty, "Enter saves", PATIENCE));
	iob_pty_send(&pty, "\025here.csv\r");
	cr_assert(iob_pty_wait(&pty, "ok: saved", PATIENCE));
	cr_assert_eq(access("here.csv", R_OK), 0);
}

Test(dashboard, options_that_are_kept_are_read_again)
{
	const char *const argv[] = {
		program(), "--ioengine=null", "--size=1g", "--runtime=60", NULL};
	char line[128] = "";

	cr_assert(iob_pty_open(&pty, 24, 80, argv, environment));
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	iob_pty_send(&pty, "o");
	cr_assert(iob_pty_wait(&pty, "| OPTIONS", PATIENCE));
	iob_pty_send(&pty, "s");
	cr_assert(iob_pty_wait(&pty, "kept for the next time", PATIENCE));
	FILE *f = fopen(".config/iotop-bench/config", "r");
	cr_assert_not_null(f);
	while (fgets(line, sizeof(line), f) && !strstr(line, "symbols"))
		continue;
	fclose(f);
	cr_assert_str_eq(line, "symbols = auto\n");
}

static void open_setup(int rows, int cols)
{
	const char *const argv[] = {
		program(), "--symbols=ascii", "--runtime=3", "--size=64m", NULL};

	cr_assert(iob_pty_open(&pty, rows, cols, argv, environment));
	cr_assert(iob_pty_wait(&pty, "| SETUP", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "Parameters", PATIENCE));
}

Test(dashboard, the_setup_form_steps_lists_and_types_values)
{
	open_setup(40, 120);
	cr_assert(iob_pty_wait(&pty, "qd 32; 4k randread", PATIENCE));
	iob_pty_send(&pty, "\t\tjjjjj");
	cr_assert(iob_pty_wait(&pty, "> iodepth", PATIENCE));
	iob_pty_send(&pty, "+");
	cr_assert(iob_pty_wait(&pty, "qd 64; 4k", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "(edited)", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "--iodepth=64", PATIENCE));
	iob_pty_send(&pty, "\r");
	cr_assert(iob_pty_wait(&pty, "Enter sets it", PATIENCE));
	iob_pty_send(&pty, "\02548x\r");
	cr_assert(iob_pty_wait(&pty, "iodepth=48x", PATIENCE));
	iob_pty_send(&pty, "\02548\r");
	cr_assert(iob_pty_wait(&pty, "qd 48; 4k", PATIENCE));
	/* A list of words. */
	iob_pty_send(&pty, "g\r");
	cr_assert(iob_pty_wait(&pty, "Enter takes it", PATIENCE));
	iob_pty_send(&pty, "2");
	cr_assert(iob_pty_wait(&pty, "4k write", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "--rw=write", PATIENCE));
	iob_pty_send(&pty, "q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
}

Test(dashboard, a_job_file_is_a_choice_beside_the_profiles)
{
	FILE *f = fopen("two.fio", "w");

	cr_assert_not_null(f);
	fputs("[global]\nioengine=null\nsize=64m\ntime_based\nruntime=9\n[first]\nrw=read\nbs=128k\n"
	      "[second]\nstonewall\nrw=randread\nbs=4k\niodepth=16\n",
		f);
	cr_assert_eq(fclose(f), 0);
	open_setup(24, 80);
	cr_assert(iob_pty_wait(&pty, "job file ", PATIENCE));
	iob_pty_send(&pty, "\tG");
	cr_assert(iob_pty_wait(&pty, "No job file yet", PATIENCE));
	iob_pty_send(&pty, "\r");
	cr_assert(iob_pty_wait(&pty, "Enter reads it", PATIENCE));
	iob_pty_send(&pty, "nowhere.fio\r");
	cr_assert(iob_pty_wait(&pty, "ERR: ", PATIENCE));
	iob_pty_send(&pty, "f");
	cr_assert(iob_pty_wait(&pty, "Enter reads it", PATIENCE));
	iob_pty_send(&pty, "two.fio\r");
	cr_assert(iob_pty_wait(&pty, "two.fio: 2 stages", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "stage 1 of 2: 1 job, qd 1; 128k read", PATIENCE));
	/* The second stage; what stood on the command line holds, too. */
	iob_pty_send(&pty, "G");
	cr_assert(iob_pty_wait(&pty, "stage 2 of 2: 1 job, qd 16; 4k randread", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "--jobfile=two.fio --runtime=3s", PATIENCE));
	iob_pty_send(&pty, "S");
	cr_assert(iob_pty_wait(&pty, "TWO.FIO | RUN 1/2", PATIENCE));
	iob_pty_send(&pty, "Q");
	cr_assert_eq(iob_pty_wait_exit(&pty, PATIENCE), 0);
}

Test(dashboard, arrows_in_a_value_step_it)
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

Test(dashboard, a_run_from_the_setup_screen_is_remembered_and_compared)
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

Test(dashboard, options_are_in_force_at_once)
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

Test(dashboard, the_mouse_chooses_panels_and_presses_hints)
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

Test(dashboard, the_rate_is_capped_turned_and_freed)
{
	start_sized(40, 120, NULL);
	let_two_seconds_pass();
	cr_assert(iob_pty_wait(&pty, "CAP off", PATIENCE));
	iob_pty_send(&pty, "(");
	cr_assert(iob_pty_wait(&pty, "no cap to turn", PATIENCE));
	iob_pty_send(&pty, "c");
	cr_assert(iob_pty_wait(&pty, "CAP[off>", PATIENCE));
	cr_assert(iob_pty_wait(&pty, " cap off>", PATIENCE));
	iob_pty_send(&pty, ":cap 20k\r");
	cr_assert(iob_pty_wait(&pty, "CAP 20.0k", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "rd int.", PATIENCE));
	iob_pty_send(&pty, ")");
	cr_assert(iob_pty_wait(&pty, "CAP 22.0k", PATIENCE));
	iob_pty_send(&pty, "u");
	cr_assert(iob_pty_wait(&pty, "CAP 20.0k", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "undone, in force", PATIENCE));
	iob_pty_send(&pty, "c");
	cr_assert(iob_pty_wait(&pty, "CAP off", PATIENCE));
}

Test(dashboard, a_sweep_says_its_knee_and_the_report_has_the_table)
{
	start_sized(60, 120, NULL);
	let_two_seconds_pass();
	iob_pty_send(&pty, ":sweep iodepth=1..4 1s\r");
	cr_assert(iob_pty_wait(&pty, "sweep 2/3 iodepth 2", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "knee: iodepth", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 4", PATIENCE));
	iob_pty_send(&pty, ":save out.txt\r");
	cr_assert(iob_pty_wait(&pty, "saved ", PATIENCE));
	cr_assert_eq(system("grep -q 'of the most IOPS' out.txt"), 0);
}

Test(dashboard, a_sweep_of_the_command_line_is_driven)
{
	const char *const argv[] = {program(), "--ioengine=null", "--sweep=iodepth=1..4",
		"--runtime=3", "--symbols=ascii", NULL};

	cr_assert(iob_pty_open(&pty, 24, 80, argv, environment));
	cr_assert(iob_pty_wait(&pty, "QD 2", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 4", PATIENCE));
}
