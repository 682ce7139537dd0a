/* SPDX-License-Identifier: MIT */
/* One JSON object on a line of its own for the run, for each interval of the timeline and for each
 * segment; `type` tells them apart, the rest is as in the iotop_bench key of the JSON report. */
#include <config.h>

#include <errno.h>

#include "result/json_document.h"

static int put_line(const char *type, json_t *members, FILE *f)
{
	json_t *line = json_object();
	int rc = -1;

	if (line && members && !json_object_set_new(line, "type", json_string(type)) &&
		!json_object_update(line, members))
		rc = json_dumpf(line, f, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(line);
	if (!rc)
		fputc('\n', f);
	return rc;
}

static int put_list(const char *type, json_t *list, FILE *f)
{
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item)
	{
		int rc = put_line(type, item, f);

		if (rc)
			return rc;
	}
	return 0;
}

static int put_document(json_t *own, FILE *f)
{
	json_t *timeline = json_incref(json_object_get(own, "timeline"));
	json_t *segments = json_incref(json_object_get(own, "segments"));
	int rc;

	json_object_del(own, "timeline");
	json_object_del(own, "segments");
	rc = put_line("run", own, f);
	if (!rc)
		rc = put_list("interval", timeline, f);
	if (!rc)
		rc = put_list("segment", segments, f);
	json_decref(timeline);
	json_decref(segments);
	return rc;
}

int iob_report_ndjson(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	bool failed = false;
	struct iob_json root = {.node = json_object(), .failed = &failed};
	int rc = 0;

	iob_json_own(root, r);
	errno = 0;
	if (!root.node || failed)
		rc = iob_fail(err, -ENOMEM, "build the JSON report: %m");
	else if (put_document(json_object_get(root.node, IOB_JSON_KEY), f))
		rc = iob_fail(err, errno ? -errno : -EIO, "write the JSON report: %m");
	json_decref(root.node);
	return rc;
}
