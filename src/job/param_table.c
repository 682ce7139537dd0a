/* SPDX-License-Identifier: MIT */
/* The parameter table, put together of its pieces; their order is that of all that walks it. */
#include <stddef.h>
#include <stdint.h>

#include "job/param.h"
#include "job/param_rows.h"

static const struct iob_param_rows *const pieces[] = {
	&iob_param_what,
	&iob_param_where,
	&iob_param_files,
	&iob_param_how,
	&iob_param_cache,
	&iob_param_error,
	&iob_param_thread,
	&iob_param_when,
	&iob_param_memory,
	&iob_param_engine,
	&iob_param_fault,
	&iob_param_cmdprio,
	&iob_param_job,
	&iob_param_report,
	&iob_param_log,
	&iob_param_compat,
};

#define NPIECES (sizeof(pieces) / sizeof(pieces[0]))

size_t iob_param_count(void)
{
	size_t count = 0;

	for (size_t i = 0; i < NPIECES; i++)
		count += pieces[i]->n;
	return count;
}

const struct iob_param *iob_param_at(size_t index)
{
	size_t i = 0;

	for (; index >= pieces[i]->n; i++)
		index -= pieces[i]->n;
	return &pieces[i]->row[index];
}

size_t iob_param_index(const struct iob_param *p)
{
	uintptr_t at = (uintptr_t)p;
	size_t before = 0, i = 0;

	while (at < (uintptr_t)pieces[i]->row || at >= (uintptr_t)(pieces[i]->row + pieces[i]->n))
		before += pieces[i++]->n;
	return before + (size_t)(p - pieces[i]->row);
}
