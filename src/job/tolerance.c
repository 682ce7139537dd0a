/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/tolerance.h"

#include <errno.h>
#include <string.h>

#include "base/errno_name.h"

static int add(struct iob_tolerance *t, unsigned class, const char *name, struct iob_error *err)
{
	int code = iob_errno_parse(name);

	if (code < 0)
		return iob_fail_usage(err,
			"ignore_error: %.40s: no error of this system; write names such as EIO or "
			"numbers in 1..%d, separated by ':', lists by ','",
			name[0] ? name : "an empty name", IOB_ERRNO_MAX);
	if (t->n[class] == IOB_TOLERANCE_LIST)
		return iob_fail_usage(
			err, "ignore_error: at most %d errors in a list", IOB_TOLERANCE_LIST);
	t->code[class][t->n[class]++] = code;
	return 0;
}

/* An empty list is legal: ",ENOSPC" is for writes alone. */
static int add_list(struct iob_tolerance *t, unsigned class, char *list, struct iob_error *err)
{
	int rc = 0;

	while (list && *list && rc == 0)
		rc = add(t, class, strsep(&list, ":"), err);
	return rc;
}

int iob_tolerance_init(struct iob_tolerance *t, const struct iob_job *job, struct iob_error *err)
{
	char text[sizeof(job->ignore_error)];
	char *rest = text;
	int rc = 0;

	*t = (struct iob_tolerance){.continue_on = job->continue_on_error};
	memcpy(text, job->ignore_error, sizeof(text));
	for (unsigned class = 0; rest && rc == 0; class ++) {
		if (class > IOB_TOLERATE_VERIFY)
			return iob_fail_usage(err,
				"ignore_error=%.100s: three lists at most, for reads, writes and "
				"verification",
				job->ignore_error);
		rc = add_list(t, class, strsep(&rest, ","), err);
	}
	return rc;
}

static bool may_pass(int code)
{
	static const int relatives[] = {
		EIO, EILSEQ, EAGAIN, ENODATA, EREMOTEIO, ETIMEDOUT, ENOLINK, EBADE, EUCLEAN};

	for (size_t i = 0; i < sizeof(relatives) / sizeof(relatives[0]); i++)
		if (code == relatives[i])
			return true;
	return false;
}

enum iob_tolerance_verdict iob_tolerance_of(
	const struct iob_tolerance *t, enum iob_tolerance_class class, int code)
{
	if (code == 0)
		code = EIO;
	for (unsigned i = 0; i < t->n[class]; i++)
		if (t->code[class][i] == code)
			return IOB_ERROR_IGNORED;
	if ((t->continue_on & (1u << class)) && may_pass(code))
		return IOB_ERROR_COUNTED;
	return IOB_ERROR_FATAL;
}
