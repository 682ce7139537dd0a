/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_log_writer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/fio_log_paths.h"
#include "cli/fio_log_process.h"
#include "result/save.h"

/* So long without an answer: it is worth a word while jobs run; it is given up at the end; the same
 * where it hung before or a signal waits, and worth a word else; nothing is started. */
#define WORD_NS      (10 * IOB_NS_PER_S)
#define PATIENCE_NS  (60 * IOB_NS_PER_S)
#define HURRY_NS     (3 * IOB_NS_PER_S)
#define CHECK_NS     (5 * IOB_NS_PER_S)
#define LOOK_EACH_NS (2 * IOB_NS_PER_MS)
#define BANDWIDTH_NS IOB_NS_PER_S

enum clone_state { WAITING, BEGUN, ENDED };

struct iob_fio_log_writer {
	struct iob_fleet *fleet;
	const char *bandwidth, *output;
	struct iob_log_page *page; /* owned */
	size_t page_bytes;
	enum clone_state *state; /* owned: of each clone */
	int control;             /* -1 = closed */
	int lines;               /* socket for bandwidth lines; -1 = none */
	int lines_there;         /* its other end, until it is sent */
	size_t next_line;
	uint64_t next_lines_ns;
	pid_t pid; /* 0 = reaped */
	bool told_failure, told_hang, dead;
};

static bool wants_logs(const struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (iob_fleet_has_logs(&f->clone[i].settings.ctl))
			return true;
	return false;
}

/* For how long the writing process has waited for a log, if that is more than `ns`; else 0. */
static uint64_t hangs(const struct iob_fio_log_writer *w, uint64_t ns, char path[PATH_MAX])
{
	const struct iob_log_words *bandwidth = &w->page->bandwidth;
	uint64_t now = iob_now_ns();

	for (unsigned i = 0; i <= w->page->nclones; i++) {
		const struct iob_log_words *words =
			i < w->page->nclones ? &w->page->clone[i] : bandwidth;
		uint64_t since = atomic_load(&words->wait.since_ns);
		unsigned which = atomic_load(&words->wait.which);

		if (since == 0 || now < since + ns)
			continue;
		path[0] = '\0';
		if (words == bandwidth)
			(void)iob_fio_bandwidth_path(
				path, PATH_MAX, w->bandwidth, (int)which, NULL);
		else
			(void)iob_fio_log_path_of(
				&w->fleet->clone[i], (enum iob_fio_log)which, path, PATH_MAX, NULL);
		return true;
	}
	return false;
}

/* Has it ended by itself? */
static bool has_died(struct iob_fio_log_writer *w)
{
	if (w->pid > 0 && waitpid(w->pid, NULL, WNOHANG) == w->pid)
		w->pid = 0;
	return w->pid == 0;
}

static int make_page(struct iob_fio_log_writer *w, struct iob_error *err)
{
	w->page_bytes = sizeof(*w->page) + w->fleet->count * sizeof(w->page->clone[0]);
	void *page = mmap(
		NULL, w->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	w->state = calloc(w->fleet->count, sizeof(*w->state));
	if (page == MAP_FAILED || !w->state)
		return iob_fail(err, -ENOMEM, "starting the process that writes logs: %m");
	w->page = page;
	w->page->nclones = w->fleet->count;
	return 0;
}

static int make_child(struct iob_fio_log_writer *w, struct iob_error *err)
{
	int control[2], lines[2] = {-1, -1};

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) < 0)
		return iob_fail(err, -errno, "starting the process that writes logs: %m");
	if (w->bandwidth)
		(void)socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, lines);
	w->pid = fork();
	if (w->pid == 0) {
		struct iob_log_process p = {.fleet = w->fleet,
			.bandwidth = w->bandwidth,
			.output = w->output,
			.page = w->page,
			.control = control[1]};

		iob_log_process_main(&p);
	}
	close(control[1]);
	w->control = control[0];
	w->lines = lines[0];
	w->lines_there = lines[1];
	if (w->pid < 0) {
		w->pid = 0;
		return iob_fail(err, -errno, "starting the process that writes logs: %m");
	}
	return 0;
}

