/* SPDX-License-Identifier: MIT */
#include "ui/cap.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const struct iob_param *row_of(size_t offset)
{
	size_t i = 0;

	while (i + 1 < iob_param_count() && iob_param_at(i)->offset != offset)
		i++;
	return iob_param_at(i);
}

const struct iob_param *iob_cap_param(void)
{
	return row_of(offsetof(struct iob_job, rate_iops));
}

const struct iob_param *iob_jobs_param(void)
{
	return row_of(offsetof(struct iob_job, numjobs));
}

struct iob_cap_scope iob_cap_scope(const struct iob_job *job, const struct iob_snapshot *snap)
{
	unsigned planned = job->numjobs ? (unsigned)job->numjobs : 1;

	return (struct iob_cap_scope){snap->workers ? snap->workers : planned};
}

static unsigned workers_of(const struct iob_live *live, struct iob_cap_scope scope)
{
	return live->numjobs ? (unsigned)live->numjobs : scope.workers;
}

/* Of one worker. */
static uint64_t sum_of_rates(const struct iob_live *live)
{
	uint64_t sum = 0;

	for (int d = 0; d < IOB_NDIR; d++)
		if (iob_rw_does(live->rw, (enum iob_dir)d))
			sum += live->rate_iops[d];
	return sum;
}

uint64_t iob_cap_total(const struct iob_live *live, struct iob_cap_scope scope)
{
	return sum_of_rates(live) * workers_of(live, scope);
}

char *iob_cap_format(char *buf, size_t n, const struct iob_live *live, struct iob_cap_scope scope)
{
	uint64_t total = iob_cap_total(live, scope);

	if (total)
		return iob_format_count(buf, n, (double)total);
	snprintf(buf, n, "off");
	return buf;
}

static bool is_mixed(const struct iob_live *live)
{
	return iob_rw_does(live->rw, IOB_READ) && iob_rw_does(live->rw, IOB_WRITE);
}

/* Of 1, by the share of reads: the part of a direction that the job does. */
static double share_of_mix(const struct iob_live *live, enum iob_dir dir)
{
	double reads = (double)live->rwmixread / 100;

	/* A trim and its write. */
	if (iob_rw_is_trimwrite(live->rw))
		return 0.5;
	if (!is_mixed(live))
		return 1;
	return dir == IOB_READ ? reads : 1 - reads;
}

/* At least one: a direction of rate 0 would go as fast as it can.  But for one that the mix leaves
 * out: it does not go at all. */
static uint64_t rate_of(
	double total, const struct iob_live *live, struct iob_cap_scope scope, enum iob_dir dir)
{
	uint64_t most = iob_cap_param()->max;
	double rate = total / workers_of(live, scope) + 0.5;

	if (!iob_rw_does(live->rw, dir) || share_of_mix(live, dir) <= 0)
		return 0;
	return rate < 1 ? 1 : rate < (double)most ? (uint64_t)rate : most;
}

bool iob_cap_at_present(
	struct iob_live *live, struct iob_cap_scope scope, const struct iob_snapshot *snap)
{
	const struct iob_segment_figures *now = &snap->view.now;

	if (now->all.iops < 1)
		return false;
	for (int d = 0; d < IOB_NDIR; d++)
		live->rate_iops[d] = rate_of(now->dir[d].iops, live, scope, (enum iob_dir)d);
	return true;
}

void iob_cap_lift(struct iob_live *live)
{
	memset(live->rate_iops, 0, sizeof(live->rate_iops));
}

void iob_cap_keep(struct iob_live *live, const struct iob_live *before, struct iob_cap_scope scope)
{
	double total = (double)iob_cap_total(before, scope);
	double each = (double)sum_of_rates(before);
	bool remix = live->rwmixread != before->rwmixread || live->rw != before->rw;

	if (total <= 0 || (!remix && live->numjobs == before->numjobs) ||
		memcmp(live->rate_iops, before->rate_iops, sizeof(live->rate_iops)) != 0)
		return;
	for (int d = 0; d < IOB_NDIR; d++) {
		enum iob_dir dir = (enum iob_dir)d;
		double share =
			remix ? share_of_mix(live, dir) : (double)before->rate_iops[d] / each;

		if (remix || before->rate_iops[d])
			live->rate_iops[d] = rate_of(total * share, live, scope, dir);
	}
}

static int parse(const char *text, uint64_t *total, struct iob_error *err)
{
	const char *why = NULL;

	if (iob_parse_count(text, total, &why) < 0)
		return iob_fail_usage(err, "cap %.40s: %s; write 20000, 20k or off", text,
			why ? why : "too large");
	if (*total == 0 || *total > iob_cap_param()->max)
		return iob_fail_usage(err, "cap %.40s: 1 to %llu I/Os per second, or off", text,
			(unsigned long long)iob_cap_param()->max);
	return 0;
}

/* Of 1, by the rates before, else by the mix. */
static double share(const struct iob_live *live, enum iob_dir dir)
{
	uint64_t sum = sum_of_rates(live);

	return sum ? (double)live->rate_iops[dir] / (double)sum : share_of_mix(live, dir);
}

int iob_cap_set(
	struct iob_live *live, struct iob_cap_scope scope, const char *text, struct iob_error *err)
{
	const struct iob_live before = *live;
	uint64_t total = 0;

	if (strcmp(text, "off") == 0) {
		iob_cap_lift(live);
		return 0;
	}
	int r = parse(text, &total, err);
	if (r < 0)
		return r;
	for (int d = 0; d < IOB_NDIR; d++) {
		enum iob_dir dir = (enum iob_dir)d;

		live->rate_iops[d] = rate_of((double)total * share(&before, dir), live, scope, dir);
		/* Without a limit on purpose, beside one that has one. */
		if (iob_cap_total(&before, scope) && before.rate_iops[d] == 0)
			live->rate_iops[d] = 0;
	}
	return 0;
}
