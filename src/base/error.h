/* SPDX-License-Identifier: MIT */
/*
 * How a failure travels: functions return 0 (or a count) or a negative errno and leave the words in
 * the caller's struct iob_error.  The lowest function that knows the object's name writes the text;
 * callers may put context in front; only main.c, cli/ and ui/ print.
 */
#ifndef IOB_BASE_ERROR_H
#define IOB_BASE_ERROR_H

/* What a failure means for the exit status of the program (DESIGN: exit status). */
enum iob_error_kind {
	IOB_ERR_RUN = 0, /* the run failed: exit 1 */
	IOB_ERR_USAGE,   /* bad value or bad input: exit 2 */
	IOB_ERR_REFUSED, /* refused for safety: exit 3 */
};

/* A plain value without pointers: it also crosses from the load process to the front. */
struct iob_error {
	int code;                 /* negative errno; 0 while nothing has failed */
	enum iob_error_kind kind; /* set with the text; IOB_ERR_RUN unless said otherwise */
	char text[504];           /* "open /dev/sdb: Permission denied (...)", no newline, UTF-8 */
};

/*
 * Set code and text (printf; %m is strerror(-code)), kind IOB_ERR_RUN.  Returns code.  err may be
 * NULL. code must be negative.  In a text that is too long the longest words (paths) lose their
 * middle; if that is not enough it is cut at a character's border.
 */
int iob_fail(struct iob_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with kind IOB_ERR_USAGE, code -EINVAL: bad value, bad syntax, bad command line. */
int iob_fail_usage(struct iob_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same with kind IOB_ERR_REFUSED, code -EPERM: refused for safety. */
int iob_fail_refused(struct iob_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Put context in front of the text; kind and code stay. */
void iob_error_prefix(struct iob_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Exit status 1, 2 or 3 for an error that is set. */
int iob_error_exit_status(const struct iob_error *err);

#endif