static int wait_for_check(struct iob_fio_log_writer *w, struct iob_error *err)
{
	struct pollfd p = {.fd = w->control};
	char path[PATH_MAX];

	while (!atomic_load(&w->page->checked)) {
		if (poll(&p, 1, 1) > 0 && !atomic_load(&w->page->checked))
			return iob_fail(err, -EIO, "the process that writes logs has died");
		if (hangs(w, CHECK_NS, path))
			return iob_fail(err, -ETIMEDOUT,
				"the log %s: its file system has not answered for %.0f s; have the logs "
				"elsewhere; nothing was started",
				path, (double)CHECK_NS / 1e9);
	}
	if (w->page->check.code)
		*err = w->page->check;
	return w->page->check.code;
}

static int tell_fleet(struct iob_fio_log_writer *w, struct iob_error *err)
{
	struct iob_fleet_config *config = &w->fleet->config;

	if (config->nreports + w->page->nlogs > IOB_MAX_REPORTS)
		return iob_fail_usage(err,
			"there are more than %d logs of earlier runs; remove them first",
			IOB_MAX_REPORTS - (int)config->nreports);
	memcpy(&config->report[config->nreports], w->page->log,
		w->page->nlogs * sizeof(w->page->log[0]));
	config->nreports += w->page->nlogs;
	return 0;
}

int iob_fio_log_writer_start(struct iob_fio_log_writer **out, struct iob_fleet *fleet,
	const char *bandwidth, const char *output, struct iob_error *err)
{
	struct iob_fio_log_writer *w;

	*out = NULL;
	if (!bandwidth && !wants_logs(fleet))
		return 0;
	w = calloc(1, sizeof(*w));
	if (!w)
		return iob_fail(err, -ENOMEM, "starting the process that writes logs: %m");
	w->fleet = fleet;
	w->bandwidth = bandwidth;
	w->output = output;
	w->control = w->lines = w->lines_there = -1;
	int rc = make_page(w, err);
	if (rc == 0)
		rc = make_child(w, err);
	if (rc == 0)
		rc = wait_for_check(w, err);
	if (rc == 0)
		rc = tell_fleet(w, err);
	if (rc < 0) {
		iob_fio_log_writer_free(w);
		return rc;
	}
	*out = w;
	return 0;
}

/* What the clock of the job's logs shows now, beyond ours: read once, so that a clock that is set
 * meanwhile moves nothing. */
static int64_t clock_ahead(const struct iob_job_control *ctl)
{
	struct timespec ts;
	int64_t now = (int64_t)iob_now_ns();

	if (!ctl->log_alternate_epoch)
		return 0;
	if (clock_gettime((clockid_t)ctl->log_alternate_epoch_clock_id, &ts) < 0)
		clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * (int64_t)IOB_NS_PER_S + ts.tv_nsec - now;
}

