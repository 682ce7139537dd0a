/* SPDX-License-Identifier: MIT */
/*
 * Engines where something forbids them: each case runs in a child that lays the obstacle before
 * itself (a system call filter, a limit, a setting of the kernel) and looks for the words.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/job.h"
#include "load/engine.h"

#define NOBODY  65534
#define SKIPPED 77

/* A setting of the kernel, and how a system call answers under it. */
struct setting {
	const char *path, *value;
	long call;
	int answer;
};

static int expect(const char *what, const char *text, const char *words)
{
	if (strstr(text, words))
		return 0;
	printf("FAIL %s: \"%s\" does not say \"%s\"\n", what, text, words);
	return 1;
}

/* System call `nr` answers with `code`. */
static void deny(long nr, int code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		printf("skip: no system call filter: %m\n");
		exit(SKIPPED);
	}
}

static int probe_says(const char *name, int code, const char *words)
{
	struct iob_error err = {0};
	int ret = iob_engine_find(name)->probe(&err);

	if (ret != code) {
		printf("FAIL %s: %d instead of %d: %s\n", name, ret, code, err.text);
		return 1;
	}
	return expect(name, err.text, words);
}

static int uring_eperm(void)
{
	deny(SYS_io_uring_setup, EPERM);
	return probe_says("io_uring", -EPERM, "seccomp");
}

static int uring_enosys(void)
{
	deny(SYS_io_uring_setup, ENOSYS);
	return probe_says("io_uring", -ENOSYS, "older than 5.1");
}

static int uring_enomem(void)
{
	deny(SYS_io_uring_setup, ENOMEM);
	return probe_says("io_uring", -ENOMEM, "ulimit -l");
}

static int uring_emfile(void)
{
	struct rlimit none = {3, 3};

	setrlimit(RLIMIT_NOFILE, &none);
	return probe_says("io_uring", -EMFILE, "ulimit -n");
}

static int libaio_enosys(void)
{
	deny(SYS_io_setup, ENOSYS);
	return probe_says("libaio", -ENOSYS, "--ioengine=psync");
}

static int libaio_eperm(void)
{
	deny(SYS_io_setup, EPERM);
	return probe_says("libaio", -EPERM, "seccomp");
}

/* Any process but ours keeps the kernel's setting: here another file lies over it, and a filter
 * answers as the kernel would. */
static int pretend_setting(const struct setting *setting, int (*child)(void))
{
	char path[] = "/tmp/iob-setting-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd < 0 || fchmod(fd, 0644) < 0 ||
		write(fd, setting->value, strlen(setting->value)) < 0 || unshare(CLONE_NEWNS) < 0 ||
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount(path, setting->path, NULL, MS_BIND, NULL) < 0) {
		printf("skip: %s cannot be covered: %m\n", setting->path);
		unlink(path);
		return SKIPPED;
	}
	unlink(path);
	close(fd);
	deny(setting->call, setting->answer);
	return child();
}

