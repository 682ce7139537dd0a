/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/engine.h"

#include <stdio.h>
#include <string.h>

const struct iob_engine *iob_engine_find(const char *name)
{
	for (unsigned i = 0; iob_engines[i]; i++)
		if (strcmp(iob_engines[i]->name, name) == 0)
			return iob_engines[i];
	return NULL;
}

/* "uring", "IO_URING" and "posixaio" are near a name when one holds the other. */
static const struct iob_engine *near(const char *name)
{
	if (strlen(name) < 3)
		return NULL;
	for (unsigned i = 0; iob_engines[i]; i++)
		if (strcasestr(iob_engines[i]->name, name) ||
			strcasestr(name, iob_engines[i]->name))
			return iob_engines[i];
	return NULL;
}

static int unknown(const char *name, struct iob_error *err)
{
	const struct iob_engine *guess = near(name);
	char list[256] = "";
	size_t used = 0;

	for (unsigned i = 0; iob_engines[i] && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
			iob_engines[i]->name);
	if (guess)
		return iob_fail_usage(err,
			"ioengine=%.64s: no such engine; did you mean %s? (there are: %s)", name,
			guess->name, list);
	return iob_fail_usage(err, "ioengine=%.64s: no such engine; there are: %s", name, list);
}

int iob_engine_get(const struct iob_engine **out, const char *name, struct iob_error *err)
{
	const struct iob_engine *engine = iob_engine_find(name);

	if (!engine)
		return unknown(name, err);
	int ret = engine->probe(err);
	if (ret < 0)
		return ret;
	*out = engine;
	return 0;
}
