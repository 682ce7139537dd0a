/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/bssplit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "job/job.h"

#define LARGEST (UINT64_C(1) << 30)
#define PERCENT (IOB_BSSPLIT_WHOLE / 100)
/* No share was given. */
#define OPEN    UINT32_MAX

static int wrong(const char **why, const char *text)
{
	*why = text;
	return -EINVAL;
}

/* "64k/50", "64k/" or "64k" */
static int parse_entry(struct iob_bssplit_entry *e, const char *piece, size_t n, const char **why)
{
	char text[64];
	uint64_t bytes = 0, percent = 0;

	if (n == 0 || n >= sizeof(text))
		return wrong(why, "each entry is size/share, such as 64k/50");
	memcpy(text, piece, n);
	text[n] = '\0';
	char *share = strchr(text, '/');
	if (share)
		*share++ = '\0';
	if (iob_parse_size(text, &bytes, why) < 0)
		return -EINVAL;
	if (bytes == 0 || bytes > LARGEST)
		return wrong(why, "a size lies between 1 and 1g");
	*e = (struct iob_bssplit_entry){.bytes = (uint32_t)bytes, .share = OPEN};
	if (!share || *share == '\0')
		return 0;
	size_t last = strlen(share) - 1;
	if (share[last] == '%')
		share[last] = '\0';
	if (iob_parse_uint(share, &percent, why) < 0)
		return -EINVAL;
	if (percent > 100)
		return wrong(why, "a share is at most 100 per cent");
	e->share = (uint32_t)percent * PERCENT;
	return 0;
}

static int by_size(const void *a, const void *b)
{
	const struct iob_bssplit_entry *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* What is left goes to those without a share, else to the largest size. */
static int share_rest(struct iob_bssplit *s, const char **why)
{
	uint64_t sum = 0;
	unsigned open = 0;

	for (unsigned i = 0; i < s->count; i++) {
		if (s->entry[i].share == OPEN)
			open++;
		else
			sum += s->entry[i].share;
	}
	if (sum > IOB_BSSPLIT_WHOLE)
		return wrong(why, "the shares together are more than 100 per cent");
	uint32_t rest = IOB_BSSPLIT_WHOLE - (uint32_t)sum;
	for (unsigned i = 0; i < s->count; i++)
		if (s->entry[i].share == OPEN)
			s->entry[i].share = rest / open;
	qsort(s->entry, s->count, sizeof(s->entry[0]), by_size);
	if (open == 0)
		s->entry[s->count - 1].share += rest;
	return 0;
}

static int parse_direction(struct iob_bssplit *s, const char *text, size_t n, const char **why)
{
	const char *end = text + n;

	s->count = 0;
	while (text < end) {
		const char *colon = memchr(text, ':', (size_t)(end - text));
		size_t length = (size_t)((colon ? colon : end) - text);

		if (s->count == IOB_BSSPLIT_MOST)
			return wrong(why, "at most 64 sizes for each direction");
		int rc = parse_entry(&s->entry[s->count], text, length, why);
		if (rc < 0)
			return rc;
		s->count++;
		text += length + 1;
	}
	return share_rest(s, why);
}

int iob_bssplit_parse(struct iob_bssplit out[IOB_NDIR], const char *text, const char **why)
{
	unsigned count = 0;

	memset(out, 0, IOB_NDIR * sizeof(out[0]));
	for (;;) {
		size_t n = strcspn(text, ",");

		if (count == IOB_NDIR)
			return wrong(why, "at most three lists: read,write,trim");
		int rc = n ? parse_direction(&out[count], text, n, why) : 0;
		if (rc < 0)
			return rc;
		count++;
		if (text[n] == '\0') {
			for (unsigned i = count; n > 0 && i < IOB_NDIR; i++)
				out[i] = out[count - 1];
			return 0;
		}
		text += n + 1;
	}
}

int iob_bssplit_check(const char *text, const char **why)
{
	struct iob_bssplit split[IOB_NDIR];

	return iob_bssplit_parse(split, text, why);
}

void iob_bssplit_settle(struct iob_job *job)
{
	struct iob_bssplit split[IOB_NDIR];
	const char *why;

	if (job->pattern.bssplit[0] == '\0' ||
		iob_bssplit_parse(split, job->pattern.bssplit, &why) < 0)
		return;
	for (unsigned d = 0; d < IOB_NDIR; d++)
		if (split[d].count)
			job->bs[d] = (struct iob_range){
				split[d].entry[0].bytes, split[d].entry[split[d].count - 1].bytes};
}
