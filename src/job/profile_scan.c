/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/profile_scan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/blank.h"
#include "base/cleanup.h"

/* iniparser reads lines into 1024 bytes and gives up on a longer one; a margin for its own ends. */
#define LONGEST_LINE 1000
#define MOST_LINES   10000
#define MOST_BYTES   (1 << 20)
#define MOST_ITEMS   1024

struct cursor {
	const char *path;
	unsigned line;
	struct iob_profile_scan *scan;
};

/* Without blanks at both ends, in place. */
static char *strip(char *text)
{
	while (iob_is_blank(*text))
		text++;
	size_t n = strlen(text);
	while (n > 0 && iob_is_blank(text[n - 1]))
		n--;
	text[n] = '\0';
	return text;
}

static int fail_at(const struct cursor *at, struct iob_error *err, const char *why)
{
	return iob_fail_usage(err, "%s:%u: %s", at->path, at->line, why);
}

static int copy_name(const struct cursor *at, char *out, const char *name, struct iob_error *err)
{
	size_t n = strlen(name);

	if (n == 0)
		return fail_at(at, err, "the name is empty");
	if (n >= IOB_NAME_MAX)
		return iob_fail_usage(err, "%s:%u: the name %.40s... is too long; at most %d bytes",
			at->path, at->line, name, IOB_NAME_MAX - 1);
	for (const char *c = name; *c != '\0'; c++) {
		if (*c == ':' || *c == '[' || *c == ']' || (unsigned char)*c < 0x20)
			return iob_fail_usage(err,
				"%s:%u: the name %.40s holds a colon, bracket or control character",
				at->path, at->line, name);
	}
	memcpy(out, name, n + 1);
	return 0;
}

static int add_section(struct cursor *at, char *text, struct iob_error *err)
{
	struct iob_profile_scan *scan = at->scan;
	struct iob_profile_section section = {.line = at->line};
	size_t n = strlen(text);

	if (text[n - 1] != ']')
		return fail_at(at, err, "a section is [NAME] alone on its line");
	text[n - 1] = '\0';
	int rc = copy_name(at, section.name, strip(text + 1), err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < scan->nsections; i++) {
		if (strcasecmp(scan->sections[i].name, section.name) == 0)
			return iob_fail_usage(err,
				"%s:%u: [%s] is there already, at line %u; give each stage its own "
				"name",
				at->path, at->line, section.name, scan->sections[i].line);
	}
	if (scan->nsections == MOST_ITEMS)
		return fail_at(at, err, "too many sections");
	void *grown = iob_array_extend(scan->sections, scan->nsections, sizeof(*scan->sections));
	if (!grown)
		return iob_fail(err, -ENOMEM, "%s: %m", at->path);
	scan->sections = grown;
	scan->sections[scan->nsections++] = section;
	return 0;
}

/* The library takes a value that begins with a quote up to the next one, wherever that is. */
static int check_quotes(const struct cursor *at, const char *value, struct iob_error *err)
{
	char quote = value[0];

	if (quote != '"' && quote != '\'')
		return 0;
	const char *end = strchr(value + 1, quote);
	if (!end)
		return iob_fail_usage(err, "%s:%u: the quote before \"%.40s\" is never closed",
			at->path, at->line, value + 1);
	end++;
	while (iob_is_blank(*end))
		end++;
	if (*end != '\0' && *end != '#' && *end != ';')
		return iob_fail_usage(err, "%s:%u: \"%.40s\" follows the closing quote; remove it",
			at->path, at->line, end);
	return 0;
}

