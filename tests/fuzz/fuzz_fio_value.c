/* SPDX-License-Identifier: MIT */
/* Any text as the value of each row by fio's rules: what comes out the table takes or refuses. */
#include <config.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "job/fio_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_row(struct iob_job *job, const struct iob_param *p, const char *text)
{
	char **warnings = NULL;
	size_t nwarnings = 0;
	unsigned said = 0;
	const struct iob_place place = {.file = "fuzz", .line = 1, .column = 1};
	const struct iob_fio_value_context context = {
		.kb_base = 1024,
		.place = &place,
		.warning = &warnings,
		.nwarnings = &nwarnings,
		.said = &said,
	};
	IOB_FREE char *value = NULL;
	struct iob_error err = {0};
	int rc = iob_fio_value(&context, p, text, &value, &err);

	if ((rc == 0) != (value != NULL) || (rc < 0 && err.kind != IOB_ERR_USAGE))
		abort();
	if (rc == 0)
		iob_param_set(job, p, value, &err);
	iob_messages_free(warnings, nwarnings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct iob_job job;
	IOB_FREE char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	iob_job_defaults(&job);
	for (size_t i = 0; i < iob_param_count(); i++)
		check_row(&job, iob_param_at(i), text);
	return 0;
}
