/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>

#include "result/text_figures.h"
#include "result/text_page.h"

/* What the error is in words stands with its kind; what it means here, once. */
static void print_first(const struct iob_failures *fail, uint32_t i, FILE *f)
{
	const struct iob_failure *one = &fail->first[i];
	bool again = i > 0 && strcmp(one->why, fail->first[i - 1].why) == 0;
	char where[80] = "";

	if (one->length)
		snprintf(where, sizeof(where), " at offset %llu, %llu\tbytes",
			(unsigned long long)one->offset, (unsigned long long)one->length);
	iob_page_field(f, i ? "" : "first", "%.3f\ts, worker\t%u: %s%s: %s%s%s",
		(double)one->at_ns / 1e9, one->worker, iob_failure_op_name(one->op), where,
		iob_failure_code_name(one->code), again || !one->why[0] ? "" : "; ",
		again ? "" : one->why);
}

void iob_text_failures(const struct iob_failures *fail, FILE *f)
{
	char words[320];

	for (uint32_t i = 0; i < fail->nkinds; i++) {
		const struct iob_failure_kind *k = &fail->kind[i];

		iob_page_field(f, i ? "" : "failed", "%s%s",
			iob_failure_kind_words(words, sizeof(words), k),
			k->ignored == 0         ? ""
			: k->ignored < k->count ? ", some ignored"
						: ", ignored");
	}
	for (uint32_t i = 0; i < fail->nfirst; i++)
		print_first(fail, i, f);
	if (fail->slowed)
		iob_page_field(f, "",
			"submitting was held back %llu\ttimes, since nothing but failures came back",
			(unsigned long long)fail->slowed);
}
