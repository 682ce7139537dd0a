/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/sweep.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "job/param.h"

#define FORM "write a range such as iodepth=1..256 or bs=4k..1m"

static bool is_size(const struct iob_sweep *s)
{
	return strcmp(s->param, "bs") == 0;
}

/* One end of the range, by the rules of the parameter itself. */
static int parse_end(struct iob_sweep *s, const struct iob_param *param, const char *text,
	uint64_t *value, struct iob_error *err)
{
	struct iob_job job;
	struct iob_live live;

	iob_job_defaults(&job);
	int rc = iob_param_set(&job, param, text, err);
	if (rc < 0) {
		iob_error_prefix(err, "sweep: ");
		return rc;
	}
	iob_live_from_job(&live, &job);
	*value = iob_sweep_get(s, &live);
	return 0;
}

int iob_sweep_parse(struct iob_sweep *s, const char *text, struct iob_error *err)
{
	char name[16], from[32], to[32];
	struct iob_sweep parsed = *s;
	int end = 0;

	if (sscanf(text, "%15[a-z]=%31[^.].%n", name, from, &end) != 2 || text[end] != '.' ||
		strlen(text + end + 1) >= sizeof(to))
		return iob_fail_usage(err, "sweep=%.64s: " FORM, text);
	memcpy(to, text + end + 1, strlen(text + end + 1) + 1);
	const struct iob_param *param = iob_param_find(name);
	if (!param || (strcmp(param->name, "iodepth") != 0 && strcmp(param->name, "bs") != 0))
		return iob_fail_usage(
			err, "sweep=%.64s: \"%s\" cannot be swept; iodepth and bs can", text, name);
	snprintf(parsed.param, sizeof(parsed.param), "%s", param->name);
	int rc = parse_end(&parsed, param, from, &parsed.from, err);
	if (rc == 0)
		rc = parse_end(&parsed, param, to, &parsed.to, err);
	if (rc < 0)
		return rc;
	if (parsed.from > parsed.to)
		return iob_fail_usage(
			err, "sweep=%.64s: it goes upwards; write the smaller value first", text);
	*s = parsed;
	return 0;
}

/* The last step is the end of the range, however far the one before it was. */
static uint64_t next_value(const struct iob_sweep *s, uint64_t v)
{
	return v > s->to / 2 ? s->to : 2 * v;
}

unsigned iob_sweep_steps(const struct iob_sweep *s)
{
	unsigned steps = 1;

	for (uint64_t v = s->from; v < s->to; v = next_value(s, v))
		steps++;
	return steps;
}

uint64_t iob_sweep_value(const struct iob_sweep *s, unsigned step)
{
	uint64_t v = s->from;

	for (unsigned i = 0; i < step && v < s->to; i++)
		v = next_value(s, v);
	return v;
}

uint64_t iob_sweep_get(const struct iob_sweep *s, const struct iob_live *live)
{
	return is_size(s) ? live->bs[IOB_READ].max : live->iodepth;
}

void iob_sweep_set(const struct iob_sweep *s, struct iob_live *live, uint64_t value)
{
	if (!is_size(s)) {
		live->iodepth = value;
		return;
	}
	for (int d = 0; d < IOB_NDIR; d++)
		live->bs[d] = (struct iob_range){value, value};
}

char *iob_sweep_format(const struct iob_sweep *s, uint64_t value, char *buf, size_t n)
{
	if (is_size(s))
		return iob_format_size_exact(buf, n, value);
	snprintf(buf, n, "%llu", (unsigned long long)value);
	return buf;
}
