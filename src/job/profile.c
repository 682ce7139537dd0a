/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/profile.h"

#include <errno.h>
#include <iniparser/iniparser.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "job/param.h"
#include "job/profile_scan.h"

/* The library would print to stderr; our scan has already said what is wrong, or nothing is. */
__attribute__((format(printf, 1, 2))) static int swallow(const char *format, ...)
{
	(void)format;
	return 0;
}

static void free_dictionary(dictionary **d)
{
	if (*d)
		iniparser_freedict(*d);
}

#define IOB_DICTIONARY __attribute__((cleanup(free_dictionary)))

static void free_scan(struct iob_profile_scan *scan)
{
	iob_profile_scan_free(scan);
}

#define IOB_SCAN __attribute__((cleanup(free_scan)))

static dictionary *load_dictionary(const char *path, struct iob_error *err)
{
	iniparser_set_error_callback(swallow);
	dictionary *d = iniparser_load(path);
	iniparser_set_error_callback(NULL);
	if (!d)
		iob_fail_usage(err, "%s: cannot be read as a profile", path);
	return d;
}

/* Value of a scanned key, or NULL with the error set. */
static const char *value_of(const dictionary *d, const char *path,
	const struct iob_profile_section *section, const struct iob_profile_key *key,
	struct iob_error *err)
{
	char name[2 * IOB_NAME_MAX + 2];

	snprintf(name, sizeof(name), "%s:%s", section->name, key->name);
	const char *value = iniparser_getstring(d, name, NULL);
	if (value && value[0] != '\0')
		return value;
	iob_fail_usage(err, "%s:%u: [%s] %s: the value is empty; give one or remove the line", path,
		key->line, section->name, key->name);
	return NULL;
}

static int load_stage(struct iob_job *job, const dictionary *d, const char *path,
	const struct iob_profile_section *section, struct iob_error *err)
{
	iob_job_defaults(job);
	int rc = iob_param_set_named(job, "name", section->name, err);
	if (rc < 0) {
		iob_error_prefix(err, "%s:%u: ", path, section->line);
		return rc;
	}
	for (size_t i = 0; i < section->nkeys; i++) {
		const struct iob_profile_key *key = &section->keys[i];
		const char *value = value_of(d, path, section, key, err);

		if (!value)
			return -EINVAL;
		rc = iob_param_set_named(job, key->name, value, err);
		if (rc < 0) {
			iob_error_prefix(err, "%s:%u: [%s] ", path, key->line, section->name);
			return rc;
		}
	}
	return 0;
}

static int load_head(char *summary, size_t n, const dictionary *d, const char *path,
	const struct iob_profile_section *section, struct iob_error *err)
{
	for (size_t i = 0; i < section->nkeys; i++) {
		const struct iob_profile_key *key = &section->keys[i];
		const char *value = NULL;

		if (strcasecmp(key->name, "summary") != 0)
			return iob_fail_usage(err,
				"%s:%u: [profile] %s: no such key; only summary stands here, "
				"parameters belong to a stage",
				path, key->line, key->name);
		value = value_of(d, path, section, key, err);
		if (!value)
			return -EINVAL;
		iob_text_clean(summary, n, value);
	}
	return 0;
}

/* Stages go to stage[IOB_MAX_STAGES]; returns their count. */
static int load_file(
	const char *path, struct iob_job *stage, char *summary, size_t n, struct iob_error *err)
{
	IOB_SCAN struct iob_profile_scan scan = {0};
	bool has_head = false;
	int count = 0;
	int rc = iob_profile_scan(&scan, path, err);

	if (rc < 0)
		return rc;
	IOB_DICTIONARY dictionary *d = load_dictionary(path, err);
	if (!d)
		return -EINVAL;
	summary[0] = '\0';
	for (size_t i = 0; i < scan.nsections; i++) {
		const struct iob_profile_section *section = &scan.sections[i];

		if (strcasecmp(section->name, "profile") == 0) {
			has_head = true;
			rc = load_head(summary, n, d, path, section, err);
		} else if (count == IOB_MAX_STAGES) {
			return iob_fail_usage(err, "%s:%u: [%s]: at most %d stages", path,
				section->line, section->name, IOB_MAX_STAGES);
		} else {
			rc = load_stage(&stage[count++], d, path, section, err);
		}
		if (rc < 0)
			return rc;
	}
	if (!has_head)
		return iob_fail_usage(err,
			"%s: there is no [profile] section; a profile begins with [profile] and "
			"summary = WORDS",
			path);
	if (count == 0)
		return iob_fail_usage(err,
			"%s: there is no stage; add a section such as [main] with rw = randread",
			path);
	return count;
}

/* The name without directory and ".ini". */
static void base_name(char *buf, size_t n, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t length = strlen(base);

	if (length > 4 && strcmp(base + length - 4, ".ini") == 0)
		length -= 4;
	snprintf(buf, n, "%.*s", (int)length, base);
}

int iob_profile_load(struct iob_plan *plan, const char *name, struct iob_error *err)
{
	char path[IOB_PATH_MAX];
	char summary[sizeof(((struct iob_profile_entry *)0)->summary)];
	IOB_FREE struct iob_job *stage = calloc(IOB_MAX_STAGES, sizeof(*stage));

	if (!stage)
		return iob_fail(err, -ENOMEM, "profile %s: %m", name);
	int rc = iob_profile_path(path, sizeof(path), name, err);
	if (rc < 0)
		return rc;
	rc = load_file(path, stage, summary, sizeof(summary), err);
	if (rc < 0)
		return rc;
	plan->nstages = (unsigned)rc;
	memcpy(plan->stage, stage, (size_t)rc * sizeof(*stage));
	base_name(plan->profile, sizeof(plan->profile), path);
	return 0;
}

int iob_profile_describe(struct iob_profile_entry *entry, const char *path)
{
	struct iob_error err = {0};
	IOB_FREE struct iob_job *stage = calloc(IOB_MAX_STAGES, sizeof(*stage));

	if (!stage)
		return -ENOMEM;
	snprintf(entry->path, sizeof(entry->path), "%s", path);
	base_name(entry->name, sizeof(entry->name), path);
	int rc = load_file(path, stage, entry->summary, sizeof(entry->summary), &err);
	if (rc < 0) {
		iob_error_prefix(&err, "not usable: ");
		iob_text_clean(entry->summary, sizeof(entry->summary), err.text);
	}
	return 0;
}

int iob_profile_find(struct iob_profile_entry *entry, const char *name, struct iob_error *err)
{
	char path[IOB_PATH_MAX];
	int rc = iob_profile_path(path, sizeof(path), name, err);

	*entry = (struct iob_profile_entry){0};
	if (rc == 0 && iob_profile_describe(entry, path) < 0)
		rc = iob_fail(err, -ENOMEM, "profile %s: %m", name);
	return rc;
}
