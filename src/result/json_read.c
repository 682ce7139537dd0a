/* SPDX-License-Identifier: MIT */
#include "result/json_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "measure/sample.h"
#include "result/fio_read.h"
#include "result/json_document.h"
#include "result/json_schema.h"

static void read_outcome(const struct iob_json_in *own, struct iob_result *r)
{
	const char *text = iob_in_string(own, "outcome");

	for (int i = IOB_OUTCOME_NONE; i <= IOB_OUTCOME_ABANDONED; i++) {
		if (strcmp(text, iob_outcome_name((enum iob_outcome)i)) == 0) {
			r->outcome = (enum iob_outcome)i;
			return;
		}
	}
	iob_in_fail(own, "outcome", "is none of the known words");
}

static void read_error(const struct iob_json_in *own, struct iob_error *err)
{
	if (!iob_in_has(own, "error"))
		return;
	struct iob_json_in in = iob_in_object(own, "error");
	err->code = -(int)iob_in_u64(&in, "code", INT16_MAX);
	iob_json_get(&in, iob_json_error, err);
}

static void read_engine(const struct iob_json_in *own, struct iob_result *r)
{
	struct iob_json_in in = iob_in_object(own, "engine");
	size_t n, at = 0;

	iob_in_text(&in, "name", r->engine, sizeof(r->engine));
	struct iob_json_in list = iob_in_array(&in, "flags", &n);
	for (size_t k = 0; k < n; k++) {
		const char *text = json_string_value(json_array_get(list.node, k));
		char word[sizeof(r->engine_flags)];
		int added;

		if (!text)
			continue;
		iob_text_clean(word, sizeof(word), text);
		added = snprintf(r->engine_flags + at, sizeof(r->engine_flags) - at, "%s%s",
			at ? " " : "", word);
		if (added < 0 || at + (size_t)added >= sizeof(r->engine_flags))
			return;
		at += (size_t)added;
	}
}

static void read_sweep(const struct iob_json_in *own, struct iob_sweep *sweep)
{
	if (!iob_in_has(own, "sweep"))
		return;
	struct iob_json_in in = iob_in_object(own, "sweep");
	iob_in_text(&in, "param", sweep->param, sizeof(sweep->param));
	if (strcmp(sweep->param, "iodepth") != 0 && strcmp(sweep->param, "bs") != 0)
		iob_in_fail(&in, "param", "is none of the parameters that are swept");
	sweep->from = iob_in_u64(&in, "from", INT64_MAX);
	sweep->to = iob_in_u64(&in, "to", INT64_MAX);
	sweep->step_ns = iob_in_u64(&in, "step_ns", INT64_MAX);
	sweep->max_p99_ns = iob_in_u64(&in, "max_p99_ns", INT64_MAX);
	if (iob_in_has(&in, "first_segment"))
		sweep->first_segment = (uint32_t)iob_in_u64(&in, "first_segment", UINT32_MAX);
}

static void read_plan(const struct iob_json_in *own, struct iob_plan *plan)
{
	const char *why = NULL;

	iob_in_text(own, "profile", plan->profile, sizeof(plan->profile));
	if (iob_parse_uint(iob_in_string(own, "seed"), &plan->seed, &why))
		iob_in_fail(own, "seed", "must be a number as text");
	plan->scratch = iob_in_bool(own, "scratch");
	plan->tunable = iob_in_bool(own, "tunable");
}

static void read_stages(const struct iob_json_in *own, struct iob_result *r)
{
	size_t n;
	struct iob_json_in list = iob_in_array(own, "stages", &n);

	if (n < 1 || n > IOB_MAX_STAGES) {
		iob_in_fail(own, "stages", "must hold 1 to %d stages", IOB_MAX_STAGES);
		return;
	}
	r->stage = calloc(n, sizeof(*r->stage));
	if (!r->stage) {
		iob_in_fail(own, "stages", "do not fit into memory");
		return;
	}
	r->nstages = r->plan->nstages = (unsigned)n;
	for (size_t i = 0; i < n; i++) {
		struct iob_json_in in = iob_in_item(&list, i);
		struct iob_json_in disk = iob_in_object(&in, "diskstats");
		struct iob_job *job = &r->plan->stage[i];

		iob_job_defaults(job);
		iob_read_segment(&in, &r->stage[i].figures);
		iob_read_histograms(&in, r->stage[i].hist);
		iob_read_diskstat(&disk, &r->stage[i].disk);
		iob_read_params(&in, job);
		iob_read_given(&in, job);
		iob_in_text(&in, "name", job->name, sizeof(job->name));
	}
}

static void read_segments(const struct iob_json_in *own, struct iob_result *r)
{
	size_t n;
	struct iob_json_in list = iob_in_array(own, "segments", &n);
	IOB_FREE struct iob_job *job = malloc(sizeof(*job));

	r->segment = calloc(n + 1, sizeof(*r->segment));
	if (!r->segment || !job) {
		iob_in_fail(own, "segments", "do not fit into memory");
		return;
	}
	r->nsegments = n;
	for (size_t i = 0; i < n && !own->source->failed; i++) {
		struct iob_json_in in = iob_in_item(&list, i);
		struct iob_result_segment *s = &r->segment[i];

		iob_read_segment(&in, &s->figures);
		if (s->figures.stage >= r->nstages) {
			iob_in_fail(&in, "stage", "is beyond the last stage");
			return;
		}
		*job = r->plan->stage[s->figures.stage];
		iob_read_params(&in, job);
		iob_live_from_job(&s->params.live, job);
		s->params.live.paused = s->figures.kind == IOB_SEGMENT_PAUSED;
		s->params.stage = s->figures.stage;
		s->params.kind = s->figures.kind;
	}
}

