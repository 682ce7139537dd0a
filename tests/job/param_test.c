/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <criterion/theories.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "job/param.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct iob_job job;
static struct iob_error err;

static void fresh(void)
{
	iob_job_defaults(&job);
	memset(&err, 0, sizeof(err));
}

TestSuite(param, .init = fresh, .timeout = 10);

static int set(const char *name, const char *text)
{
	return iob_param_set_named(&job, name, text, &err);
}

static const char *get(const char *name)
{
	static char buf[IOB_PATH_MAX];

	return iob_param_get(&job, iob_param_find(name), buf, sizeof(buf));
}

/* Laws of the table, for each of its rows. */

ParameterizedTestParameters(param, row_obeys_the_laws)
{
	static size_t index[256];

	for (size_t i = 0; i < iob_param_count(); i++)
		index[i] = i;
	return cr_make_param_array(size_t, index, iob_param_count());
}

static void check_default(const struct iob_param *p)
{
	char text[IOB_PATH_MAX];

	cr_expect_eq(iob_param_set(&job, p, p->initial, &err), 0, "%s: %s", p->name, err.text);
	cr_expect_str_eq(iob_param_get(&job, p, text, sizeof(text)), p->initial,
		"the default of %s comes back", p->name);
	cr_expect_eq(iob_param_is_given(&job, p), p->initial[0] != '\0');
}

static void check_bounds(const struct iob_param *p)
{
	char text[40];
	struct iob_job before = job;

	if (p->type == IOB_P_TEXT || p->type == IOB_P_CHOICE || p->type == IOB_P_BOOL)
		return;
	cr_expect_leq(p->min, p->max, "%s", p->name);
	cr_expect_lt(iob_param_set(&job, p, "-1", &err), 0, "%s", p->name);
	cr_expect_lt(iob_param_set(&job, p, "18446744073709551616", &err), 0, "%s", p->name);
	if (p->max < UINT64_MAX && p->type != IOB_P_TIME) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)p->max + 1);
		cr_expect_eq(iob_param_set(&job, p, text, &err), -EINVAL, "%s", p->name);
		cr_expect_not_null(strstr(err.text, "at most"), "%s", err.text);
	}
	if (p->min > 0) {
		cr_expect_eq(iob_param_set(&job, p, "0", &err), -EINVAL, "%s", p->name);
		cr_expect_not_null(strstr(err.text, "at least"), "%s", err.text);
	}
	cr_expect_eq(memcmp(&before, &job, sizeof(job)), 0, "%s: refusal changes nothing", p->name);
}

ParameterizedTest(size_t *i, param, row_obeys_the_laws, .init = fresh)
{
	const struct iob_param *p = iob_param_at(*i);
	char legal[200];

	cr_expect_eq(iob_param_find(p->name), p, "%s is found by its name", p->name);
	cr_expect_not_null(p->group);
	cr_expect_not_null(p->unit);
	size_t n = p->help ? strlen(p->help) : 0;
	cr_assert_gt(n, 10, "%s has a help", p->name);
	cr_expect_eq(p->help[n - 1], '.', "%s: the help is a sentence", p->name);
	cr_expect_gt(strlen(iob_param_legal(p, legal, sizeof(legal))), 0);
	cr_expect_eq(p->type == IOB_P_CHOICE, p->choices != NULL, "%s", p->name);
	cr_expect_eq(p->type == IOB_P_TEXT, p->size > 0, "%s", p->name);
	check_bounds(p);
	check_default(p);
}

Test(param, names_and_aliases_are_unique)
{
	char seen[512][40];
	size_t n = 0;

	for (size_t i = 0; i < iob_param_count(); i++) {
		char all[200];

		snprintf(all, sizeof(all), "%s,%s", iob_param_at(i)->name,
			iob_param_at(i)->aliases ? iob_param_at(i)->aliases : "");
		for (char *save = NULL, *name = strtok_r(all, ",", &save); name;
			name = strtok_r(NULL, ",", &save)) {
			for (size_t k = 0; k < n; k++)
				cr_assert_str_neq(seen[k], name);
			cr_assert_eq(iob_param_find(name), iob_param_at(i), "%s", name);
			snprintf(seen[n++], sizeof(seen[0]), "%s", name);
		}
	}
}

