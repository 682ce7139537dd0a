/* SPDX-License-Identifier: MIT */
/* Writing what must not be lost: the file is there whole or not at all, and a file system that
 * hangs does not take the program with it. */
#ifndef IOB_RESULT_SAVE_H
#define IOB_RESULT_SAVE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "job/plan.h"

struct iob_document {
	int (*write)(const void *what, FILE *, struct iob_error *);
	const void *what;
	const struct iob_plan_report
		*target; /* it is never replaced; NULL or ino 0 = there is none */
	bool hurry;      /* something has hung already, or somebody waits: do not wait for long */
	bool more;       /* will follow, so it need not be on the disk yet */
	bool fresh;      /* a file that is there already is left alone: -EEXIST */
};

/* A file system that does not answer is given up after a minute (-ETIMEDOUT), after seconds in a
 * hurry or where a signal waits that ends the program.  What is no regular file is written in
 * place. */
int iob_document_save(const struct iob_document *, const char *path, struct iob_error *);
/* Likewise, behind what has been saved there; where it cannot be written, what is there stays. */
int iob_document_append(const struct iob_document *, const char *path, struct iob_error *);

/*
 * Could it be saved there?  Nothing is made or changed; the errors are the same, but one that does
 * not answer is given up after ten seconds.  1 = it is no regular file.  *file: which it is or
 * would be, all zero if it is none.  Before there are threads.
 */
int iob_document_check(const char *path, struct iob_plan_report *file, struct iob_error *);

/* Does a signal wait, blocked, that ends the program? */
bool iob_document_is_asked_to_end(void);

/* Chooses the file and makes what it needs around it; tidies up once it is there.  Both are done
 * where the document is written: its directories may hang as well. */
struct iob_document_place {
	int (*choose)(const void *arg, char *path, size_t n, struct iob_error *);
	void (*tidy)(const char *path);
	const void *arg;
	const char *name; /* what is being written, should it be given up */
};

/* path: n bytes, where it went; IOB_PATH_MAX are enough. */
int iob_document_save_at(const struct iob_document *, const struct iob_document_place *, char *path,
	size_t n, struct iob_error *);

#endif
