/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/cmdprio.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "job/job.h"
#include "job/param.h"

#define LARGEST (UINT64_C(1) << 32)
#define ALL     100 /* per cent */

static int wrong(const char **why, const char *text)
{
	*why = text;
	return -EINVAL;
}

static uint16_t ioprio(uint64_t prioclass, uint64_t level)
{
	return (uint16_t)(prioclass << 13 | level);
}

/* The piece up to the next '/', which is taken off; "" when there is none left. */
static const char *next_piece(char **rest)
{
	char *piece = *rest, *slash = strchr(piece, '/');

	*rest = slash ? slash + 1 : piece + strlen(piece);
	if (slash)
		*slash = '\0';
	return piece;
}

static int parse_number(const char *text, uint64_t most, uint64_t *out, const char **why)
{
	if (iob_parse_uint(text, out, why) < 0)
		return -EINVAL;
	return *out > most ? -ERANGE : 0;
}

/* "64k/20" or "64k/20/1/3"; usual: the priority where it says none. */
static int parse_entry(
	struct iob_cmdprio_entry *e, const char *text, size_t n, uint16_t usual, const char **why)
{
	char copy[64], *rest = copy;
	uint64_t bytes = 0, percent = 0, prioclass = 0, level = 0;

	if (n == 0 || n >= sizeof(copy))
		return wrong(why, "each entry is size/share or size/share/class/level");
	memcpy(copy, text, n);
	copy[n] = '\0';
	const char *size = next_piece(&rest), *share = next_piece(&rest);
	const char *kind = next_piece(&rest), *rank = next_piece(&rest);
	if (share[0] == '\0' || (kind[0] != '\0' && rank[0] == '\0') || rest[0] != '\0')
		return wrong(why, "each entry is size/share or size/share/class/level, such as "
				  "64k/20 or 64k/20/1/3");
	if (iob_parse_size(size, &bytes, why) < 0)
		return -EINVAL;
	if (bytes == 0 || bytes >= LARGEST)
		return wrong(why, "a size lies between 1 and 4g");
	int rc = parse_number(share, ALL, &percent, why);
	if (rc < 0)
		return rc == -ERANGE ? wrong(why, "a share is at most 100 per cent") : rc;
	*e = (struct iob_cmdprio_entry){(uint32_t)bytes, (uint32_t)percent, usual};
	if (kind[0] == '\0')
		return 0;
	rc = parse_number(kind, IOB_CMDPRIO_IDLE, &prioclass, why);
	if (rc < 0 || prioclass == 0)
		return wrong(why, "a class is 1 (real time), 2 (best effort) or 3 (idle)");
	rc = parse_number(rank, IOB_CMDPRIO_LEVELS - 1, &level, why);
	if (rc < 0)
		return wrong(why, "a level lies between 0 (highest) and 7");
	e->ioprio = ioprio(prioclass, level);
	return 0;
}

static bool shares_fit(const struct iob_cmdprio_entry *e, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++)
		if (e[i].bytes == e[n - 1].bytes)
			sum += e[i].percent;
	return sum <= ALL;
}

static int parse_direction(struct iob_cmdprio *p, enum iob_dir dir, const char *text, size_t n,
	uint16_t usual, const char **why)
{
	const char *end = text + n;
	unsigned count = 0;

	for (size_t length; text < end; text += length + 1) {
		const char *colon = memchr(text, ':', (size_t)(end - text));

		length = (size_t)((colon ? colon : end) - text);
		if (count == IOB_CMDPRIO_MOST)
			return wrong(why, "at most 64 entries for each direction");
		int rc = parse_entry(&p->entry[dir][count], text, length, usual, why);
		if (rc < 0)
			return rc;
		if (!shares_fit(p->entry[dir], ++count))
			return wrong(why, "the shares of one size are more than 100 per cent");
	}
	p->count[dir] = count;
	return 0;
}

/* One list is for both directions. */
static int parse_split(
	struct iob_cmdprio *p, const char *text, const uint16_t usual[IOB_NDIR], const char **why)
{
	size_t n = strcspn(text, ",");
	const char *writes = text[n] == ',' ? text + n + 1 : text;

	if (strchr(writes, ',') && writes != text)
		return wrong(why, "at most two lists: reads,writes");
	int rc = parse_direction(p, IOB_READ, text, n, usual[IOB_READ], why);
	if (rc < 0)
		return rc;
	return parse_direction(p, IOB_WRITE, writes, strlen(writes), usual[IOB_WRITE], why);
}

int iob_cmdprio_check(const char *text, const char **why)
{
	static const uint16_t usual[IOB_NDIR];
	struct iob_cmdprio p = {0};

	return parse_split(&p, text, usual, why);
}

bool iob_cmdprio_is_wanted(const struct iob_job *job)
{
	const struct iob_job_cmdprio *c = &job->cmdprio;

	return c->bssplit[0] != '\0' || c->percentage[IOB_READ] > 0 || c->percentage[IOB_WRITE] > 0;
}

int iob_cmdprio_init(struct iob_cmdprio *p, const struct iob_job *job, struct iob_error *err)
{
	const struct iob_job_cmdprio *c = &job->cmdprio;
	uint16_t usual[IOB_NDIR] = {0};
	const char *why = "";

	memset(p, 0, sizeof(*p));
	for (int d = IOB_READ; d <= IOB_WRITE; d++) {
		usual[d] = ioprio(
			c->prioclass[d] ? c->prioclass[d] : IOB_CMDPRIO_REAL_TIME, c->level[d]);
		if (c->percentage[d] == 0)
			continue;
		p->count[d] = 1;
		p->entry[d][0] =
			(struct iob_cmdprio_entry){0, (uint32_t)c->percentage[d], usual[d]};
	}
	if (c->bssplit[0] == '\0')
		return 0;
	const char *name = IOB_PARAM_NAME(cmdprio.bssplit);
	if (p->count[IOB_READ] || p->count[IOB_WRITE])
		return iob_fail_usage(err,
			"%s: %s says which requests have a priority, too; leave one of them out",
			name, IOB_PARAM_NAME(cmdprio.percentage));
	if (parse_split(p, c->bssplit, usual, &why) < 0)
		return iob_fail_usage(err, "%s=%.100s: %s", name, c->bssplit, why);
	return 0;
}

uint16_t iob_cmdprio_of_thread(const struct iob_job *job)
{
	uint64_t prioclass = job->prioclass;

	/* A level has no meaning without a class. */
	if (!prioclass && iob_param_is_given(job, IOB_PARAM_OF(prio)))
		prioclass = IOB_CMDPRIO_BEST_EFFORT;
	return ioprio(prioclass, prioclass ? job->prio : 0);
}