Test(param, every_parameter_of_the_articles_has_a_row)
{
	static const char *const names[] = {"name", "filename", "directory", "direct", "rw",
		"readwrite", "bs", "bsrange", "size", "numjobs", "runtime", "ioengine", "iodepth",
		"iodepth_batch", "iodepth_batch_complete", "randrepeat", "norandommap",
		"gtod_reduce", "group_reporting", "thread", "rwmixread", "rwmixwrite", "lockmem",
		"zero_buffers", "nrfiles", "ioscheduler"};

	for (size_t i = 0; i < COUNT(names); i++)
		cr_expect_not_null(iob_param_find(names[i]), "%s", names[i]);
}

Test(param, dashes_stand_for_underscores)
{
	cr_assert_eq(iob_param_find("iodepth-batch"), iob_param_find("iodepth_batch"));
	cr_assert_null(iob_param_find("iodepth_batc"));
	cr_assert_null(iob_param_find("iodepth_batch_"));
	cr_assert_null(iob_param_find(""));
}

/* Values: what is set, and what is read back. */

struct value {
	char name[24], text[40], shown[40];
};

ParameterizedTestParameters(param, takes)
{
	static struct value rows[] = {
		{"rw", "read", "read"},
		{"rw", "readwrite", "rw"},
		{"rw", "RANDRW", "randrw"},
		{"sync", "1", "sync"},
		{"sync", "dsync", "dsync"},
		{"bs", "4096", "4k"},
		{"bs", "1", "1"},
		{"bs", "1g", "1g"},
		{"bs", "4095m", "4095m"},
		{"bs", "4kB", "4000"},
		{"bs", "4k-64k", "4k-64k"},
		{"bs", "4k:64k", "4k-64k"},
		{"bs", "4k-4096", "4k"},
		{"bs", "4k,8k", "4k,8k"},
		{"bs", "4k,8k,16k", "4k,8k,16k"},
		{"bs", "8k,32k,", "8k,32k,4k"},
		{"bs", ",8k", "4k,8k"},
		{"bs", "512-2048,1m", "512-2k,1m"},
		{"bsrange", "512-2048", "512-2k"},
		{"size", "1g", "1g"},
		{"size", "50%", "50%"},
		{"size", "12.5%", "12.5%"},
		{"size", "0.000001%", "0.000001%"},
		{"offset", "0", ""},
		{"iodepth", "65536", "65536"},
		{"numjobs", "512", "512"},
		{"rwmixread", "70%", "70"},
		{"rate_iops", "1000", "1000"},
		{"rate_iops", "1000,500", "1000,500"},
		{"rate_iops", ",500,", "0,500,0"},
		{"rate_iops", "1,2,3", "1,2,3"},
		{"rate_process", "poisson", "poisson"},
		{"rwmixwrite", "30", "30"},
		{"runtime", "10sec", "10s"},
		{"runtime", "0", "0s"},
		{"runtime", "1.5", "1.5s"},
		{"runtime", "1000000", "1000000s"},
		{"ramp_time", "500ms", "500ms"},
		{"direct", "no", "0"},
		{"direct", "TRUE", "1"},
		{"buffered", "off", "0"},
		{"randseed", "18446744073709551615", "18446744073709551615"},
		{"lockmem", "1g", "1g"},
		{"filename", "/dev/sdb:/dev/sdc", "/dev/sdb:/dev/sdc"},
		{"cpus_allowed", "0-3,8", "0-3,8"},
	};

	return cr_make_param_array(struct value, rows, COUNT(rows));
}

