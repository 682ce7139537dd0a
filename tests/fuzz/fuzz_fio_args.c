/* SPDX-License-Identifier: MIT */
/* Any words, one per line, as the command line of `fio`; job files among them are not read. */
#include <config.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/fio_args.h"
#include "job/fio_jobs.h"

#define MOST_WORDS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int truth)
{
	if (!truth)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct iob_fio_rules rules = {.max_jobs = 1000};
	IOB_FREE char *text = malloc(size + 1);
	char *argv[MOST_WORDS + 1] = {text}, *save = NULL;
	struct iob_fio_args args = {0};
	struct iob_fio_jobs jobs = {0};
	struct iob_error err = {0};
	int argc = 1;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *w = strtok_r(text, "\n", &save); w && argc < MOST_WORDS;
		w = strtok_r(NULL, "\n", &save)) {
		/* A job file would be one of this machine, or standard input. */
		if (w[0] == '-' && w[1] != '\0' && strcmp(w, "--") != 0)
			argv[argc++] = w;
	}
	int rc = iob_fio_args_parse(&args, argc, argv, &err);
	if (rc == 0)
		rc = iob_fio_jobs_make(&jobs, &args.jobs, &rules, &err);
	demand(rc == 0 || (err.kind == IOB_ERR_USAGE && err.text[0] != '\0'));
	iob_fio_jobs_free(&jobs);
	iob_fio_args_free(&args);
	return 0;
}
