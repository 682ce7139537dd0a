/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_log_process.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/detach.h"
#include "cli/fio_log_follow.h"

/* After the front has died: what is handed over gets so long to reach the disk, where nobody would
 * give up a disk that hangs. */
#define ORPHAN_S 30

struct work {
	struct iob_log_process *process;
	struct iob_log_follower **follower; /* one for each clone that began */
	struct iob_log_bandwidth *bandwidth;
};

static void fail(const struct work *w, int rc, const char *what)
{
	struct iob_error err;

	iob_fail(&err, rc, "%s: %m; the logs are not written", what);
	iob_log_page_fail(w->process->page, &err);
}

static struct iob_log_follower *new_follower(const struct work *w, unsigned clone)
{
	struct iob_log_follower *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->fleet = w->process->fleet;
	l->clone = clone;
	l->page = w->process->page;
	l->words = &l->page->clone[clone];
	return l;
}

static int start_follower(struct work *w, const struct iob_log_begin *begin, int fd)
{
	struct iob_log_follower *l = new_follower(w, (unsigned)begin->clone);

	if (!l)
		return -ENOMEM;
	l->ahead_ns = begin->ahead_ns;
	l->fd = fd;
	int rc = iob_log_follower_start(l);
	if (rc < 0)
		free(l);
	else
		w->follower[l->clone] = l;
	return rc;
}

static void begin(struct work *w, const struct iob_log_begin *b, int fd)
{
	int rc = -EBADMSG;

	if (b->clone == IOB_LOG_BANDWIDTH && fd >= 0 && !w->bandwidth)
		rc = iob_log_bandwidth_start(&w->bandwidth, w->process, fd);
	else if (b->clone < w->process->fleet->count && !w->follower[b->clone])
		rc = start_follower(w, b, fd);
	if (rc < 0)
		fail(w, rc, "starting to write logs");
}

/* One message and its descriptor; false at the end. */
static bool receive(int control, struct iob_log_begin *b, int *fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} space;
	struct iovec part = {b, sizeof(*b)};
	struct msghdr m = {.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = space.bytes,
		.msg_controllen = sizeof(space.bytes)};
	ssize_t n;

	do
		n = recvmsg(control, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	*fd = -1;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return n == (ssize_t)sizeof(*b);
}

static bool is_same_log(
	const struct iob_fleet *fleet, unsigned a, unsigned b, enum iob_fio_log kind)
{
	char one[PATH_MAX], other[PATH_MAX];

	return iob_fio_log_path_of(&fleet->clone[a], kind, one, sizeof(one), NULL) > 0 &&
	       iob_fio_log_path_of(&fleet->clone[b], kind, other, sizeof(other), NULL) > 0 &&
	       strcmp(one, other) == 0;
}

/* The log that clone i has written a part of.  It is the first one's, who may not have begun. */
static struct iob_log_file *whole_of(struct work *w, unsigned i, enum iob_fio_log kind)
{
	const struct iob_fleet *fleet = w->process->fleet;
	unsigned first = 0;

	while (iob_fio_log_part(fleet, first, kind) > 0 || !is_same_log(fleet, first, i, kind))
		first++;
	if (!w->follower[first])
		w->follower[first] = new_follower(w, first);
	struct iob_log_follower *l = w->follower[first];
	if (l && !l->file[kind].page)
		iob_log_follower_open(l, kind);
	return l ? &l->file[kind] : NULL;
}

static void join_parts(struct work *w, enum iob_fio_log kind)
{
	const struct iob_fleet *fleet = w->process->fleet;

	for (unsigned i = 0; i < fleet->count; i++) {
		struct iob_log_file *part = w->follower[i] ? &w->follower[i]->file[kind] : NULL;

		if (!part || part->fd < 0 || iob_fio_log_part(fleet, i, kind) == 0)
			continue;
		struct iob_log_file *whole = whole_of(w, i, kind);
		if (whole)
			iob_log_file_append(whole, part);
		iob_log_file_close(part);
	}
	for (unsigned i = 0; i < fleet->count; i++) {
		struct iob_log_file *f = w->follower[i] ? &w->follower[i]->file[kind] : NULL;

		if (!f || f->fd < 0)
			continue;
		iob_log_file_sync(f);
		iob_log_file_close(f);
	}
}

static void end_all(struct work *w)
{
	struct iob_log_page *page = w->process->page;

	for (unsigned i = 0; i < page->nclones; i++)
		iob_log_words_end(&page->clone[i]);
	for (unsigned i = 0; i < page->nclones; i++)
		if (w->follower[i])
			pthread_join(w->follower[i]->thread, NULL);
	iob_log_bandwidth_join(w->bandwidth);
}

void iob_log_process_main(struct iob_log_process *p)
{
	struct work w = {.process = p,
		.follower = calloc(p->fleet->count, sizeof(struct iob_log_follower *))};
	struct iob_log_begin message;
	struct iob_error err = {0};
	int fd;

	p->control = iob_detach(p->control);
	/* It is told by the socket when the front has died, and has something to do then. */
	prctl(PR_SET_PDEATHSIG, 0);
	prctl(PR_SET_NAME, "iotop-bench-log");
	iob_leave_signals_to_front();
	if (!w.follower)
		iob_fail(&err, -ENOMEM, "writing logs: %m");
	else
		(void)iob_fio_log_check(p, &err);
	p->page->check = err;
	atomic_store(&p->page->checked, 1);
	while (err.code == 0 && receive(p->control, &message, &fd))
		begin(&w, &message, fd);
	if (!atomic_load(&p->page->finishing)) {
		signal(SIGALRM, SIG_DFL);
		alarm(ORPHAN_S);
	}
	if (err.code == 0) {
		end_all(&w);
		for (int i = 0; i < IOB_FIO_NLOGS; i++)
			join_parts(&w, (enum iob_fio_log)i);
	}
	atomic_store(&p->page->done, 1);
	_exit(0);
}