ParameterizedTest(struct value *v, param, takes, .init = fresh)
{
	const struct iob_param *p = iob_param_find(v->name);
	char shown[IOB_PATH_MAX], again[IOB_PATH_MAX];

	cr_assert_eq(iob_param_set(&job, p, v->text, &err), 0, "%s", err.text);
	cr_assert_str_eq(iob_param_get(&job, p, shown, sizeof(shown)), v->shown, "got %s", shown);
	struct iob_job first = job;
	iob_param_set(&job, p, shown, &err);
	if (shown[0] != '\0')
		cr_assert_eq(memcmp(&first, &job, sizeof(job)), 0, "%s means the same", shown);
	cr_assert_str_eq(iob_param_get(&job, p, again, sizeof(again)), shown);
}

struct refusal {
	char name[24], text[48], words[72];
};

ParameterizedTestParameters(param, refuses)
{
	static struct refusal rows[] = {
		{"bs", "4x", "bs=4x: \"x\" is not a unit; write a size such as 4k"},
		{"bs", "0", "bs=0: at least 1"},
		{"bs", "", "bs=: "},
		{"bs", "4g", "at most 4294966784"},
		{"bs", "-1", "negative"},
		{"bs", "8k-4k", "smaller size comes first"},
		{"bs", "4k-", "empty"},
		{"bs", "4k-8x", "\"x\" is not a unit"},
		{"bs", ",", "no size"},
		{"bs", "1k,2k,3k,4k", "at most three"},
		{"bs", "1.5", "fraction"},
		{"bs", "50%", "\"%\" is not a unit"},
		{"iodepth", "0", "iodepth=0: at least 1"},
		{"iodepth", "100000", "iodepth=100000: at most 65536"},
		{"iodepth", "4x", "\"x\" does not belong there"},
		{"iodepth", "4k", "\"k\" does not belong there"},
		{"iodepth", "1.5", "whole number"},
		{"rw", "foo", "rw=foo: not one of read, write, rw"},
		{"runtime", "-1", "runtime=-1: it cannot be negative; write a time"},
		{"runtime", "5x", "\"x\" is not a unit; write a time"},
		{"runtime", "1000001", "at most 1000000s"},
		{"size", "1e9999", "size=1e9999: \"e9999\" is not a unit"},
		{"size", "0", "size=0: at least 1; leave size out"},
		{"size", "0%", "more than 0%"},
		{"size", "101%", "at most 100%"},
		{"size", "99999999999999999999", "at most"},
		{"rwmixread", "101", "at most 100"},
		{"rate_iops", "4k", "\"k\" does not belong there"},
		{"rate_iops", "1-2", "write a whole number"},
		{"rate_iops", "1,2,3,4", "at most three numbers"},
		{"rate_iops", ",", "no number"},
		{"rate_iops", "1,1000000001", "at most 1000000000"},
		{"rwmixread", "1.5", "whole number"},
		{"direct", "2", "direct=2: neither yes nor no; write 1 or 0"},
		{"numjobs", "513", "at most 512"},
		{"nrfiles", "1025", "at most 1024"},
		{"ioengine", "", "empty"},
		{"name", "a\033b", "control characters"},
		{"ioengine", "a123456789012345678901234567890123456789", "too long"},
		{"iodpeth", "1", "did you mean iodepth?"},
		{"blok-size", "1", "did you mean"},
		{"xyzzy", "1", "iotop-bench params"},
	};

	return cr_make_param_array(struct refusal, rows, COUNT(rows));
}

ParameterizedTest(struct refusal *r, param, refuses, .init = fresh)
{
	struct iob_job before = job;

	cr_assert_eq(set(r->name, r->text), -EINVAL, "%s=%s", r->name, r->text);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, r->words), "%s", err.text);
	cr_assert_eq(strncmp(err.text, r->name, strlen(r->name)), 0, "%s", err.text);
	cr_assert_null(strchr(err.text, '\n'));
	cr_assert_eq(memcmp(&before, &job, sizeof(job)), 0);
}

