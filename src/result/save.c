/* SPDX-License-Identifier: MIT */
#include "result/result.h"

#include "base/atomic_file.h"

int iob_result_write(const struct iob_result *r, const struct iob_format *format, const char *path,
	struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	int rc = iob_atomic_file_open(&file, path, err);

	if (rc)
		return rc;
	rc = format->write(r, file.stream, err);
	if (rc) {
		iob_atomic_file_abort(&file);
		return rc;
	}
	return iob_atomic_file_commit(&file, err);
}

int iob_result_save(const struct iob_result *r, const char *path, struct iob_error *err)
{
	return iob_result_write(r, iob_format_find("json"), path, err);
}
