/* SPDX-License-Identifier: MIT */
/*
 * A report may go to the very file system that hangs: a child writes it, so that we can give up and
 * put it elsewhere.
 */
#include <config.h>

#include "result/save.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/detach.h"
#include "job/report_file.h"
#include "result/result.h"

/* A disk that has much to write may take its time for the last sync. */
#define PATIENCE_NS  (60 * IOB_NS_PER_S)
/* Something hangs already, or somebody wants us to end. */
#define HURRY_NS     (3 * IOB_NS_PER_S)
/* Nothing is lost yet. */
#define CHECK_NS     (10 * IOB_NS_PER_S)
#define LOOK_EACH_MS 50

/* What a child is to do. */
struct task {
	int (*act)(const struct iob_document *, const char *path, struct iob_error *);
	const struct iob_document *document;
	const struct iob_document_place *place; /* NULL = at the path */
	const char *path;
	uint64_t patience_ns;
};

struct answer {
	int rc;
	bool is_stream; /* nothing was written: that is for whoever has the stream */
	struct iob_plan_report file;
	struct iob_error error;
	char path[IOB_PATH_MAX]; /* where the place has put it */
};

static bool is_target(const struct iob_document *d, const char *path)
{
	struct iob_plan_report file;

	return d->target && d->target->ino && iob_report_file(&file, path) &&
	       iob_report_file_is(&file, d->target);
}

static int write_here(const struct iob_document *d, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	struct stat st;

	if (is_target(d, path))
		return iob_fail_usage(err, "%.200s is the target; name another file", path);
	if (d->fresh && lstat(path, &st) == 0)
		return iob_fail(err, -EEXIST, "%s exists already; choose another name", path);
	int rc = iob_atomic_file_open(&file, path, err);
	if (rc)
		return rc;
	rc = d->write(d->what, file.stream, err);
	if (rc == 0 && !d->more)
		return iob_atomic_file_commit(&file, err);
	if (rc == 0)
		rc = iob_atomic_file_show(&file, err);
	iob_atomic_file_abort(&file);
	return rc;
}

static int write_behind(
	const struct iob_document *d, FILE *f, const char *path, struct iob_error *err)
{
	int rc = d->write(d->what, f, err);

	if (rc == 0 && (fflush(f) != 0 || (!d->more && fsync(fileno(f)) != 0 && errno != EINVAL)))
		rc = iob_fail(err, -errno, "%s could not be written: %m", path);
	return rc;
}

static int append_here(const struct iob_document *d, const char *path, struct iob_error *err)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
	struct stat before;

	/* Somebody has taken it away, as is done with logs. */
	if (fd < 0 && errno == ENOENT)
		return write_here(d, path, err);
	IOB_FILE FILE *f = fd < 0 ? NULL : fdopen(fd, "a");
	if (!f || fstat(fd, &before) < 0)
		return iob_fail(err, -errno, "%s cannot be written: %m", path);
	int rc = write_behind(d, f, path, err);
	if (rc < 0 && ftruncate(fd, before.st_size) < 0)
		iob_error_prefix(err, "the end of %.200s is half a report: ", path);
	return rc;
}

static int check_here(const struct iob_document *d, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	int rc = iob_atomic_file_open(&file, path, err);

	(void)d;
	iob_atomic_file_abort(&file);
	return rc;
}

static int perform(const struct task *t, char *path, struct iob_error *err)
{
	if (!t->place)
		return t->act(t->document, t->path, err);
	int rc = t->place->choose(t->place->arg, path, IOB_PATH_MAX, err);

	if (rc == 0)
		rc = t->act(t->document, path, err);
	if (rc == 0 && t->place->tidy)
		t->place->tidy(path);
	return rc;
}

static bool is_stream(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) &&
	       !S_ISBLK(st.st_mode);
}

/* Never returns. */
static void child(const struct task *t, int out)
{
	static struct answer a;

	out = iob_detach(out);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	a.is_stream = !t->place && is_stream(t->path);
	if (!a.is_stream)
		a.rc = perform(t, a.path, &a.error);
	if (!iob_report_file(&a.file, t->place ? a.path : t->path))
		a.file = (struct iob_plan_report){0};
	/* A pipe takes it whole. */
	ssize_t n = write(out, &a, sizeof(a));
	_exit(n == (ssize_t)sizeof(a) ? 0 : 1);
}

bool iob_document_is_asked_to_end(void)
{
	static const int which[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2, SIGALRM, SIGVTALRM,
		SIGPROF, SIGXCPU, SIGPWR};
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(which) / sizeof(which[0]); i++)
		if (sigismember(&pending, which[i]))
			return true;
	return false;
}

static int wait_for_answer(
	struct answer *a, int in, uint64_t patience_ns, const char *path, struct iob_error *err)
{
	uint64_t start = iob_monotonic_ns(), until = start + patience_ns;
	struct pollfd p = {.fd = in, .events = POLLIN};
	bool hurried = false;

