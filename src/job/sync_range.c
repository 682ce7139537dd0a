/* SPDX-License-Identifier: MIT */
/* sync_file_range: "write:8" or "wait_before,write,wait_after:8". */
#include <config.h>

#include "job/sync_range.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/units.h"
#include "job/job.h"

static int parse(const char *text, struct iob_sync_range *out, const char **why)
{
	static const struct {
		const char *word;
		uint32_t flag;
	} words[] = {{"wait_before", SYNC_FILE_RANGE_WAIT_BEFORE}, {"write", SYNC_FILE_RANGE_WRITE},
		{"wait_after", SYNC_FILE_RANGE_WAIT_AFTER}};
	const char *colon = strchr(text, ':');

	*why = "write wait_before, write, wait_after, or several with commas, and :N, such as "
	       "write:8";
	*out = (struct iob_sync_range){0};
	while (colon && text < colon) {
		size_t n = strcspn(text, ",:");
		uint32_t flag = 0;

		for (unsigned i = 0; i < 3; i++)
			if (strlen(words[i].word) == n && memcmp(words[i].word, text, n) == 0)
				flag = words[i].flag;
		if (flag == 0)
			return -EINVAL;
		out->flags |= flag;
		text += n + (text[n] == ',');
	}
	if (out->flags == 0)
		return -EINVAL;
	return iob_parse_uint(colon + 1, &out->every, why);
}

int iob_sync_range_check(const char *text, const char **why)
{
	struct iob_sync_range range;

	return parse(text, &range, why);
}

void iob_sync_range_settle(struct iob_job *job)
{
	struct iob_sync_range range = {0};
	const char *why;

	if (job->sync_file_range_text[0] != '\0' &&
		parse(job->sync_file_range_text, &range, &why) < 0)
		return;
	job->sync_file_range = range;
}
