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
#include "base/clock.h"
#include "base/detach.h"
#include "result/result.h"

/* A disk that has much to write may take its time for the last sync. */
#define PATIENCE_NS  (60 * IOB_NS_PER_S)
/* Something hangs already, or somebody wants us to end. */
#define HURRY_NS     (3 * IOB_NS_PER_S)
#define LOOK_EACH_MS 50

struct answer {
	int rc;
	bool is_stream; /* nothing was written: that is for whoever has the stream */
	struct iob_error error;
	char path[IOB_PATH_MAX];
};

struct task {
	const struct iob_document *document;
	const struct iob_document_place *place; /* NULL = at the path */
	const char *path;
};

static int write_here(const struct iob_document *d, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	struct stat st;

	if (d->fresh && lstat(path, &st) == 0)
		return iob_fail(err, -EEXIST, "%s exists already; choose another name", path);
	int rc = iob_atomic_file_open(&file, path, err);
	if (rc)
		return rc;
	rc = d->write(d->what, file.stream, err);
	if (rc) {
		iob_atomic_file_abort(&file);
		return rc;
	}
	return iob_atomic_file_commit(&file, err);
}

static int write_at(const struct task *t, char *path, struct iob_error *err)
{
	int rc = t->place->choose(t->place->arg, path, IOB_PATH_MAX, err);

	if (rc == 0)
		rc = write_here(t->document, path, err);
	if (rc == 0 && t->place->tidy)
		t->place->tidy(path);
	return rc;
}

/* Never returns. */
static void child(const struct task *t, int out)
{
	static struct answer a;
	struct stat st;

	out = iob_detach(out);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (t->place) {
		a.rc = write_at(t, a.path, &a.error);
	} else {
		a.is_stream =
			stat(t->path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
		if (!a.is_stream)
			a.rc = write_here(t->document, t->path, &a.error);
	}
	/* A pipe takes it whole. */
	ssize_t n = write(out, &a, sizeof(a));
	_exit(n == (ssize_t)sizeof(a) ? 0 : 1);
}

static bool is_asked_to_end(void)
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
	uint64_t start = iob_monotonic_ns(), until = start + patience_ns, now = start;
	struct pollfd p = {.fd = in, .events = POLLIN};
	bool hurried = false;

	while (poll(&p, 1, LOOK_EACH_MS) <= 0) {
		now = iob_monotonic_ns();
		if (!hurried && is_asked_to_end()) {
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

/* Its own streams a child would not have; where none can be made, there is only one way. */
static int do_here(const struct task *t, struct answer *a, struct iob_error *err)
{
	return t->place ? write_at(t, a->path, err) : write_here(t->document, t->path, err);
}

static int do_apart(const struct task *t, struct answer *a, struct iob_error *err)
{
	const char *name = t->place ? t->place->name : t->path;
	int ends[2];

	if (strncmp(name, "/dev/", 5) == 0 || pipe2(ends, O_CLOEXEC) < 0)
		return do_here(t, a, err);
	pid_t pid = fork();
	if (pid == 0)
		child(t, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return do_here(t, a, err);
	}
	int rc =
		wait_for_answer(a, ends[0], t->document->hurry ? HURRY_NS : PATIENCE_NS, name, err);
	close(ends[0]);
	reap(pid, rc < 0);
	if (rc < 0)
		return rc;
	if (a->is_stream)
		return do_here(t, a, err);
	if (a->rc && err)
		*err = a->error;
	return a->rc;
}

int iob_document_save(const struct iob_document *d, const char *path, struct iob_error *err)
{
	struct task t = {.document = d, .path = path};
	struct answer a = {.rc = 0};

	return do_apart(&t, &a, err);
}

int iob_document_save_at(const struct iob_document *d, const struct iob_document_place *place,
	char *path, size_t n, struct iob_error *err)
{
	struct task t = {.document = d, .place = place};
	struct answer a = {.rc = 0};
	int rc = do_apart(&t, &a, err);

	snprintf(path, n, "%s", a.path);
	return rc;
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
	struct iob_document d = {write_formatted, &what, iob_result_has_hung(r), fresh};

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
