/* SPDX-License-Identifier: MIT */
#include "result/result.h"

#include <errno.h>

#include "result/json_document.h"

static int print(const struct iob_result *r, bool plus, FILE *f, struct iob_error *err)
{
	bool failed = false;
	struct iob_json root = {.node = json_object(), .failed = &failed};
	int rc;

	iob_json_fio(root, r, plus);
	iob_json_own(root, r);
	if (!root.node || failed)
		rc = iob_fail(err, -ENOMEM, "build the JSON report: %m");
	else
		rc = iob_json_print(root.node, IOB_JSON_KEY, f, err);
	json_decref(root.node);
	return rc;
}

int iob_report_json(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	return print(r, false, f, err);
}

int iob_report_json_plus(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	return print(r, true, f, err);
}