/* False if there is no room for it now, or nobody who reads it. */
static bool send_message(struct iob_fio_log_writer *w, const struct iob_log_begin *b, int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} space = {0};
	struct iovec part = {(void *)(uintptr_t)b, sizeof(*b)};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

	if (fd >= 0) {
		m.msg_control = space.bytes;
		m.msg_controllen = sizeof(space.bytes);
		struct cmsghdr *c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	return sendmsg(w->control, &m, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

static void follow_clone(struct iob_fio_log_writer *w, unsigned i)
{
	const struct iob_fleet_clone *c = &w->fleet->clone[i];
	const struct iob_job_control *ctl = &c->settings.ctl;

	if (w->state[i] == WAITING && c->released_ns && c->run && iob_fleet_has_logs(ctl)) {
		const struct iob_log_begin b = {.clone = i, .ahead_ns = clock_ahead(ctl)};

		if (send_message(w, &b, iob_run_log_fd(c->run)))
			w->state[i] = BEGUN;
	}
	if (w->state[i] == BEGUN && c->finished_ms) {
		iob_log_words_end(&w->page->clone[i]);
		w->state[i] = ENDED;
	}
}

static void follow_bandwidth(struct iob_fio_log_writer *w)
{
	const struct iob_log_begin b = {.clone = IOB_LOG_BANDWIDTH};
	uint64_t now = iob_now_ns();

	if (w->lines_there >= 0 && send_message(w, &b, w->lines_there)) {
		close(w->lines_there);
		w->lines_there = -1;
	}
	if (w->lines < 0 || w->lines_there >= 0 || now < w->next_lines_ns)
		return;
	w->next_lines_ns = now + BANDWIDTH_NS;
	iob_fio_bandwidth_lines(w->fleet, w->lines, &w->next_line);
}

static bool has_begun(const struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (f->clone[i].released_ns)
			return true;
	return false;
}

/* What was not told before. */
static bool find_trouble(struct iob_fio_log_writer *w, struct iob_error *err)
{
	char path[PATH_MAX];

	if (!w->told_failure && atomic_load(&w->page->failed)) {
		w->told_failure = true;
		*err = w->page->error;
		return true;
	}
	if (!w->dead && !atomic_load(&w->page->done) && has_died(w)) {
		w->dead = true;
		iob_fail(err, -EIO,
			"the process that writes the logs has died (was it killed?); the logs end there");
		return true;
	}
	if (!w->told_hang && hangs(w, WORD_NS, path)) {
		w->told_hang = true;
		iob_fail(err, -ETIMEDOUT,
			"the log %s: its file system has not answered for %.0f s; the jobs go on, and "
			"what is to be in the logs waits in memory while there is room; have the logs "
			"elsewhere",
			path, (double)WORD_NS / 1e9);
		return true;
	}
	return false;
}

bool iob_fio_log_writer_follow(struct iob_fio_log_writer *w, struct iob_error *trouble)
{
	if (!w)
		return false;
	for (unsigned i = 0; i < w->fleet->count; i++)
		follow_clone(w, i);
	if (w->bandwidth && has_begun(w->fleet))
		follow_bandwidth(w);
	return find_trouble(w, trouble);
}

static void close_sockets(struct iob_fio_log_writer *w)
{
	int *const fds[] = {&w->control, &w->lines, &w->lines_there};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

static void say_waiting(const struct iob_fio_log_writer *w)
{
	char path[PATH_MAX];
	bool known = hangs(w, 0, path) > 0;

	fprintf(stderr,
		PACKAGE_NAME ": waiting for the logs to be written%s%s; Ctrl-C gives them up\n",
		known ? ": " : "", known ? path : "");
}

static int fail_hung(struct iob_error *err, const char *path, uint64_t ns)
{
	return iob_fail(err, -ETIMEDOUT,
		"the log %s: its file system has not answered for %.0f s; the logs are not whole; have them "
		"elsewhere",
		path, (double)ns / 1e9);
}

/* Until all is written; false if that does not go on, or is not waited for. */
static bool wait_until_done(struct iob_fio_log_writer *w, struct iob_error *err)
{
	uint64_t say_ns = iob_now_ns() + HURRY_NS, leave_ns = UINT64_MAX;
	char path[PATH_MAX];

	while (!atomic_load(&w->page->done) && !has_died(w)) {
		bool hurry = w->told_hang || leave_ns != UINT64_MAX;
		uint64_t now = iob_now_ns();
		uint64_t ns = hangs(w, hurry ? HURRY_NS : PATIENCE_NS, path);

		if (ns)
			return fail_hung(err, path, ns) == 0;
		if (now >= leave_ns)
			return iob_fail(err, -ECANCELED, "the logs are not whole: a signal came") ==
			       0;
		if (!hurry && iob_document_is_asked_to_end()) {
			leave_ns = now + HURRY_NS;
			atomic_store(&w->page->finishing, IOB_LOG_LEAVE);
		}
		if (now >= say_ns) {
			say_ns = UINT64_MAX;
			say_waiting(w);
		}
		iob_sleep_until(now + LOOK_EACH_NS);
	}
	return true;
}

int iob_fio_log_writer_finish(struct iob_fio_log_writer *w, int (*tell)(const struct iob_error *))
{
	struct iob_error err;

	if (!w)
		return 0;
	while (iob_fio_log_writer_follow(w, &err))
		tell(&err);
	bool begun = has_begun(w->fleet);
	atomic_store(&w->page->finishing, IOB_LOG_FINISH);
	close_sockets(w);
	bool done = wait_until_done(w, &err);
	if (!done)
		tell(&err);
	while (done && find_trouble(w, &err))
		tell(&err);
	bool hung = w->told_hang || !done;
	if (w->bandwidth && begun &&
		iob_fio_bandwidth_logs_write(w->fleet, w->bandwidth, hung, &err) < 0) {
		tell(&err);
		return err.code;
	}
	return w->told_failure || w->dead || !done ? -EIO : 0;
}

void iob_fio_log_writer_free(struct iob_fio_log_writer *w)
{
	if (!w)
		return;
	close_sockets(w);
	if (w->pid > 0 && !(w->page && atomic_load(&w->page->done)))
		kill(w->pid, SIGKILL);
	/* One that hangs in the kernel is left to init. */
	for (int i = 0; i < 100 && !has_died(w); i++)
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
	if (w->page)
		munmap(w->page, w->page_bytes);
	free(w->state);
	free(w);
}
