/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define TEXT_BYTES 65536

static const char *remedy(int error)
{
	if (error == ENOSPC || error == EDQUOT)
		return "make room there, or have the logs elsewhere";
	if (error == EFBIG)
		return "raise `ulimit -f`, or have smaller logs by log_avg_msec=";
	return "have the logs elsewhere";
}

static void give_up(struct iob_log_file *f, const char *what, int error)
{
	struct iob_error err;

	iob_fail(&err, error ? -error : -EIO,
		"%s the log %s: %m; it ends there, the jobs go on; %s", what, f->path,
		remedy(error));
	iob_log_page_fail(f->page, &err);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* Was it there when places were checked? */
static bool is_known(const struct iob_log_page *page, const struct stat *st)
{
	for (unsigned i = 0; i < page->nlogs; i++)
		if (page->log[i].dev == st->st_dev && page->log[i].ino == st->st_ino)
			return true;
	return false;
}

/* What has come to stand there since the check may be anything, a link to a target as well. */
static int open_known(const struct iob_log_file *f)
{
	IOB_FD int fd = open(f->path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode) || !is_known(f->page, &st)) {
		errno = EEXIST;
		return -1;
	}
	return ftruncate(fd, 0) < 0 ? -1 : iob_steal_fd(&fd);
}

void iob_log_file_open(struct iob_log_file *f)
{
	f->text = malloc(TEXT_BYTES);
	iob_log_wait_begin(f->wait, f->which);
	f->fd = f->text ? open(f->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
	if (f->text && f->fd < 0 && errno == EEXIST)
		f->fd = open_known(f);
	if (f->fd < 0)
		give_up(f, "open", errno);
	iob_log_wait_end(f->wait);
}

char *iob_log_file_next(struct iob_log_file *f)
{
	if (f->fd >= 0 && f->used + f->room > TEXT_BYTES)
		iob_log_file_flush(f);
	return f->fd >= 0 ? f->text + f->used : NULL;
}

void iob_log_file_add(struct iob_log_file *f, const char *end)
{
	f->used = (size_t)(end - f->text);
}

static size_t write_all(int fd, const char *text, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t wrote = write(fd, text + done, n - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			break;
		done += (size_t)wrote;
	}
	return done;
}

void iob_log_file_flush(struct iob_log_file *f)
{
	if (f->fd < 0 || f->used == 0)
		return;
	iob_log_wait_begin(f->wait, f->which);
	size_t done = write_all(f->fd, f->text, f->used);
	if (done < f->used) {
		int error = errno;

		while (done > 0 && f->text[done - 1] != '\n')
			done--;
		(void)!ftruncate(f->fd, f->size + (off_t)done);
		give_up(f, "write", error);
	}
	f->size += (off_t)done;
	f->used = 0;
	f->unsynced = true;
	iob_log_wait_end(f->wait);
}

void iob_log_file_sync(struct iob_log_file *f)
{
	if (f->fd < 0 || !f->unsynced)
		return;
	iob_log_wait_begin(f->wait, f->which);
	/* Some file systems cannot. */
	if (fdatasync(f->fd) < 0 && errno != EINVAL && errno != ENOTSUP)
		give_up(f, "sync", errno);
	f->unsynced = false;
	iob_log_wait_end(f->wait);
}

/* The next whole lines of it, into f->text; false at its end, or if it cannot be read. */
static bool read_lines(struct iob_log_file *f, struct iob_log_file *part, off_t at)
{
	iob_log_wait_begin(part->wait, part->which);
	ssize_t got = at < part->size ? pread(part->fd, f->text, TEXT_BYTES, at) : 0;
	while (got > 0 && f->text[got - 1] != '\n')
		got--;
	if (got <= 0 && at < part->size)
		give_up(part, "read", errno);
	iob_log_wait_end(part->wait);
	f->used = got > 0 ? (size_t)got : 0;
	return got > 0;
}

void iob_log_file_append(struct iob_log_file *f, struct iob_log_file *part)
{
	off_t at = 0;

	while (f->fd >= 0 && part->fd >= 0 && read_lines(f, part, at)) {
		at += (off_t)f->used;
		iob_log_file_flush(f);
	}
	if (f->fd >= 0 && part->fd >= 0)
		unlink(part->path);
}

void iob_log_file_close(struct iob_log_file *f)
{
	iob_log_wait_begin(f->wait, f->which);
	if (f->fd >= 0 && close(f->fd) < 0) {
		f->fd = -1;
		give_up(f, "close", errno);
	}
	iob_log_wait_end(f->wait);
	f->fd = -1;
	free(f->text);
	f->text = NULL;
}
