/* SPDX-License-Identifier: MIT */
#include "target/region.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "job/param.h"

#define WHOLE_MICRO UINT64_C(100000000)

void iob_target_block_sizes(const struct iob_job *job, uint64_t *min, uint64_t *max)
{
	*min = UINT64_MAX;
	*max = 0;
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		if (!iob_job_uses_bs(job, (enum iob_dir)d))
			continue;
		if (job->bs[d].min < *min)
			*min = job->bs[d].min;
		if (job->bs[d].max > *max)
			*max = job->bs[d].max;
	}
	if (*max == 0)
		*min = *max = 1;
}

static uint64_t amount_bytes(const struct iob_amount *amount, uint64_t total, uint64_t block)
{
	if (amount->percent_micro == 0)
		return amount->bytes;
	uint64_t bytes = (uint64_t)((unsigned __int128)total * amount->percent_micro / WHOLE_MICRO);
	return bytes - bytes % block;
}

int iob_target_region_too_small(const struct iob_job *job, uint64_t size, uint64_t offset,
	const char *what, struct iob_error *err)
{
	uint64_t min = 0, max = 0;
	char text[32];

	iob_target_block_sizes(job, &min, &max);
	return iob_fail_usage(err,
		"bs=%s: %" PRIu64 " bytes are more than the %" PRIu64 " from offset %" PRIu64
		" on that the job covers of %s; give a smaller bs or a "
		"larger size",
		iob_format_size_exact(text, sizeof(text), max), max, size, offset, what);
}

static uint64_t not_rounded(const struct iob_amount *amount, uint64_t total)
{
	return amount_bytes(amount, total, 1);
}

int iob_target_region_of(struct iob_target_region *region, const struct iob_job *job,
	uint64_t total, const char *what, struct iob_error *err)
{
	char a[32], b[32], c[32];
	uint64_t min = 0, max = 0;

	iob_target_block_sizes(job, &min, &max);
	uint64_t offset = amount_bytes(&job->offset, total, max);
	if (offset > 0 && offset >= total)
		return iob_fail_usage(err, "offset=%s: %s has only %s; give a smaller offset",
			iob_format_size_exact(a, sizeof(a), offset), what,
			iob_format_size_exact(b, sizeof(b), total));
	uint64_t room = total - offset;
	uint64_t size = amount_bytes(&job->size, total, max);
	if (job->size.percent_micro != 0 && size > room)
		size = room;
	if (job->size.bytes == 0 && job->size.percent_micro == 0)
		size = room;
	if (size > room)
		return iob_fail_usage(err,
			"size=%s: %s has only %s after offset=%s; give size=%s or less",
			iob_format_size_exact(a, sizeof(a), size), what,
			iob_format_size_exact(b, sizeof(b), room),
			iob_format_size_exact(c, sizeof(c), offset), b);
	if (size < max)
		return iob_target_region_too_small(job,
			job->size.percent_micro && size == 0 ? not_rounded(&job->size, total)
							     : size,
			offset, what, err);
	*region = (struct iob_target_region){.offset = offset, .size = size};
	return 0;
}

int iob_target_region_made(struct iob_target_region *region, const struct iob_job *job,
	uint64_t size, uint64_t count, uint64_t *each, struct iob_error *err)
{
	char a[32], b[32];
	uint64_t min = 0, max = 0;

	if (job->size.percent_micro != 0 || job->offset.percent_micro != 0)
		return iob_fail_usage(err,
			"%s: a percentage of a file that does not exist yet; give it in bytes",
			job->size.percent_micro != 0 ? "size" : "offset");
	iob_target_block_sizes(job, &min, &max);
	uint64_t part = size / count;
	if (count > 1)
		part -= part % max;
	if (part < max)
		return iob_fail_usage(err,
			"size=%s: too small for %" PRIu64 " file%s of at least one block each "
			"(bs=%s); give a larger size",
			iob_format_size_exact(a, sizeof(a), size), count, count == 1 ? "" : "s",
			iob_format_size_exact(b, sizeof(b), max));
	if (part > INT64_MAX || job->offset.bytes > (uint64_t)INT64_MAX - part)
		return iob_fail_usage(err, "size=%s: no file can be that large",
			iob_format_size_exact(a, sizeof(a), size));
	*region = (struct iob_target_region){.offset = job->offset.bytes, .size = part};
	*each = region->offset + part;
	return 0;
}

/* name=value is no multiple of block: the nearest that are. */
static int misaligned(
	const char *name, uint64_t value, uint32_t block, const char *what, struct iob_error *err)
{
	uint64_t below = value - value % block;
	char text[32], under[32], above[32];

	iob_format_size_exact(text, sizeof(text), value);
	iob_format_size_exact(under, sizeof(under), below);
	iob_format_size_exact(above, sizeof(above), below + block);
	return iob_fail_usage(err,
		"%s=%s: not a multiple of the %" PRIu32
		"-byte logical blocks of %s; use %s%s%s or --direct=0",
		name, text, block, what, below > 0 ? under : "", below > 0 ? ", " : "", above);
}

int iob_target_check_alignment(const struct iob_job *job, const struct iob_target_region *region,
	uint32_t block, const char *what, struct iob_error *err)
{
	/* What was written: bssplit goes before bs. */
	const char *length =
		job->pattern.bssplit[0] ? IOB_PARAM_NAME(pattern.bssplit) : IOB_PARAM_NAME(bs);

	for (unsigned d = 0; d < IOB_NDIR; d++) {
		if (!iob_job_uses_bs(job, (enum iob_dir)d))
			continue;
		if (job->bs[d].min % block != 0)
			return misaligned(length, job->bs[d].min, block, what, err);
		if (job->bs[d].max % block != 0)
			return misaligned(length, job->bs[d].max, block, what, err);
	}
	if (region->offset % block != 0)
		return misaligned("offset", region->offset, block, what, err);
	return 0;
}
