/* SPDX-License-Identifier: MIT */
/*
 * fio_tree FIO.json [OURS.json]: is every key of fio's report in ours, with the same type?  Without
 * a second file ours is that of the sample result.  Exit 0 if so.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/result.h"
#include "support/sample_result.h"

static unsigned missing, seen;

static void compare(const json_t *fio, const json_t *ours, const char *path)
{
	const char *key;
	json_t *value;
	char below[300];

	seen++;
	if (!ours || json_typeof(fio) != json_typeof(ours)) {
		printf("%s: %s\n", path, ours ? "another type" : "missing");
		missing++;
		return;
	}
	if (json_is_array(fio) && json_array_size(fio) > 0) {
		snprintf(below, sizeof(below), "%s[0]", path);
		compare(json_array_get(fio, 0), json_array_get(ours, 0), below);
	}
	if (!json_is_object(fio) || strstr(path, "job options"))
		return; /* whose members are what the user gave */
	json_object_foreach((json_t *)(uintptr_t)fio, key, value)
	{
		snprintf(below, sizeof(below), "%s.%s", path, key);
		compare(value, json_object_get(ours, key), below);
	}
}

static json_t *sample(void)
{
	struct iob_result r;
	struct iob_error err = {0};
	char *buf = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&buf, &size);

	iob_sample_result(&r);
	if (!f || iob_report_json(&r, f, &err) || fclose(f))
		return NULL;
	json_t *root = json_loads(buf, 0, NULL);
	free(buf);
	iob_result_free(&r);
	return root;
}

int main(int argc, char **argv)
{
	json_error_t why;
	json_t *fio = argc > 1 ? json_load_file(argv[1], 0, &why) : NULL;
	json_t *ours = argc > 2 ? json_load_file(argv[2], 0, &why) : sample();

	if (!fio || !ours) {
		fprintf(stderr, "fio_tree: cannot read both reports\n");
		return 1;
	}
	compare(fio, ours, "");
	printf("%u of %u keys are missing or of another type\n", missing, seen);
	json_decref(fio);
	json_decref(ours);
	return missing || seen < 100;
}
