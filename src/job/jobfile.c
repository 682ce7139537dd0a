/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/jobfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/blank.h"
#include "base/cleanup.h"
#include "job/fio_expression.h"
#include "job/jobfile_substitute.h"

#define MOST_BYTES    (64L << 20) /* of a job file */
#define DEEPEST       16          /* files that include each other */
#define MOST_FILES    1000        /* included by each other, again and again */
#define LONGEST_NAME  255         /* of a section */
#define LONGEST_SHOWN 60          /* of a line, in a message */
#define GLOBAL        "global"

struct reader {
	struct iob_jobfile *jf;
	struct iob_place at; /* of the line */
	unsigned depth;      /* 0 = the job file itself */
	bool in_section;
	bool had_job; /* a job began in this file already */
	struct iob_error *err;
};

static int read_file(struct reader *, const char *path, const struct iob_place *from);

/* fio drops blanks and control characters at the end: so do CRLF files work. */
static size_t trim_end(const char *text, size_t n)
{
	while (n > 0 && ((unsigned char)text[n - 1] <= ' ' || text[n - 1] == 0x7f))
		n--;
	return n;
}

#define fail(r, ...)   iob_fail_place((r)->err, &(r)->at, __VA_ARGS__)
#define warn(r, ...)   iob_messages_add(&(r)->jf->warning, &(r)->jf->nwarnings, &(r)->at, __VA_ARGS__)
#define SHOWN(text, n) (int)((n) < LONGEST_SHOWN ? (n) : LONGEST_SHOWN), (text)

/* Where a comment begins, as fio sees it: anywhere. */
static size_t cut_comment(struct reader *r, const char *line, size_t n)
{
	size_t end = 0;

	while (end < n && line[end] != ';' && line[end] != '#')
		end++;
	if (end < n && end > 0 && !iob_is_blank(line[end - 1]))
		warn(r,
			"the line ends at the \"%c\": \"%.*s\"; no value can hold one (a comment is "
			"clearer with a blank before it)",
			line[end], SHOWN(line, end));
	return end;
}

static int check_section(struct reader *r, const char *name, size_t n)
{
	if (n > LONGEST_NAME)
		return fail(
			r, "the name of the section is too long; at most %d bytes", LONGEST_NAME);
	if (memmem(name, n, "{{", 2))
		return fail(r,
			"[%.*s]: \"{{\" is a placeholder that nobody filled in; run the template "
			"through its program first",
			SHOWN(name, n));
	return 0;
}

/* fio takes all but the last letter of the line for the name. */
static int fail_section(struct reader *r, const char *line, size_t n)
{
	const char *end = memchr(line, ']', n);

	if (end)
		return fail(r,
			"%.*s: something stands behind [%.*s]; options have lines of their own",
			SHOWN(line, n), SHOWN(line + 1, (size_t)(end - line - 1)));
	return fail(r, "%.*s: a section is [NAME], and its name holds no ; or #", SHOWN(line, n));
}

static int add_section(struct reader *r, const char *line, size_t n)
{
	const char *name = line + 1;

	if (r->depth > 0)
		return fail(r, "an included file cannot begin a section; move %.*s to the job file",
			SHOWN(line, n));
	if (n < 2 || line[n - 1] != ']')
		return fail_section(r, line, n);
	n -= 2;
	int rc = check_section(r, name, n);
	if (rc < 0)
		return rc;
	struct iob_section *s = iob_jobfile_add_section(r->jf, name, n, &r->at, r->err);
	if (!s)
		return r->err->code;
	s->global = strncmp(s->name, GLOBAL, strlen(GLOBAL)) == 0;
	if (s->global && s->name[strlen(GLOBAL)] != '\0')
		warn(r,
			"[%.*s] begins with \"global\", so it is no job: its options are for all jobs "
			"that follow, as in fio; call it otherwise if it is meant as a job",
			SHOWN(name, n));
	s->fresh = !r->in_section && r->jf->nread > 1;
	s->waits = !s->global && !r->had_job && r->jf->nread > 1;
	r->had_job |= !s->global;
	r->in_section = true;
	return 0;
}

