/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/engine.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "job/param.h"

const struct iob_engine *iob_engine_find(const char *name)
{
	for (unsigned i = 0; iob_engines[i]; i++)
		if (strcmp(iob_engines[i]->name, name) == 0)
			return iob_engines[i];
	return NULL;
}

/* A typing error, or a part of a name: "uring", "aio". */
static const char *guess_name(const char *typed)
{
	struct iob_nearest nearest = {.typed = typed};

	for (unsigned i = 0; iob_engines[i]; i++)
		iob_nearest_offer(&nearest, iob_engines[i]->name);
	if (nearest.best || strlen(typed) < 3)
		return nearest.best;
	for (unsigned i = 0; iob_engines[i]; i++)
		if (strcasestr(iob_engines[i]->name, typed) ||
			strcasestr(typed, iob_engines[i]->name))
			return iob_engines[i]->name;
	return NULL;
}

static int unknown(const char *field, const char *name, struct iob_error *err)
{
	const char *guess = guess_name(name);
	char list[256] = "";
	size_t used = 0;

	for (unsigned i = 0; iob_engines[i] && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
			iob_engines[i]->name);
	if (guess)
		return iob_fail_usage(err,
			"%s=%.64s: no such engine; did you mean %s? (there are: %s)", field, name,
			guess, list);
	return iob_fail_usage(err, "%s=%.64s: no such engine; there are: %s", field, name, list);
}

static int get(
	const struct iob_engine **out, const char *field, const char *name, struct iob_error *err)
{
	const struct iob_engine *engine = iob_engine_find(name);

	if (!engine)
		return unknown(field, name, err);
	int ret = engine->probe(err);
	if (ret < 0)
		return ret;
	*out = engine;
	return 0;
}

int iob_engine_get(const struct iob_engine **out, const char *name, struct iob_error *err)
{
	return get(out, "ioengine", name, err);
}

/* NULL when it wraps none, or one that there is not. */
static const struct iob_engine *inner(const struct iob_engine *engine, const struct iob_job *job)
{
	char name[sizeof(job->ioengine)];

	if (!engine->inner)
		return NULL;
	return iob_engine_find(
		iob_param_get(job, iob_param_find(engine->inner), name, sizeof(name)));
}

int iob_engine_get_for(
	const struct iob_engine **out, const struct iob_job *job, struct iob_error *err)
{
	const struct iob_engine *engine = NULL, *in = NULL;
	char name[sizeof(job->ioengine)];
	int ret = get(&engine, "ioengine", job->ioengine, err);

	if (ret < 0 || !engine)
		return ret;
	if (engine->inner) {
		iob_param_get(job, iob_param_find(engine->inner), name, sizeof(name));
		ret = get(&in, engine->inner, name, err);
		if (ret < 0 || !in)
			return ret;
		if (in->inner)
			return iob_fail_usage(err,
				"%s=%s: that one does no I/O itself; name another engine",
				engine->inner, name);
	}
	*out = engine;
	return 0;
}

unsigned iob_engine_caps(const struct iob_engine *engine, const struct iob_job *job)
{
	const struct iob_engine *in = inner(engine, job);

	return in ? in->caps : engine->caps;
}

unsigned iob_engine_max_capacity(const struct iob_engine *engine, const struct iob_job *job)
{
	const struct iob_engine *in = inner(engine, job);

	if (!(iob_engine_caps(engine, job) & IOB_ENGINE_ASYNC))
		return 1;
	return in && in->max_capacity < engine->max_capacity ? in->max_capacity
							     : engine->max_capacity;
}

bool iob_engine_is_one_deep(const struct iob_job *job)
{
	const struct iob_engine *engine = iob_engine_find(job->ioengine);

	return engine && iob_engine_max_capacity(engine, job) == 1;
}

bool iob_engine_has_slat(const struct iob_engine *engine, const struct iob_job *job)
{
	return engine && iob_engine_max_capacity(engine, job) > 1 &&
	       !(iob_engine_caps(engine, job) & IOB_ENGINE_OWN_TABLE);
}

bool iob_engine_has_param(const struct iob_engine *engine, const char *name)
{
	for (unsigned i = 0; engine->params && engine->params[i]; i++)
		if (strcmp(engine->params[i], name) == 0)
			return true;
	return false;
}

static int refuse_param(const struct iob_engine *engine, const char *name, struct iob_error *err)
{
	char list[256] = "";
	size_t used = 0;

	for (unsigned i = 0; iob_engines[i] && used < sizeof(list); i++)
		if (iob_engine_has_param(iob_engines[i], name))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
				used ? ", " : "", iob_engines[i]->name);
	if (used)
		return iob_fail_usage(err,
			"%s: the engine %s has no such parameter; leave it out, or use an engine "
			"that has it: %s",
			name, engine->name, list);
	return iob_fail_usage(
		err, "%s: the engine %s has no such parameter; leave it out", name, engine->name);
}

int iob_engine_check_params(
	const struct iob_engine *engine, const struct iob_job *job, struct iob_error *err)
{
	const struct iob_engine *in = inner(engine, job);

	for (size_t i = 0; i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);

		if (strcmp(p->group, IOB_PARAM_GROUP_ENGINE) == 0 && iob_param_is_given(job, p) &&
			!iob_engine_has_param(engine, p->name) &&
			!(in && iob_engine_has_param(in, p->name)))
			return refuse_param(engine, p->name, err);
	}
	return 0;
}
