/* SPDX-License-Identifier: MIT */
/*
 * Runs a command and says what its whole tree of processes took, as one line of JSON in a file:
 * wall and CPU time in seconds, and, if asked for, the highest sum of the processes' memory (their
 * proportional share of each page, so that shared pages count once).
 *	spend [--memory] [--pty=SECONDS] OUT COMMAND...
 * With --pty the command has a terminal of 80x24 whose output is thrown away, and "q" is typed
 * after so many seconds, again each second until it ends.
 */
#include <config.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define LOOK_NS      (20 * IOB_NS_PER_MS)
#define MOST_IN_TREE 4096

struct process {
	pid_t pid, parent;
	bool ours;
};

struct spent {
	uint64_t start_ns, end_ns;
	double cpu_s;
	unsigned long peak_kib;
	int status; /* of the command itself, as wait gives it */
};

_Noreturn static void die(const char *what)
{
	fprintf(stderr, "spend: %s: %m\n", what);
	exit(125);
}

static unsigned list_processes(struct process *list)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	unsigned n = 0;

	while (dir && n < MOST_IN_TREE && (entry = readdir(dir))) {
		char path[300];
		int parent;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		IOB_FILE FILE *f = fopen(path, "re");
		/* The name may hold anything; ours hold no closing bracket. */
		if (!f || fscanf(f, "%*d (%*[^)]) %*c %d", &parent) != 1)
			continue;
		list[n++] = (struct process){
			.pid = (pid_t)strtol(entry->d_name, NULL, 10), .parent = parent};
	}
	if (dir)
		closedir(dir);
	return n;
}

static void mark_tree(struct process *list, unsigned n)
{
	bool more = true;

	while (more) {
		more = false;
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < n && !list[i].ours; j++)
				if (list[i].parent == getpid() ||
					(list[j].ours && list[j].pid == list[i].parent))
					more = list[i].ours = true;
	}
}

static unsigned long share_of(pid_t pid)
{
	char path[64], line[160];
	unsigned long kib;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	IOB_FILE FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Pss: %lu kB", &kib) == 1)
			return kib;
	return 0;
}

static void look_at_memory(struct spent *s)
{
	static struct process list[MOST_IN_TREE];
	unsigned n = list_processes(list);
	unsigned long sum = 0;

	mark_tree(list, n);
	for (unsigned i = 0; i < n; i++)
		if (list[i].ours)
			sum += share_of(list[i].pid);
	if (sum > s->peak_kib)
		s->peak_kib = sum;
}

/* Reap what has ended; false when nothing is left.  A child's figures hold those of its own
 * children that it waited for, and the orphans come to us. */
static bool reap(struct spent *s, pid_t command)
{
	struct rusage u;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &u)) > 0) {
		s->cpu_s += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
			    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
		if (pid == command) {
			s->status = status;
			s->end_ns = iob_monotonic_ns();
		}
	}
	return pid == 0;
}

/* Read and forget what the terminal shows; type when it is time. */
static void serve_terminal(int master, uint64_t *type_at_ns)
{
	char text[65536];
	struct pollfd p = {.fd = master, .events = POLLIN};

	if (poll(&p, 1, (int)(LOOK_NS / IOB_NS_PER_MS)) > 0 && read(master, text, sizeof(text)) < 0)
		usleep(LOOK_NS / IOB_NS_PER_US);
	if (iob_monotonic_ns() < *type_at_ns)
		return;
	if (write(master, "q", 1) < 0 && errno != EIO)
		die("typing");
	*type_at_ns += IOB_NS_PER_S;
}

static pid_t launch(char **command, bool pty, int *master)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	pid_t pid = pty ? forkpty(master, NULL, NULL, &size) : fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		if (pty)
			setenv("TERM", "xterm-256color", 1);
		execvp(command[0], command);
		die(command[0]);
	}
	return pid;
}

static int report(const char *path, const struct spent *s)
{
	IOB_FILE FILE *f = fopen(path, "we");

	if (!f)
		die(path);
	fprintf(f, "{\"wall_s\":%.6f,\"cpu_s\":%.6f,\"peak_kib\":%lu}\n",
		(double)(s->end_ns - s->start_ns) / 1e9, s->cpu_s, s->peak_kib);
	return WIFEXITED(s->status) ? WEXITSTATUS(s->status) : 128 + WTERMSIG(s->status);
}

int main(int argc, char **argv)
{
	struct spent s = {0};
	bool memory = false;
	uint64_t type_ns = 0;
	int i = 1, master = -1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--memory") == 0)
			memory = true;
		else if (strncmp(argv[i], "--pty=", 6) == 0)
			type_ns = (uint64_t)(strtod(argv[i] + 6, NULL) * 1e9);
	}
	if (argc - i < 2) {
		fprintf(stderr, "usage: spend [--memory] [--pty=SECONDS] OUT COMMAND...\n");
		return 125;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	s.start_ns = iob_monotonic_ns();
	pid_t pid = launch(argv + i + 1, type_ns > 0, &master);
	type_ns += s.start_ns;
	while (reap(&s, pid)) {
		if (memory)
			look_at_memory(&s);
		if (master >= 0)
			serve_terminal(master, &type_ns);
		else
			usleep(LOOK_NS / IOB_NS_PER_US);
	}
	return report(argv[i], &s);
}