/* IOB_TEST_SETTINGS=1 changes the real one, for all of the machine, and puts it back. */
static int change_setting(const struct setting *setting, int (*child)(void))
{
	char old[32];
	int fd = open(setting->path, O_RDWR | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, old, sizeof(old));
	int status = 0;

	if (n <= 0 || pwrite(fd, setting->value, strlen(setting->value), 0) < 0) {
		printf("skip: %s cannot be set: %m\n", setting->path);
		return SKIPPED;
	}
	pid_t pid = fork();
	if (pid == 0) {
		int rc = child();

		fflush(stdout);
		_exit(rc);
	}
	waitpid(pid, &status, 0);
	if (pwrite(fd, old, (size_t)n, 0) < 0)
		printf("FAIL %s was not put back: %m\n", setting->path);
	close(fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int with_setting(const struct setting *setting, int (*child)(void))
{
	const char *real = getenv("IOB_TEST_SETTINGS");

	if (real && strcmp(real, "1") == 0)
		return change_setting(setting, child);
	return pretend_setting(setting, child);
}

static int probe_disabled(void)
{
	return probe_says("io_uring", -EPERM, "kernel.io_uring_disabled is 2");
}

static int probe_disabled_for_users(void)
{
	if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
		return SKIPPED;
	return probe_says("io_uring", -EPERM, "kernel.io_uring_disabled is 1");
}

static int uring_disabled(void)
{
	const struct setting off = {
		"/proc/sys/kernel/io_uring_disabled", "2", SYS_io_uring_setup, EPERM};

	return with_setting(&off, probe_disabled);
}

static int uring_disabled_for_users(void)
{
	const struct setting privileged = {
		"/proc/sys/kernel/io_uring_disabled", "1", SYS_io_uring_setup, EPERM};

	return with_setting(&privileged, probe_disabled_for_users);
}

static struct iob_job job;
static struct iob_target target;

/* An engine on a file of 64 KiB with buffers of 1 MiB; NULL when it could not be opened. */
static void *open_on_file(const struct iob_engine *engine, void *arena)
{
	struct iob_error err = {0};
	void *state = aligned_alloc(64, (engine->state_size / 64 + 1) * 64);
	struct iob_engine_env env = {.targets = &target,
		.ntargets = 1,
		.job = &job,
		.capacity = 8,
		.arena = arena,
		.arena_size = 1 << 20};

	memset(state, 0, engine->state_size);
	FILE *f = tmpfile();
	target.fd = f ? fileno(f) : -1;
	if (target.fd < 0 || ftruncate(target.fd, 65536) < 0 ||
		engine->open(state, &env, &err) < 0) {
		printf("FAIL %s: %s\n", engine->name, err.text);
		return NULL;
	}
	return state;
}

/* One request has room, an ordinary run has not. */
static int open_with_few_events(void)
{
	const struct iob_engine *engine = iob_engine_find("libaio");
	struct iob_error err = {0};
	struct iob_engine_env env = {.job = &job, .capacity = 32};
	void *state = calloc(1, engine->state_size);

	iob_job_defaults(&job);
	int probed = engine->probe(&err);
	int bad = expect("libaio", err.text, "fs.aio-max-nr 1;");
	int ret = engine->open(state, &env, &err);
	free(state);
	if (ret != -EAGAIN || (probed != 0 && probed != -EAGAIN)) {
		printf("FAIL libaio: open: %d: %s\n", ret, err.text);
		return 1;
	}
	return bad + expect("libaio", err.text, "fs.aio-max-nr 1;");
}

static int libaio_few_events(void)
{
	const struct setting few = {"/proc/sys/fs/aio-max-nr", "1", SYS_io_setup, EAGAIN};

	return with_setting(&few, open_with_few_events);
}

static int uring_small_memlock(void)
{
	const struct iob_engine *engine = iob_engine_find("io_uring");
	struct rlimit small = {8192, 8192};
	char flags[128];

	setrlimit(RLIMIT_MEMLOCK, &small);
	if (getuid() == 0 && (setgid(NOBODY) < 0 || setuid(NOBODY) < 0))
		return SKIPPED;
	struct iob_error err = {0};
	/* Each closed ring counts against the limit for a moment more. */
	if (engine->probe(&err) < 0 || engine->probe(&err) < 0) {
		printf("skip: %s\n", err.text);
		return SKIPPED;
	}
	int bad = expect("remark", err.text, "8 KiB");
	iob_job_defaults(&job);
	void *state = open_on_file(engine, aligned_alloc(4096, 1 << 20));
	if (!state)
		return 1;
	engine->flags(state, flags, sizeof(flags));
	return bad + expect("flags", flags, "nofixedbufs-memlock");
}

/* The kernel's own threads count as the user's: none more may start. */
static int uring_no_threads(void)
{
	const struct iob_engine *engine = iob_engine_find("io_uring");
	struct rlimit none = {0, 0};
	struct iob_error err = {0};

	if (engine->probe(&err) < 0 || getuid() != 0) {
		printf("skip: %s\n", err.text[0] ? err.text : "needs root");
		return SKIPPED;
	}
	iob_job_defaults(&job);
	job.force_async = 1;
	setrlimit(RLIMIT_NPROC, &none);
	if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
		return SKIPPED;
	void *arena = aligned_alloc(4096, 1 << 20);
	void *state = open_on_file(engine, arena);
	if (!state)
		return 1;
	struct iob_req req = {.buf = arena, .length = 4096}, *list = &req;
	engine->queue(state, &list, 1);
	if (engine->reap(state, &list, 1, 1, UINT64_MAX) != 1 || req.result != -ECANCELED) {
		printf("skip: the kernel found a thread (result %lld)\n", (long long)req.result);
		return SKIPPED;
	}
	const char *why = engine->explain(state, &req);
	return expect("ECANCELED", why ? why : "", "ulimit -u");
}

/* A ring that takes nothing in is given up, but waited for as long as was asked. */
static int uring_always_again(void)
{
	const struct iob_engine *engine = iob_engine_find("io_uring");
	struct iob_error err = {0};
	unsigned turns = 0;
	int n = 0;

	if (engine->probe(&err) < 0) {
		printf("skip: %s\n", err.text);
		return SKIPPED;
	}
	iob_job_defaults(&job);
	void *arena = aligned_alloc(4096, 1 << 20);
	void *state = open_on_file(engine, arena);
	if (!state)
		return 1;
	deny(SYS_io_uring_enter, EAGAIN);
	struct iob_req req = {.buf = arena, .length = 4096}, *list = &req;
	engine->queue(state, &list, 1);
	uint64_t start = iob_now_ns();
	n = engine->reap(state, &list, 1, 1, IOB_NS_PER_S / 2);
	uint64_t first = iob_now_ns() - start;
	while (n == 0 && iob_now_ns() - start < 20 * IOB_NS_PER_S) {
		n = engine->reap(state, &list, 1, 1, IOB_NS_PER_S / 2);
		turns++;
	}
	if (n == -EAGAIN && turns > 0 && first >= IOB_NS_PER_S / 2 && first < 3 * IOB_NS_PER_S)
		return 0;
	printf("FAIL reap: %d after %u turns, the first of %llu ns\n", n, turns,
		(unsigned long long)first);
	return 1;
}

static const struct {
	const char *name;
	int (*run)(void);
} cases[] = {
	{"io_uring: EPERM by a filter", uring_eperm},
	{"io_uring: ENOSYS by a filter", uring_enosys},
	{"io_uring: ENOMEM", uring_enomem},
	{"io_uring: EMFILE", uring_emfile},
	{"io_uring: disabled for all", uring_disabled},
	{"io_uring: disabled for users", uring_disabled_for_users},
	{"io_uring: little memory may be locked", uring_small_memlock},
	{"io_uring: no threads", uring_no_threads},
	{"io_uring: EAGAIN for ever", uring_always_again},
	{"libaio: ENOSYS by a filter", libaio_enosys},
	{"libaio: EPERM by a filter", libaio_eperm},
	{"libaio: fs.aio-max-nr", libaio_few_events},
};

int main(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int status = 0;

		fflush(stdout);
		pid_t pid = fork();
		if (pid == 0) {
			int rc = cases[i].run();

			fflush(stdout);
			_exit(rc);
		}
		waitpid(pid, &status, 0);
		int rc = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
		printf("%s: %s\n", cases[i].name,
			rc == 0         ? "ok"
			: rc == SKIPPED ? "skipped"
					: "FAILED");
		failed += rc != 0 && rc != SKIPPED;
	}
	return failed ? 1 : 0;
}
