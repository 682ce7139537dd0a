/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/prefs.h"

#include <errno.h>
#include <iniparser/iniparser.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/user_dir.h"
#include "ui/caps.h"

#define LONGEST_LINE 200
#define LEAST_NS     (100 * IOB_NS_PER_MS)
#define MOST_NS      (10 * IOB_NS_PER_S)

static const char *const colors[] = {"auto", "always", "never"};

/* The library would print to stderr. */
__attribute__((format(printf, 1, 2))) static int swallow(const char *format, ...)
{
	(void)format;
	return 0;
}

static int name_file(char *path, size_t n, struct iob_error *err)
{
	int rc = iob_user_dir(IOB_USER_CONFIG, path, n, err);

	if (rc < 0)
		return rc;
	size_t used = strlen(path);
	snprintf(path + used, n - used, "/config");
	return 0;
}

/* Long lines and what is no text go wrong in the library without a word. */
static int check_lines(const char *path, struct iob_error *err)
{
	IOB_FILE FILE *f = fopen(path, "re");
	char line[LONGEST_LINE + 2];

	if (!f)
		return iob_fail(err, -errno, "open %s: %m", path);
	for (unsigned number = 1; fgets(line, sizeof(line), f); number++) {
		if (strlen(line) > LONGEST_LINE)
			return iob_fail_usage(
				err, "%s:%u: the line is too long; shorten it", path, number);
	}
	return 0;
}

static void take(struct iob_prefs *p, const dictionary *d, const char *path, struct iob_error *err)
{
	const char *why = NULL, *value = iniparser_getstring(d, "screen:symbols", "auto");

	if (strcmp(value, "auto") == 0 || iob_glyphs_find(value) >= 0)
		snprintf(p->symbols, sizeof(p->symbols), "%s", value);
	else
		iob_fail_usage(err, "%s: symbols = %.40s: there is no such set", path, value);
	value = iniparser_getstring(d, "screen:color", "auto");
	for (int i = 0; i < 3; i++)
		if (strcmp(value, colors[i]) == 0)
			p->color = i;
	value = iniparser_getstring(d, "screen:delay", "");
	if (value[0] && (iob_parse_time(value, IOB_NS_PER_MS, &p->refresh_ns, &why) < 0 ||
				p->refresh_ns < LEAST_NS || p->refresh_ns > MOST_NS)) {
		p->refresh_ns = 0;
		iob_fail_usage(err, "%s: delay = %.40s: 100ms to 10s", path, value);
	}
	enum iob_yaxis axis = iob_yaxis_find(iniparser_getstring(d, "screen:yaxis", "auto"));
	p->yaxis = axis == IOB_NYAXES ? IOB_YAXIS_AUTO : axis;
	p->mouse = strcmp(iniparser_getstring(d, "screen:mouse", "off"), "on") == 0;
}

int iob_prefs_load(struct iob_prefs *p, struct iob_error *err)
{
	char path[4096 + 64];
	struct iob_error nowhere = {0};

	*p = (struct iob_prefs){.symbols = "auto"};
	err->code = 0;
	if (name_file(path, sizeof(path), &nowhere) < 0 || access(path, R_OK) < 0)
		return 0;
	if (check_lines(path, err) < 0)
		return err->code;
	iniparser_set_error_callback(swallow);
	dictionary *d = iniparser_load(path);
	iniparser_set_error_callback(NULL);
	if (!d)
		return iob_fail_usage(
			err, "%s: cannot be read; remove it, or save the options anew", path);
	take(p, d, path, err);
	iniparser_freedict(d);
	return err->code;
}

int iob_prefs_save(const struct iob_prefs *p, char *path, size_t n, struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	int rc = iob_user_dir(IOB_USER_CONFIG, path, n, err);

	if (rc == 0)
		rc = iob_user_dir_make(path, err);
	if (rc == 0)
		rc = name_file(path, n, err);
	if (rc == 0)
		rc = iob_atomic_file_open(&file, path, err);
	if (rc < 0)
		return rc;
	fprintf(file.stream, "[screen]\nsymbols = %s\ncolor = %s\nyaxis = %s\nmouse = %s\n",
		p->symbols, colors[p->color], iob_yaxis_name(p->yaxis), p->mouse ? "on" : "off");
	if (p->refresh_ns)
		fprintf(file.stream, "delay = %llums\n",
			(unsigned long long)(p->refresh_ns / IOB_NS_PER_MS));
	return iob_atomic_file_commit(&file, err);
}
