/* SPDX-License-Identifier: MIT */
#include "result/json_document.h"
#include "result/json_read.h"
#include "result/json_schema.h"

static void name_it(struct iob_json out, uint32_t op, int32_t code)
{
	iob_json_text(out, "operation", iob_failure_op_name(op));
	iob_json_text(out, "error", iob_failure_code_name(code));
}

void iob_json_put_failures(struct iob_json own, const struct iob_failures *f)
{
	struct iob_json out, list, item;

	if (f->total == 0)
		return;
	out = iob_json_object(own, "failures");
	iob_json_put(out, iob_json_failures, f);
	list = iob_json_array(out, "kinds");
	for (uint32_t i = 0; i < f->nkinds; i++) {
		item = iob_json_object(list, NULL);
		name_it(item, f->kind[i].op, f->kind[i].code);
		iob_json_put(item, iob_json_failure_kind, &f->kind[i]);
	}
	list = iob_json_array(out, "first");
	for (uint32_t i = 0; i < f->nfirst; i++) {
		item = iob_json_object(list, NULL);
		name_it(item, f->first[i].op, f->first[i].code);
		iob_json_put(item, iob_json_failure, &f->first[i]);
	}
}

void iob_read_failures(const struct iob_json_in *own, struct iob_failures *f)
{
	struct iob_json_in in, list;
	size_t n;

	if (!iob_in_has(own, "failures"))
		return;
	in = iob_in_object(own, "failures");
	iob_json_get(&in, iob_json_failures, f);
	list = iob_in_array(&in, "kinds", &n);
	for (size_t i = 0; i < n && i < IOB_FAILURE_KINDS && !own->source->failed; i++) {
		struct iob_json_in item = iob_in_item(&list, i);

		iob_json_get(&item, iob_json_failure_kind, &f->kind[f->nkinds++]);
	}
	list = iob_in_array(&in, "first", &n);
	for (size_t i = 0; i < n && i < IOB_FAILURES_FIRST && !own->source->failed; i++) {
		struct iob_json_in item = iob_in_item(&list, i);

		iob_json_get(&item, iob_json_failure, &f->first[f->nfirst++]);
	}
}