static void read_marks(const struct iob_json_in *own, struct iob_marks *marks)
{
	char text[sizeof(marks->item[0].text)];
	size_t n = 0;

	if (!iob_in_has(own, "marks"))
		return;
	struct iob_json_in list = iob_in_array(own, "marks", &n);
	for (size_t i = 0; i < n && i < IOB_MARKS_MOST && !own->source->failed; i++) {
		struct iob_json_in in = iob_in_item(&list, i);

		iob_in_text(&in, "text", text, sizeof(text));
		iob_marks_add(marks, iob_in_u64(&in, "t_ms", INT64_MAX), text);
	}
}

static void read_limit(const struct iob_json_in *own, struct iob_limit *limit)
{
	if (!iob_in_has(own, "limit"))
		return;
	struct iob_json_in in = iob_in_object(own, "limit");
	iob_in_text(&in, "what", limit->what, sizeof(limit->what));
	iob_in_text(&in, "text", limit->text, sizeof(limit->text));
}

static void read_document(const struct iob_json_in *root, struct iob_result *r)
{
	struct iob_json_in own = iob_in_object(root, IOB_JSON_KEY);
	struct iob_json_in part;

	if (iob_in_u64(&own, "format", INT64_MAX) > IOB_JSON_FORMAT)
		iob_in_fail(&own, "format", "is newer than this program");
	if (iob_in_u64(&own, "interval_ms", INT64_MAX) != IOB_INTERVAL_MS)
		iob_in_fail(&own, "interval_ms", "is not this program's");
	iob_json_get(&own, iob_json_result, r);
	read_outcome(&own, r);
	read_error(&own, &r->error);
	read_plan(&own, r->plan);
	read_sweep(&own, &r->sweep);
	part = iob_in_object(&own, "host");
	iob_json_get(&part, iob_json_host, &r->host);
	part = iob_in_object(&own, "target");
	iob_json_get(&part, iob_json_target, &r->target);
	read_engine(&own, r);
	part = iob_in_object(&own, "usage");
	iob_json_get(&part, iob_json_usage, &r->usage);
	iob_read_warnings(&own, &r->warnings);
	read_limit(&own, &r->limit);
	iob_read_failures(&own, &r->failures);
	part = iob_in_object(&own, "total");
	iob_read_segment(&part, &r->total);
	read_stages(&own, r);
	if (!own.source->failed)
		read_segments(&own, r);
	read_marks(&own, &r->marks);
	if (!own.source->failed)
		iob_read_timeline(&own, r);
}

#define MOST_NOTES (16 << 20)

/* A file of fio, or of our fio command, which has a report's figures and no more. */
static bool is_fios(const json_t *root)
{
	return !json_object_get(json_object_get(root, IOB_JSON_KEY), "format");
}

/*
 * fio's document may follow notes and be followed by its other reports, and old versions give a key
 * twice (unused percentiles).  NULL if there is none; what cannot be read twice, and what goes on
 * without end, has none.
 */
static json_t *load_fios(FILE *f)
{
	json_t *root = NULL;
	int c = EOF, before = '\n';
	long notes = 0;

	if (fseek(f, 0, SEEK_SET))
		return NULL;
	while (notes++ < MOST_NOTES && (c = fgetc(f)) != EOF && !(c == '{' && before == '\n'))
		before = c;
	if (c != '{' || fseek(f, -1, SEEK_CUR))
		return NULL;
	root = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL);
	if (root && (!json_object_get(root, "fio version") || !is_fios(root))) {
		json_decref(root);
		root = NULL;
	}
	return root;
}

static int load(json_t **root, const char *path, struct iob_error *err)
{
	IOB_FILE FILE *f = fopen(path, "re");
	struct stat st;
	json_error_t why;

	if (!f)
		return iob_fail(err, -errno, "open %s: %m", path);
	if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode))
		return iob_fail_usage(err, "%s is a directory; name the file of a saved run", path);
	/* Most of them have no end. */
	if (fstat(fileno(f), &st) == 0 && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)) &&
		!isatty(fileno(f)))
		return iob_fail_usage(err, "%s is a device; name the file of a saved run", path);
	*root = json_loadf(f, JSON_REJECT_DUPLICATES, &why);
	if (ferror(f))
		return iob_fail(err, -EIO, "read %s: %m", path);
	if (!*root)
		*root = load_fios(f);
	if (!*root)
		return iob_fail_usage(err,
			"%s:%d:%d: this is not JSON, or it is cut off (%.160s); saved runs can be read, "
			"and fio's --output-format=json",
			path, why.line, why.column, why.text);
	return 0;
}

/* Somebody else's file gets an answer of its own. */
static int check_origin(const json_t *root, const char *path, struct iob_error *err)
{
	if (json_object_get(root, IOB_JSON_KEY) || json_object_get(root, "fio version"))
		return 0;
	return iob_fail_usage(
		err, "%s: %s is missing; this is not a saved run", path, IOB_JSON_KEY);
}

int iob_result_read(struct iob_result *r, const char *path, struct iob_error *err)
{
	struct iob_json_source source = {.file = path, .err = err};
	json_t *root = NULL;
	int rc;

	memset(r, 0, sizeof(*r));
	rc = load(&root, path, err);
	if (!rc)
		rc = check_origin(root, path, err);
	if (!rc) {
		struct iob_json_in in = {.node = root, .source = &source};

		r->plan = calloc(1, sizeof(*r->plan));
		if (r->plan && is_fios(root))
			iob_fio_read(&in, r);
		else if (r->plan)
			read_document(&in, r);
		else
			rc = iob_fail(err, -ENOMEM, "read %s: %m", path);
	}
	if (source.failed)
		rc = -EINVAL;
	json_decref(root);
	if (rc)
		iob_result_free(r);
	return rc;
}
