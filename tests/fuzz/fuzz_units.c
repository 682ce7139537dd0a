/* SPDX-License-Identifier: MIT */
/* Every parser of values on any text: no crash, and what is accepted comes back when printed. */
#include <config.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "job/param.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int truth)
{
	if (!truth)
		abort();
}

static void check_units(const char *text)
{
	char shown[64], clean[64];
	uint64_t value = 0, again = 0;
	const char *why = NULL;

	if (iob_parse_size(text, &value, &why) == 0) {
		iob_format_size_exact(shown, sizeof(shown), value);
		demand(iob_parse_size(shown, &again, &why) == 0 && again == value);
		iob_format_bytes(shown, sizeof(shown), value);
		iob_format_bytes_si(shown, sizeof(shown), value);
		iob_format_bandwidth(shown, sizeof(shown), (double)value);
	}
	if (iob_parse_time(text, IOB_NS_PER_S, &value, &why) == 0) {
		iob_format_time_exact(shown, sizeof(shown), value);
		demand(iob_parse_time(shown, 1, &again, &why) == 0 && again == value);
		iob_format_latency(shown, sizeof(shown), value);
		iob_format_clock(shown, sizeof(shown), value);
	}
	if (iob_parse_percent(text, &value, &why) == 0)
		demand(value <= 100000000);
	if (iob_parse_uint(text, &value, &why) < 0)
		demand(why != NULL);
	iob_text_clean(clean, sizeof(clean), text);
	iob_text_pad(shown, sizeof(shown), clean, 20);
}

static void check_param(struct iob_job *job, const struct iob_param *p, const char *text)
{
	static char shown[IOB_PATH_MAX], again[IOB_PATH_MAX];
	struct iob_error err = {0};

	if (iob_param_set(job, p, text, &err) < 0) {
		demand(err.kind == IOB_ERR_USAGE &&
			strncmp(err.text, p->name, strlen(p->name)) == 0);
		return;
	}
	iob_param_get(job, p, shown, sizeof(shown));
	demand(iob_param_set(job, p, shown, &err) == 0);
	demand(strcmp(iob_param_get(job, p, again, sizeof(again)), shown) == 0);
	iob_param_step(job, p, 1);
	iob_param_step(job, p, -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct iob_job job;
	IOB_FREE char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	check_units(text);
	iob_job_defaults(&job);
	for (size_t i = 0; i < iob_param_count(); i++)
		check_param(&job, iob_param_at(i), text);
	iob_job_check(&job, NULL);
	iob_param_suggest(text);
	return 0;
}