Test(param, bare_name_is_for_switches_only)
{
	cr_assert_eq(set("norandommap", NULL), 0);
	cr_assert(job.norandommap);
	cr_assert_eq(set("iodepth", NULL), -EINVAL);
	cr_assert_not_null(strstr(err.text, "needs a value"));
}

Test(param, complements_share_one_field)
{
	cr_assert_eq(set("rwmixwrite", "30"), 0);
	cr_assert_eq(job.rwmixread, 70);
	cr_assert_str_eq(get("rwmixread"), "70");
	cr_assert_eq(set("buffered", NULL), 0);
	cr_assert_not(job.direct);
	cr_assert_str_eq(get("direct"), "0");
}

Test(param, empty_text_leads_back_to_not_given)
{
	cr_assert_eq(set("filename", "/x"), 0);
	cr_assert(iob_param_is_given(&job, iob_param_find("filename")));
	cr_assert_eq(set("filename", ""), 0);
	cr_assert_str_eq(job.filename, "");
	cr_assert_not(iob_param_is_given(&job, iob_param_find("filename")));
	cr_assert_eq(set("size", "50%"), 0);
	cr_assert_eq(set("size", ""), 0);
	cr_assert_eq(job.size.percent_micro, 0);
}

Test(param, given_marks_each_row_by_itself)
{
	for (size_t i = 0; i < iob_param_count(); i++)
		cr_assert_not(iob_param_is_given(&job, iob_param_at(i)));
	cr_assert_eq(set("gtod_reduce", "1"), 0);
	for (size_t i = 0; i < iob_param_count(); i++)
		cr_assert_eq(iob_param_is_given(&job, iob_param_at(i)),
			iob_param_at(i) == iob_param_find("gtod_reduce"));
}