/* "include FILE": the rest of the line, relative to the file it stands in.  Its length, or 0. */
static size_t include_word(const char *line, size_t n)
{
	static const char word[] = "include";
	size_t length = sizeof(word) - 1;

	if (n <= length || strncmp(line, word, length) != 0 || !iob_is_blank(line[length]))
		return 0;
	while (iob_is_blank(line[length]))
		length++;
	return line[length] == '=' ? 0 : length;
}

static int include(struct reader *r, const char *name, size_t n)
{
	const char *slash = strrchr(r->at.file, '/');
	int directory = slash && name[0] != '/' ? (int)(slash - r->at.file) + 1 : 0;
	IOB_FREE char *path = NULL;

	if (r->depth + 1 > DEEPEST)
		return fail(r, "include %.*s: files include each other more than %d deep",
			SHOWN(name, n), DEEPEST);
	if (r->jf->nfiles >= MOST_FILES)
		return fail(r, "include %.*s: more than %d files are read already", SHOWN(name, n),
			MOST_FILES);
	if (asprintf(&path, "%.*s%.*s", directory, r->at.file, (int)n, name) < 0)
		return iob_fail(r->err, -ENOMEM, "include: %m");
	struct stat st;
	/* A FIFO would be waited for, a device may have no end. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return fail(r, "include %.*s: this is no regular file", SHOWN(name, n));
	struct reader inner = {.jf = r->jf,
		.depth = r->depth + 1,
		.in_section = r->in_section,
		.had_job = r->had_job,
		.err = r->err};
	return read_file(&inner, path, &r->at);
}

static uint64_t no_unit(const char *letters, unsigned n, void *self)
{
	(void)letters;
	(void)self;
	return n == 0;
}

/* Behind $pagesize and its like arithmetic is done, if the value is such. */
static void evaluate(char *value)
{
	const struct iob_fio_units units = {.value = no_unit};
	const char *why;
	int64_t result;

	if (strpbrk(value, "+-*/") && iob_fio_evaluate(value, &units, &result, &why) == 0)
		snprintf(value, strlen(value) + 1, "%lld", (long long)result);
}

static int add_option(struct reader *r, char *text, bool keyword)
{
	struct iob_section *s = &r->jf->section[r->jf->nsections - 1];
	char *value = strchr(text, '=');
	size_t n = trim_end(text, value ? (size_t)(value - text) : strlen(text));

	if (n == 0)
		return fail(r, "%.60s: the name of the option is missing", text);
	if (!value)
		return iob_section_add(s, text, n, NULL, &r->at, r->err);
	value++;
	if (iob_is_blank(*value) && value[strspn(value, " \t")] != '\0')
		warn(r,
			"%.60s: fio takes the blank behind \"=\" for a part of the value; it is left "
			"out here",
			text);
	value += strspn(value, " \t");
	if (keyword)
		evaluate(value);
	if (strstr(value, "{{"))
		return fail(r,
			"%.80s: \"{{\" is a placeholder that nobody filled in; run the template "
			"through its program first",
			text);
	return iob_section_add(s, text, n, value, &r->at, r->err);
}

static int substitute_and_add(struct reader *r, const char *line, size_t n)
{
	struct iob_substitution s;
	const char *why = "no memory";
	int rc = iob_substitute(&s, line, n, &why);
	IOB_FREE char *text = s.text;

	if (rc < 0)
		return fail(r, "%.*s: %s", SHOWN(line, n), why);
	if (s.unset[0] != '\0')
		warn(r, "${%.60s} is not set in the environment: nothing stands in its place",
			s.unset);
	text[trim_end(text, strlen(text))] = '\0';
	return add_option(r, text, s.keyword);
}

static int take_line(struct reader *r, const char *line, size_t n)
{
	const char *start = line;

	while (n > 0 && iob_is_blank(*line))
		line++, n--;
	r->at.column = (unsigned)(line - start) + 1;
	if (memchr(line, '\0', n))
		return fail(r, "the line holds a zero byte; this is no job file");
	if (n > 0 && (*line == ';' || *line == '#'))
		return 0;
	n = trim_end(line, cut_comment(r, line, n));
	if (n == 0)
		return 0;
	if (*line == '[')
		return add_section(r, line, n);
	size_t word = include_word(line, n);
	if (word > 0)
		return include(r, line + word, n - word);
	if (!r->in_section)
		return fail(r,
			"%.*s: the option stands before the first section; write [global] or "
			"the name of a job above it",
			SHOWN(line, n));
	return substitute_and_add(r, line, n);
}

static int take_text(struct reader *r, const char *text, size_t n)
{
	static const char bom[] = "\xef\xbb\xbf";

	if (n >= 3 && memcmp(text, bom, 3) == 0)
		text += 3, n -= 3;
	while (n > 0) {
		const char *end = memchr(text, '\n', n);
		size_t length = end ? (size_t)(end - text) : n;

		r->at.line++;
		int rc = take_line(r, text, length);
		if (rc < 0)
			return rc;
		length += end != NULL;
		text += length;
		n -= length;
	}
	return 0;
}

/* All of a stream. */
static int slurp(FILE *f, char **text, size_t *n)
{
	char chunk[16384];
	IOB_FILE FILE *out = open_memstream(text, n);
	size_t got = 0;
	long total = 0;

	while (out && (got = fread(chunk, 1, sizeof(chunk), f)) > 0) {
		total += (long)got;
		if (total > MOST_BYTES)
			return -EFBIG;
		fwrite(chunk, 1, got, out);
	}
	if (ferror(f))
		return errno ? -errno : -EIO;
	return out && fclose(iob_steal(&out)) == 0 ? 0 : -ENOMEM;
}

static int fail_file(struct reader *r, const char *path, const struct iob_place *from, int code)
{
	if (code == -EFBIG)
		iob_fail_usage(r->err, "%s: larger than %ld MiB; this is no job file", path,
			MOST_BYTES >> 20);
	else
		iob_fail_usage(r->err, "job file %s: %s; name a file, or - for standard input",
			path, strerrordesc_np(-code));
	if (from) {
		char where[IOB_PLACE_MAX];

		iob_error_prefix(
			r->err, "%s: include: ", iob_place_format(where, sizeof(where), from));
	}
	return -EINVAL;
}

static int read_file(struct reader *r, const char *path, const struct iob_place *from)
{
	bool standard_input = !from && strcmp(path, "-") == 0;
	IOB_FILE FILE *f = standard_input ? NULL : fopen(path, "re");
	IOB_FREE char *text = NULL;
	struct stat st;
	size_t n = 0;

	if (!f && !standard_input)
		return fail_file(r, path, from, -errno);
	if (f && fstat(fileno(f), &st) == 0 && S_ISBLK(st.st_mode))
		return fail_file(r, path, from, -ENOTSUP);
	errno = 0;
	int rc = slurp(f ? f : stdin, &text, &n);
	if (rc < 0)
		return fail_file(r, path, from, rc);
	r->at.file = iob_jobfile_add_file(r->jf, standard_input ? "<stdin>" : path, r->err);
	return r->at.file ? take_text(r, text, n) : -ENOMEM;
}

int iob_jobfile_read(struct iob_jobfile *jf, const char *path, struct iob_error *err)
{
	struct reader r = {.jf = jf, .err = err};

	jf->nread++;
	return read_file(&r, path, NULL);
}

int iob_jobfile_parse(
	struct iob_jobfile *jf, const char *name, const char *text, size_t n, struct iob_error *err)
{
	struct reader r = {.jf = jf, .err = err};

	jf->nread++;
	r.at.file = iob_jobfile_add_file(jf, name, err);
	return r.at.file ? take_text(&r, text, n) : -ENOMEM;
}
