/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "target/prepare_list.h"

/* What is to be done before the run, and what is left to it. */
static struct iob_space_wish wish_of(
	const struct iob_prepare *p, const struct iob_list_item *item, bool set_aside)
{
	const struct iob_list_file *f = &item->file;
	struct iob_space_wish wish = {.path = f->path};

	if (f->fixed)
		return wish;
	if (f->exists)
		wish.may = iob_prepare_holes(p, f->path, &f->region, f->real);
	if (f->end <= f->real) {
		wish.holes = true;
		return wish;
	}
	if (set_aside || iob_list_wants_content(p->job))
		wish.laid = f->end - f->real;
	else
		wish.may += f->end - (f->region.offset > f->real ? f->region.offset : f->real);
	return wish;
}

static uint64_t cap_of(const struct iob_prepare *p, const struct iob_list_item *item, unsigned n)
{
	uint64_t covered = 0, unit = 1;

	for (unsigned i = 0; i < n; i++) {
		uint64_t its = item[i].file.fixed ? 1 : iob_space_unit(item[i].file.path);

		covered += item[i].file.region.size;
		unit = its > unit ? its : unit;
	}
	return iob_prepare_most(p, covered, unit);
}

static bool sets_aside(uint32_t fallocate)
{
	return fallocate == IOB_FALLOCATE_NATIVE || fallocate == IOB_FALLOCATE_POSIX ||
	       fallocate == IOB_FALLOCATE_KEEP;
}

static int try(const struct iob_prepare *p, struct iob_list_item *item, unsigned n,
	uint32_t fallocate, struct iob_error *err)
{
	IOB_FREE struct iob_space_wish *wish = calloc(n + 1, sizeof(*wish));

	if (!wish)
		return iob_fail(err, -ENOMEM, "files: %m");
	for (unsigned i = 0; i < n; i++) {
		wish[i] = wish_of(p, &item[i], sets_aside(fallocate));
		item[i].fallocate = fallocate;
		item[i].most = wish[i].laid + wish[i].may;
		if (item[i].file.exists)
			item[i].most += iob_space_taken(&item[i].st);
	}
	int rc = iob_space_check(wish, n, &item->asker, err);
	if (rc == 0 && p->ahead)
		iob_space_promise_ahead(wish, n, &item->asker);
	return rc;
}

int iob_list_check_space(
	const struct iob_prepare *p, struct iob_list_item *item, unsigned n, struct iob_error *err)
{
	uint32_t fallocate = p->job->files.fallocate;
	struct iob_space_asker asker = {p->plan->first_worker, cap_of(p, item, n)};
	struct iob_error why = {0};

	for (unsigned i = 0; i < n; i++)
		item[i].asker = asker;
	int rc = try(p, item, n, fallocate, err);
	/* Only a hint that nobody may have given. */
	if (rc == -ENOSPC && fallocate == IOB_FALLOCATE_NATIVE && !iob_list_wants_content(p->job) &&
		try(p, item, n, IOB_FALLOCATE_NONE, &why) == 0) {
		*err = (struct iob_error){0};
		return 0;
	}
	return rc;
}

void iob_list_promise_space(const struct iob_prepare *p, const struct iob_list_item *item, int fd)
{
	struct stat st;

	if (item->file.fixed || !p->write || fstat(fd, &st) < 0)
		return;
	/* What is trimmed is not there for others. */
	if (item->most > iob_space_taken(&st) || iob_job_does(p->job, IOB_TRIM))
		iob_space_promise(fd, item->most, &item->asker);
}