Test(param, long_values_do_not_hide_the_cause)
{
	char text[3000];

	memset(text, '9', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	cr_assert_eq(set("iodepth", text), -EINVAL);
	cr_assert_not_null(strstr(err.text, "at most 65536"));
	memset(text, 'z', sizeof(text) - 1);
	cr_assert_eq(set("rw", text), -EINVAL);
	cr_assert_not_null(strstr(err.text, "randtrim"));
	cr_assert_eq(set(text, "1"), -EINVAL);
}

/* Steps. */

struct step {
	char name[24], from[24];
	int direction;
	char to[24];
};

ParameterizedTestParameters(param, steps)
{
	static struct step rows[] = {
		{"iodepth", "32", 1, "64"},
		{"iodepth", "48", 1, "64"},
		{"iodepth", "48", -1, "32"},
		{"iodepth", "1", -1, "1"},
		{"iodepth", "65536", 1, "65536"},
		{"iodepth", "40000", 1, "65536"},
		{"numjobs", "512", 1, "512"},
		{"numjobs", "1", 1, "2"},
		{"numjobs", "3", -1, "2"},
		{"numjobs", "1", -1, "1"},
		{"numjobs", "8", 1, "16"},
		{"numjobs", "12", -1, "8"},
		{"rate_iops", "1000", 1, "1100"},
		{"rate_iops", "1100", -1, "1000"},
		{"rate_iops", "1000,0", 1, "1100,0"},
		{"rate_iops", "1000,500", -1, "909,454"},
		{"rate_iops", "0", 1, "100"},
		{"rate_iops", "0", -1, "0"},
		{"rate_iops", "1", -1, "1"},
		{"rate_iops", "1", 1, "2"},
		{"rate_iops", "1000000000", 1, "1000000000"},
		{"bs", "4k", 1, "8k"},
		{"bs", "6k", -1, "4k"},
		{"bs", "1", -1, "1"},
		{"bs", "1g", 1, "2g"},
		{"bs", "4k-64k", 1, "8k-128k"},
		{"bs", "1-64k", -1, "1-64k"},
		{"bs", "4k,8k", 1, "8k,16k"},
		{"rwmixread", "70", 1, "75"},
		{"rwmixread", "72", -1, "70"},
		{"rwmixread", "100", 1, "100"},
		{"rwmixread", "0", -1, "0"},
		{"rwmixwrite", "30", 1, "35"},
		{"rw", "read", -1, "read"},
		{"rw", "read", 1, "write"},
		{"rw", "rw", 1, "randread"},
		{"rw", "randread", -1, "rw"},
		{"rw", "randtrim", 1, "trimwrite"},
		{"rw", "randtrimwrite", 1, "randtrimwrite"},
		{"sync", "dsync", 1, "dsync"},
		{"direct", "1", -1, "0"},
		{"buffered", "0", 1, "1"},
		{"runtime", "30", 1, "40s"},
		{"runtime", "10", -1, "9s"},
		{"runtime", "0", -1, "0s"},
		{"size", "", 1, ""},
		{"size", "1g", 1, "2g"},
		{"size", "50%", -1, "45%"},
		{"fsync", "0", 1, "1"},
		{"fsync", "1", -1, "0"},
		{"filename", "x", 1, "x"},
	};

	return cr_make_param_array(struct step, rows, COUNT(rows));
}

ParameterizedTest(struct step *s, param, steps, .init = fresh)
{
	const struct iob_param *p = iob_param_find(s->name);
	char from[64], to[64];

	cr_assert_eq(iob_param_set(&job, p, s->from, &err), 0, "%s", err.text);
	iob_param_get(&job, p, from, sizeof(from));
	bool changed = iob_param_step(&job, p, s->direction);
	iob_param_get(&job, p, to, sizeof(to));
	cr_assert_str_eq(to, s->to, "%s from %s to %s", s->name, from, to);
	cr_assert_eq(changed, strcmp(from, to) != 0);
}

TheoryDataPoints(param, steps_stay_within_bounds) = {
	DataPoints(size_t, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
		21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39),
	DataPoints(int, -1, 1),
};

Theory((size_t i, int direction), param, steps_stay_within_bounds, .init = fresh)
{
	char text[IOB_PATH_MAX];

	cr_assume(i < iob_param_count());
	/* 100 steps reach each end; whatever is shown on the way is a legal value. */
	for (int n = 0; n < 100; n++) {
		iob_param_step(&job, iob_param_at(i), direction);
		iob_param_get(&job, iob_param_at(i), text, sizeof(text));
		cr_assert_eq(iob_param_set(&job, iob_param_at(i), text, &err), 0, "%s", err.text);
	}
}

/* Rows that share a field, or that settle others, may: those say so in the table. */
Test(param, a_step_changes_no_other_row)
{
	char before[IOB_PATH_MAX], after[IOB_PATH_MAX];

	for (size_t i = 0; i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);

		iob_job_defaults(&job);
		struct iob_job untouched = job;
		iob_param_step(&job, p, 1);
		for (size_t k = 0; k < iob_param_count() && !p->settle; k++) {
			const struct iob_param *other = iob_param_at(k);

			if (other->offset == p->offset)
				continue;
			iob_param_get(&untouched, other, before, sizeof(before));
			iob_param_get(&job, other, after, sizeof(after));
			cr_expect_str_eq(
				after, before, "%s was changed by %s", other->name, p->name);
		}
	}
}

/* Help and lists print a heading where the group changes. */
Test(param, groups_stand_together)
{
	for (size_t i = 1; i < iob_param_count(); i++) {
		const char *group = iob_param_at(i)->group;

		if (strcmp(group, iob_param_at(i - 1)->group) == 0)
			continue;
		for (size_t before = 0; before < i; before++)
			cr_expect_str_neq(iob_param_at(before)->group, group, "%s stands apart",
				iob_param_at(i)->name);
	}
}