static int add_key(struct cursor *at, char *text, struct iob_error *err)
{
	struct iob_profile_scan *scan = at->scan;
	struct iob_profile_key key = {.line = at->line};
	char *equals = strchr(text, '=');

	if (!equals)
		return iob_fail_usage(err,
			"%s:%u: \"%.40s\" is neither [NAME] nor KEY = VALUE; a switch is written %.40s = 1",
			at->path, at->line, text, text);
	if (scan->nsections == 0)
		return fail_at(
			at, err, "a key stands before the first section; begin with [profile]");
	*equals = '\0';
	int rc = copy_name(at, key.name, strip(text), err);
	if (rc == 0)
		rc = check_quotes(at, strip(equals + 1), err);
	if (rc < 0)
		return rc;
	/* As the library will have it, so that RW and rw are one key. */
	for (char *c = key.name; *c != '\0'; c++) {
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	}
	struct iob_profile_section *section = &scan->sections[scan->nsections - 1];
	for (size_t i = 0; i < section->nkeys; i++) {
		if (strcmp(section->keys[i].name, key.name) == 0)
			return iob_fail_usage(err,
				"%s:%u: [%s] %s is there already, at line %u; remove one of them",
				at->path, at->line, section->name, key.name, section->keys[i].line);
	}
	if (section->nkeys == MOST_ITEMS)
		return fail_at(at, err, "too many keys");
	void *grown = iob_array_extend(section->keys, section->nkeys, sizeof(key));
	if (!grown)
		return iob_fail(err, -ENOMEM, "%s: %m", at->path);
	section->keys = grown;
	section->keys[section->nkeys++] = key;
	return 0;
}

static int scan_line(struct cursor *at, char *raw, size_t n, struct iob_error *err)
{
	if (n > LONGEST_LINE)
		return iob_fail_usage(err, "%s:%u: the line is too long; at most %d bytes",
			at->path, at->line, LONGEST_LINE);
	if (strlen(raw) != n)
		return fail_at(at, err, "there is a zero byte; this is not a text file");
	char *text = strip(raw);
	size_t length = strlen(text);
	if (length == 0 || text[0] == '#' || text[0] == ';')
		return 0;
	if (at->line == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0)
		return fail_at(at, err,
			"a byte order mark stands before the text; save it as UTF-8 without one");
	if (text[length - 1] == '\\')
		return fail_at(
			at, err, "a backslash at the end would join the next line; remove it");
	if (text[0] == '[')
		return add_section(at, text, err);
	return add_key(at, text, err);
}

static FILE *open_regular(const char *path, struct iob_error *err)
{
	struct stat st;
	IOB_FILE FILE *f = NULL;

	/* Looked at before it is opened: the open of a pipe would wait. */
	if (stat(path, &st) < 0)
		iob_fail(err, -errno, "profile %s: %m", path);
	else if (!S_ISREG(st.st_mode))
		iob_fail_usage(err, "profile %s: not a regular file", path);
	else if (st.st_size > MOST_BYTES)
		iob_fail_usage(err, "profile %s: larger than any profile (1 MiB)", path);
	else if (!(f = fopen(path, "re")))
		iob_fail(err, -errno, "profile %s: %m", path);
	if (!f && err)
		err->kind = IOB_ERR_USAGE;
	return iob_steal(&f);
}

static int scan_lines(struct cursor *at, FILE *f, struct iob_error *err)
{
	IOB_FREE char *line = NULL;
	size_t room = 0;
	ssize_t n;

	while ((n = getline(&line, &room, f)) >= 0) {
		at->line++;
		if (at->line > MOST_LINES)
			return fail_at(at, err, "too many lines for a profile");
		int rc = scan_line(at, line, (size_t)n, err);
		if (rc < 0)
			return rc;
	}
	return ferror(f) ? iob_fail(err, -EIO, "profile %s: %m", at->path) : 0;
}

int iob_profile_scan(struct iob_profile_scan *scan, const char *path, struct iob_error *err)
{
	struct cursor at = {.path = path, .scan = scan};

	*scan = (struct iob_profile_scan){0};
	IOB_FILE FILE *f = open_regular(path, err);
	if (!f)
		return err && err->code < 0 ? err->code : -EINVAL;
	return scan_lines(&at, f, err);
}

void iob_profile_scan_free(struct iob_profile_scan *scan)
{
	for (size_t i = 0; i < scan->nsections; i++)
		free(scan->sections[i].keys);
	free(scan->sections);
	*scan = (struct iob_profile_scan){0};
}
