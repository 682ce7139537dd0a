/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/telling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"
#include "result/save.h"

int iob_telling_begin(struct iob_telling *t, const char *path, struct iob_error *err)
{
	*t = (struct iob_telling){.path = path, .kept = -1, .standard = -1};
	if (!path)
		return 0;
	t->kept = memfd_create("told", MFD_CLOEXEC);
	t->standard = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (t->kept >= 0 && t->standard >= 0 && dup2(t->kept, STDOUT_FILENO) >= 0)
		return 0;
	int rc = iob_fail(err, -errno, "--output=%.200s: %m", path);
	if (t->kept >= 0)
		close(t->kept);
	if (t->standard >= 0)
		close(t->standard);
	return rc;
}

/* Mapped: whoever writes it for us has none of our descriptors. */
struct told {
	const char *text;
	size_t size;
};

static int write_told(const void *what, FILE *f, struct iob_error *err)
{
	const struct told *t = what;

	if (fwrite(t->text, 1, t->size, f) == t->size && fflush(f) == 0)
		return 0;
	return iob_fail(err, -errno, "what was told could not be written: %m");
}

static int write_file(const char *path, const struct told *t)
{
	const struct iob_document d = {.write = write_told, .what = t};
	struct iob_error err = {0};

	if (iob_document_save(&d, path, &err) == 0)
		return IOB_EXIT_OK;
	iob_cli_error(&err);
	fputs(PACKAGE_NAME ": it goes to standard output instead\n", stderr);
	if (write_told(t, stdout, &err) < 0)
		iob_cli_error(&err);
	return IOB_EXIT_FAILED;
}

static int pass_on(const struct iob_telling *t)
{
	off_t size = lseek(t->kept, 0, SEEK_END);
	struct told told = {.text = "", .size = size > 0 ? (size_t)size : 0};
	struct iob_error err = {0};
	void *text = NULL;

	if (told.size) {
		text = mmap(NULL, told.size, PROT_READ, MAP_SHARED, t->kept, 0);
		if (text == MAP_FAILED)
			return iob_fail(&err, -errno, "--output=%.200s: %m", t->path),
			       iob_cli_error(&err);
		told.text = text;
	}
	int status = write_file(t->path, &told);
	if (text)
		munmap(text, told.size);
	return status;
}

int iob_telling_end(struct iob_telling *t, int status)
{
	status = iob_cli_finish_stdout(status);
	if (!t->path)
		return status;
	dup2(t->standard, STDOUT_FILENO);
	close(t->standard);
	if (status == IOB_EXIT_OK)
		status = pass_on(t);
	close(t->kept);
	return status;
}
