/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/param.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/nearest.h"
#include "base/units.h"
#include "job/param_value.h"

/* Is it one of the comma separated aliases? */
static bool is_alias(const char *aliases, const char *typed)
{
	while (aliases && *aliases != '\0') {
		size_t n = strcspn(aliases, ",");

		if (iob_name_is(aliases, n, typed))
			return true;
		aliases += n + (aliases[n] == ',');
	}
	return false;
}

const struct iob_param *iob_param_find(const char *name)
{
	for (size_t i = 0; i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);

		if (iob_name_is(p->name, strlen(p->name), name) || is_alias(p->aliases, name))
			return p;
	}
	return NULL;
}

const struct iob_param *iob_param_of(size_t offset)
{
	size_t i = 0;

	while (iob_param_at(i)->offset != offset)
		i++;
	return iob_param_at(i);
}

const char *iob_param_suggest(const char *name)
{
	struct iob_nearest nearest = {.typed = name};

	for (size_t i = 0; i < iob_param_count(); i++)
		iob_nearest_offer(&nearest, iob_param_at(i)->name);
	return nearest.best;
}

static uint64_t *given_word(struct iob_job *job, const struct iob_param *p)
{
	return &job->given[iob_param_index(p) / 64];
}

static uint64_t given_bit(const struct iob_param *p)
{
	return UINT64_C(1) << (iob_param_index(p) % 64);
}

void iob_param_mark_given(struct iob_job *job, const struct iob_param *p)
{
	*given_word(job, p) |= given_bit(p);
}

bool iob_param_is_given(const struct iob_job *job, const struct iob_param *p)
{
	return job->given[iob_param_index(p) / 64] & given_bit(p);
}

void iob_param_reset(struct iob_job *job, const struct iob_param *p)
{
	if (p->initial[0] != '\0')
		iob_param_parse(job, p, p->initial, NULL);
	else if (p->type == IOB_P_AMOUNT)
		*(struct iob_amount *)iob_param_field_rw(job, p) = (struct iob_amount){0};
	else if (p->type == IOB_P_RANGE)
		*(struct iob_range *)iob_param_field_rw(job, p) = (struct iob_range){0};
	else
		memset(iob_param_field_rw(job, p), 0, p->size);
	if (p->settle)
		p->settle(job);
	*given_word(job, p) &= ~given_bit(p);
}

int iob_param_set(
	struct iob_job *job, const struct iob_param *p, const char *text, struct iob_error *err)
{
	if (!text && (p->flags & IOB_PF_BARE)) {
		iob_param_reset(job, p);
		iob_param_mark_given(job, p);
		return 0;
	}
	if (!text && p->type != IOB_P_BOOL)
		return iob_fail_usage(err, "%s: needs a value, such as %s=%s", p->name, p->name,
			p->initial[0] != '\0' ? p->initial : "VALUE");
	if (text && text[0] == '\0' && p->initial[0] == '\0') {
		iob_param_reset(job, p);
		return 0;
	}
	int rc = iob_param_parse(job, p, text ? text : "1", err);
	if (rc < 0)
		return rc;
	if (p->settle)
		p->settle(job);
	iob_param_mark_given(job, p);
	return 0;
}

int iob_param_set_named(
	struct iob_job *job, const char *name, const char *text, struct iob_error *err)
{
	const struct iob_param *p = iob_param_find(name);

	if (p && (p->flags & IOB_PF_JOBFILE))
		return iob_fail_usage(err,
			"%s: has a meaning for job files only; \"iotop-bench fio\" takes it",
			p->name);
	if (p)
		return iob_param_set(job, p, text, err);
	const char *near = iob_param_suggest(name);
	if (near)
		return iob_fail_usage(
			err, "%.64s: no such parameter; did you mean %s?", name, near);
	return iob_fail_usage(
		err, "%.64s: no such parameter; \"iotop-bench params\" lists them", name);
}

char *iob_range_format(char *buf, size_t n, const struct iob_range *r)
{
	char low[40], high[40];

	iob_format_size_exact(low, sizeof(low), r->min);
	iob_format_size_exact(high, sizeof(high), r->max);
	if (r->min == r->max)
		snprintf(buf, n, "%s", low);
	else
		snprintf(buf, n, "%s-%s", low, high);
	return buf;
}