	while (poll(&p, 1, LOOK_EACH_MS) <= 0) {
		uint64_t now = iob_monotonic_ns();

		if (!hurried && iob_document_is_asked_to_end()) {
			hurried = true;
			until = until < now + HURRY_NS ? until : now + HURRY_NS;
		}
		if (now >= until)
			return iob_fail(err, -ETIMEDOUT,
				"%s: writing it did not come back for %.0f s; its file system hangs",
				path, (double)(now - start) / 1e9);
	}
	if (read(in, a, sizeof(*a)) != (ssize_t)sizeof(*a))
		return iob_fail(err, -EIO, "%s: the process that wrote it has died", path);
	return 0;
}

/* One that hangs in the kernel is left to init. */
static void reap(pid_t pid, bool kill_it)
{
	uint64_t until = iob_monotonic_ns() + 100 * IOB_NS_PER_MS;

	if (kill_it)
		kill(pid, SIGKILL);
	while (waitpid(pid, NULL, WNOHANG) == 0 && iob_monotonic_ns() < until)
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
}

/* Returns whether a child was there to ask; *rc: what became of it, with *err set. */
static bool ask_child(const struct task *t, struct answer *a, int *rc, struct iob_error *err)
{
	const char *name = t->place ? t->place->name : t->path;
	int ends[2];

	/* Its own streams a child would not have; where none can be made, there is only one way. */
	if (strncmp(name, "/dev/", 5) == 0 || pipe2(ends, O_CLOEXEC) < 0)
		return false;
	pid_t pid = fork();
	if (pid == 0)
		child(t, ends[1]);
	close(ends[1]);
	if (pid >= 0)
		*rc = wait_for_answer(a, ends[0], t->patience_ns, name, err);
	close(ends[0]);
	if (pid < 0)
		return false;
	reap(pid, *rc < 0);
	if (*rc == 0 && a->rc < 0) {
		*rc = a->rc;
		if (err)
			*err = a->error;
	}
	return true;
}

static int give(const struct task *t, struct answer *a, struct iob_error *err)
{
	int rc = 0;

	if (!ask_child(t, a, &rc, err) || (rc == 0 && a->is_stream))
		return perform(t, a->path, err);
	return rc;
}

static uint64_t patience(const struct iob_document *d)
{
	return d->hurry ? HURRY_NS : PATIENCE_NS;
}

int iob_document_save(const struct iob_document *d, const char *path, struct iob_error *err)
{
	const struct task t = {write_here, d, NULL, path, patience(d)};
	struct answer a = {.rc = 0};

	return give(&t, &a, err);
}

int iob_document_save_at(const struct iob_document *d, const struct iob_document_place *place,
	char *path, size_t n, struct iob_error *err)
{
	const struct task t = {write_here, d, place, NULL, patience(d)};
	struct answer a = {.rc = 0};
	int rc = give(&t, &a, err);

	snprintf(path, n, "%s", a.path);
	return rc;
}

int iob_document_append(const struct iob_document *d, const char *path, struct iob_error *err)
{
	const struct task t = {append_here, d, NULL, path, patience(d)};
	struct answer a = {.rc = 0};

	return give(&t, &a, err);
}

/* Opening a pipe would wait for its reader, and what was sent into it cannot be taken back. */
static bool is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

int iob_document_check(const char *path, struct iob_plan_report *file, struct iob_error *err)
{
	const struct task t = {check_here, NULL, NULL, path, CHECK_NS};
	struct answer a = {.rc = 0};
	int rc = 0;

	*file = (struct iob_plan_report){0};
	if (!ask_child(&t, &a, &rc, err)) {
		rc = is_pipe(path) ? 0 : check_here(NULL, path, err);
		a.is_stream = true;
	} else if (rc == 0 && a.is_stream && !is_pipe(path)) {
		rc = check_here(NULL, path, err);
	}
	*file = a.file;
	return rc < 0 ? rc : a.is_stream;
}

struct formatted {
	const struct iob_result *result;
	const struct iob_format *format;
};

static int write_formatted(const void *what, FILE *f, struct iob_error *err)
{
	const struct formatted *w = what;

	return w->format->write(w->result, f, err);
}

static int write_result(const struct iob_result *r, const struct iob_format *format,
	const char *path, bool fresh, struct iob_error *err)
{
	struct formatted what = {r, format};
	const struct iob_plan_report target = {
		.dev = r->target.file_dev, .ino = r->target.file_ino};
	const struct iob_document d = {
		.write = write_formatted,
		.what = &what,
		.target = &target,
		.hurry = iob_result_has_hung(r),
		.fresh = fresh,
	};

	return iob_document_save(&d, path, err);
}

int iob_result_write(const struct iob_result *r, const struct iob_format *format, const char *path,
	struct iob_error *err)
{
	return write_result(r, format, path, false, err);
}

int iob_result_write_new(const struct iob_result *r, const struct iob_format *format,
	const char *path, struct iob_error *err)
{
	return write_result(r, format, path, true, err);
}

bool iob_result_has_hung(const struct iob_result *r)
{
	return r->unfinished > 0 || r->outcome == IOB_OUTCOME_ABANDONED;
}

int iob_result_save(const struct iob_result *r, const char *path, struct iob_error *err)
{
	return iob_result_write(r, iob_format_find("json"), path, err);
}
