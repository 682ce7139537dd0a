/* SPDX-License-Identifier: MIT */
#include "result/result.h"

#include "base/atomic_file.h"

int iob_result_save(const struct iob_result *r, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	int rc = iob_atomic_file_open(&file, path, err);

	if (rc)
		return rc;
	rc = iob_report_json(r, file.stream, err);
	if (rc) {
		iob_atomic_file_abort(&file);
		return rc;
	}
	return iob_atomic_file_commit(&file, err);
}