/* The field of a row that is split: ranges of sizes, or numbers. */
static char *get_split(const struct iob_param *p, const void *field, char *buf, size_t n)
{
	const struct iob_range *range = field;
	const uint64_t *number = field;
	bool complement = p->flags & IOB_PF_COMPLEMENT;
	char text[IOB_NDIR][84];

	for (int i = 0; i < IOB_NDIR; i++) {
		uint64_t value = complement ? p->max - number[i] : number[i];

		if (p->type == IOB_P_RANGE)
			iob_range_format(text[i], sizeof(text[i]), &range[i]);
		else if (p->type == IOB_P_BYTES)
			iob_format_size_exact(text[i], sizeof(text[i]), value);
		else
			snprintf(text[i], sizeof(text[i]), "%llu", (unsigned long long)value);
	}
	if (strcmp(text[IOB_WRITE], text[IOB_TRIM]) != 0)
		snprintf(buf, n, "%s,%s,%s", text[IOB_READ], text[IOB_WRITE], text[IOB_TRIM]);
	else if (strcmp(text[IOB_READ], text[IOB_WRITE]) != 0)
		snprintf(buf, n, "%s,%s", text[IOB_READ], text[IOB_WRITE]);
	else
		snprintf(buf, n, "%s", text[IOB_READ]);
	return buf;
}

static char *get_amount(const struct iob_amount *a, char *buf, size_t n)
{
	const unsigned long long one = 1000000;
	unsigned long long part = a->percent_micro % one;
	int digits = 6;

	if (a->percent_micro == 0) {
		if (a->bytes == 0)
			snprintf(buf, n, "%s", "");
		else
			iob_format_size_exact(buf, n, a->bytes);
		return buf;
	}
	for (; part != 0 && part % 10 == 0; digits--)
		part /= 10;
	if (part == 0)
		snprintf(buf, n, "%llu%%", a->percent_micro / one);
	else
		snprintf(buf, n, "%llu.%0*llu%%", a->percent_micro / one, digits, part);
	return buf;
}

static char *get_time(const struct iob_param *p, const uint64_t *field, char *buf, size_t n)
{
	char low[40], high[40];

	iob_format_time_exact(low, sizeof(low), field[0]);
	if (!(p->flags & IOB_PF_SPAN) || field[0] == field[1]) {
		snprintf(buf, n, "%s", low);
		return buf;
	}
	iob_format_time_exact(high, sizeof(high), field[1]);
	snprintf(buf, n, "%s-%s", low, high);
	return buf;
}

char *iob_param_get(const struct iob_job *job, const struct iob_param *p, char *buf, size_t n)
{
	const void *field = iob_param_field(job, p);
	bool complement = p->flags & IOB_PF_COMPLEMENT;

	switch (p->type) {
	case IOB_P_BOOL:
		snprintf(buf, n, "%d", *(const bool *)field != complement);
		break;
	case IOB_P_UINT:
		if (p->flags & IOB_PF_SPLIT)
			return get_split(p, field, buf, n);
		snprintf(buf, n, "%llu", (unsigned long long)*(const uint64_t *)field);
		break;
	case IOB_P_PERCENT:
		snprintf(buf, n, "%llu",
			(unsigned long long)(complement ? 100 - *(const uint64_t *)field
							: *(const uint64_t *)field));
		break;
	case IOB_P_BYTES:
		if (p->flags & IOB_PF_SPLIT)
			return get_split(p, field, buf, n);
		return iob_format_size_exact(buf, n, *(const uint64_t *)field);
	case IOB_P_RANGE:
		if (p->flags & IOB_PF_SPLIT)
			return get_split(p, field, buf, n);
		if (((const struct iob_range *)field)->max == 0)
			snprintf(buf, n, "%s", "");
		else
			iob_range_format(buf, n, field);
		break;
	case IOB_P_AMOUNT:
		return get_amount(field, buf, n);
	case IOB_P_TIME:
		return get_time(p, field, buf, n);
	case IOB_P_CHOICE:
		return iob_param_get_choice(job, p, buf, n);
	case IOB_P_TEXT:
		snprintf(buf, n, "%s", (const char *)field);
		break;
	}
	return buf;
}
