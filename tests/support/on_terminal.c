/* SPDX-License-Identifier: MIT */
/*
 * on_terminal STEP... -- COMMAND...: run the command on a terminal of its own and play the steps:
 *	see=TEXT       wait until it is on the screen
 *	send=KEYS      type; ^X is a control character
 *	signal=NAME    send the signal to the command
 *	load=NAME      send it to the load process, the command's child
 *	wait=MS        let time pass
 *	sizes=N        the terminal takes N sizes in turn, small and large ones, and its own
 *	flow=off       its output is stopped, as by Ctrl-S
 *	deaf           it is large, and from now on nobody reads what it shows
 *	hangup         the terminal goes away
 *	exit=STATUS    wait until the command has ended so (128 + n: by a signal)
 *	restored       line settings, screen and cursor are as before
 * Exit status 0 if all came true; what did not is said on stderr.
 */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/support/pty.h"

#define PATIENCE 8000

static const char *const environment[] = {"TERM=xterm-256color", "LINES", "COLUMNS", "ESCDELAY",
	"NO_COLOR", "SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT", "LC_ALL=C.UTF-8", NULL};

static const char *value_of(const char *step, const char *name)
{
	size_t n = strlen(name);

	return strncmp(step, name, n) == 0 && step[n] == '=' ? step + n + 1 : NULL;
}

static int signal_number(const char *name)
{
	for (int i = 1; i < NSIG; i++)
		if (sigabbrev_np(i) && strcmp(sigabbrev_np(i), name) == 0)
			return i;
	fprintf(stderr, "on_terminal: no signal %s\n", name);
	exit(2);
}

static pid_t child_of(pid_t pid)
{
	char path[64];
	int child = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *f = fopen(path, "re");
	if (!f || fscanf(f, "%d", &child) != 1)
		child = 0;
	if (f)
		fclose(f);
	return child;
}

static bool type_in(struct iob_pty *p, const char *keys)
{
	char key[2] = "";

	for (; *keys; keys++) {
		key[0] = *keys;
		if (*keys == '^' && keys[1])
			key[0] = (char)(*++keys & 0x1f);
		iob_pty_send(p, key);
	}
	return true;
}

static bool let_pass(struct iob_pty *p, int ms)
{
	uint64_t until = iob_monotonic_ns() + (uint64_t)ms * IOB_NS_PER_MS;

	while (iob_monotonic_ns() < until)
		iob_pty_pump(p, 20);
	return true;
}

static bool change_sizes(struct iob_pty *p, int n)
{
	unsigned seed = 1;

	for (int i = 0; i < n; i++) {
		seed = seed * 1103515245 + 12345;
		int rows = 1 + (int)(seed >> 8) % 60, cols = 1 + (int)(seed >> 16) % 300;

		iob_pty_resize(p, i % 7 ? rows : 1, i % 5 ? cols : 1);
		kill(p->pid, SIGWINCH);
	}
	iob_pty_resize(p, 24, 80);
	return true;
}

static bool deaf;

/* Until a whole screen does not fit into what the kernel keeps for us. */
static bool go_deaf(struct iob_pty *p)
{
	iob_pty_resize(p, 250, 500);
	kill(p->pid, SIGWINCH);
	iob_sleep_until(iob_now_ns() + 3 * IOB_NS_PER_S / 2);
	deaf = true;
	return true;
}

static bool stop_output(struct iob_pty *p)
{
	return tcflow(p->slave, TCOOFF) == 0;
}

static void wait_unread(const struct iob_pty *p)
{
	uint64_t until = iob_monotonic_ns() + (uint64_t)PATIENCE * IOB_NS_PER_MS;
	siginfo_t info = {.si_pid = 0};

	while (info.si_pid == 0 && iob_monotonic_ns() < until) {
		iob_sleep_until(iob_now_ns() + 20 * IOB_NS_PER_MS);
		if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
			return;
	}
	if (info.si_pid == 0)
		kill(p->pid, SIGKILL);
}

static bool ends_with(struct iob_pty *p, const char *status)
{
	if (deaf)
		wait_unread(p);
	int got = iob_pty_wait_exit(p, PATIENCE);

	if (got == atoi(status))
		return true;
	fprintf(stderr, "on_terminal: ended with %d\n", got);
	iob_pty_dump(p);
	return false;
}

/* A terminal that is gone is no longer looked at: its end has come when the process has. */
static bool hang_up(struct iob_pty *p)
{
	close(p->slave);
	close(p->master);
	p->master = p->slave = -1;
	return true;
}

static bool play(struct iob_pty *p, const char *step)
{
	const char *value;

	if ((value = value_of(step, "see")))
		return iob_pty_wait(p, value, PATIENCE);
	if ((value = value_of(step, "send")))
		return type_in(p, value);
	if ((value = value_of(step, "signal")))
		return kill(p->pid, signal_number(value)) == 0;
	if ((value = value_of(step, "load")))
		return child_of(p->pid) > 0 && kill(child_of(p->pid), signal_number(value)) == 0;
	if ((value = value_of(step, "wait")))
		return let_pass(p, atoi(value));
	if ((value = value_of(step, "sizes")))
		return change_sizes(p, atoi(value));
	if ((value = value_of(step, "exit")))
		return ends_with(p, value);
	if (strcmp(step, "flow=off") == 0)
		return stop_output(p);
	if (strcmp(step, "deaf") == 0)
		return go_deaf(p);
	if (strcmp(step, "hangup") == 0)
		return hang_up(p);
	if (strcmp(step, "restored") == 0)
		return iob_pty_is_restored(p);
	fprintf(stderr, "on_terminal: %s: no such step\n", step);
	exit(2);
}

int main(int argc, char **argv)
{
	struct iob_pty p;
	int command = 1, status = 0;

	signal(SIGPIPE, SIG_IGN);
	while (command < argc && strcmp(argv[command], "--") != 0)
		command++;
	if (command >= argc - 1) {
		fprintf(stderr, "usage: on_terminal STEP... -- COMMAND...\n");
		return 2;
	}
	const char *args[64] = {NULL};
	for (int i = command + 1; i < argc && i - command < 64; i++)
		args[i - command - 1] = argv[i];
	if (!iob_pty_open(&p, 24, 80, args, environment)) {
		fprintf(stderr, "on_terminal: no terminal: %m\n");
		return 77;
	}
	for (int i = 1; i < command && status == 0; i++)
		if (!play(&p, argv[i])) {
			fprintf(stderr, "on_terminal: %s: did not come true\n", argv[i]);
			if (p.master >= 0)
				iob_pty_dump(&p);
			status = 1;
		}
	iob_pty_close(&p);
	return status;
}
