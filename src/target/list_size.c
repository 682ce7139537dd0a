/* SPDX-License-Identifier: MIT */
#include "target/list_size.h"

#include "base/units.h"

#define WHOLE_MICRO UINT64_C(100000000)

static uint64_t share_of(uint64_t total, uint64_t micro)
{
	return (uint64_t)((unsigned __int128)total * micro / WHOLE_MICRO);
}

static uint64_t draw_size(const struct iob_range *r, uint64_t block, struct iob_rng *rng)
{
	uint64_t size = r->min;

	if (r->max > r->min)
		size += iob_rng_below(rng, r->max - r->min + 1);
	uint64_t whole = size - size % block;
	return r->max > r->min && whole ? whole : size;
}

/* How long the file is to be, as far as the job says so; 0 = nothing said. */
static uint64_t wanted_length(const struct iob_list_file *f, const struct iob_job *job,
	uint64_t block, struct iob_rng *rng)
{
	const struct iob_range *r = &job->files.filesize;

	if (r->max == 0 || f->fixed)
		return f->real;
	if (f->exists && f->real >= r->min && f->real <= r->max)
		return f->real;
	return draw_size(r, block, rng);
}

/* size is divided among the files, what is left over goes to the first ones. */
static uint64_t part(uint64_t size, uint64_t block, struct iob_list_place at)
{
	if (at.count == 1)
		return size;
	uint64_t blocks = size / block;
	return (blocks / at.count + (at.number < blocks % at.count)) * block;
}

static uint64_t round_up(uint64_t bytes, uint64_t block)
{
	return (bytes + block - 1) / block * block;
}

static uint64_t offset_of(
	const struct iob_job *job, uint64_t length, uint64_t block, uint64_t clone)
{
	const struct iob_job_pattern *more = &job->pattern;
	uint64_t align = more->offset_align ? more->offset_align : block;
	uint64_t offset = job->offset.bytes, step = more->offset_increment.bytes;

	if (job->offset.percent_micro)
		offset = round_up(share_of(length, job->offset.percent_micro), align);
	if (more->offset_increment.percent_micro)
		step = round_up(share_of(length, more->offset_increment.percent_micro), align);
	return offset + step * clone;
}

static uint64_t size_of(const struct iob_list_file *f, const struct iob_job *job, uint64_t length,
	uint64_t offset, struct iob_list_place at)
{
	uint64_t min, max;

	iob_target_block_sizes(job, &min, &max);
	if (job->size.percent_micro)
		return share_of(length, job->size.percent_micro) / min * min;
	if (job->files.filesize.max && !f->fixed)
		return length > offset ? length - offset : 0;
	if (job->size.bytes)
		return part(job->size.bytes, min, at);
	return length > offset ? length - offset : 0;
}

int iob_list_measure(struct iob_list_file *f, const struct iob_job *job, struct iob_list_place at,
	struct iob_rng *rng, struct iob_error *err)
{
	uint64_t min, max;
	char a[32], b[32];

	iob_target_block_sizes(job, &min, &max);
	uint64_t length = wanted_length(f, job, min, rng);
	if (length == 0 && job->size.bytes == 0)
		return iob_fail_usage(err, "%s: %s; give size= in bytes", f->path,
			f->exists ? "the file is empty"
				  : "no such file, and nothing says how long "
				    "it is to be");
	uint64_t offset = offset_of(job, length, min, at.clone);
	if (job->files.file_append && !f->fixed)
		offset = f->real;
	if (f->fixed && offset >= f->real)
		return iob_fail_usage(err, "offset=%s: %s has only %s; give a smaller offset",
			iob_format_size_exact(a, sizeof(a), offset), f->path,
			iob_format_size_exact(b, sizeof(b), f->real));
	uint64_t size = size_of(f, job, length, offset, at);
	if (f->fixed && size > f->real - offset)
		size = f->real - offset;
	if (size < max)
		return iob_target_region_too_small(job,
			job->size.percent_micro && size == 0
				? share_of(length, job->size.percent_micro)
				: size,
			offset, f->path, err);
	if (offset > (uint64_t)INT64_MAX || size > (uint64_t)INT64_MAX - offset)
		return iob_fail_usage(err, "size=%s: no file can be that large",
			iob_format_size_exact(a, sizeof(a), size));
	f->region = (struct iob_target_region){.offset = offset, .size = size};
	f->end = offset + size;
	return 0;
}
