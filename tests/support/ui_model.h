/* SPDX-License-Identifier: MIT */
/* A model over a run that is made up, with a clock that the test tells. */
#ifndef IOB_TESTS_SUPPORT_UI_MODEL_H
#define IOB_TESTS_SUPPORT_UI_MODEL_H

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>

#include "base/clock.h"
#include "tests/support/ui_source.h"
#include "ui/model.h"

#define START (1000 * IOB_NS_PER_S)

static struct iob_fake fake;
static struct iob_model *m;

static inline void open_model(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	iob_fake_open(&fake);
	fake.now_ms = 10000;
	m = calloc(1, sizeof(*m));
	m->plan = fake.plan;
	m->source = iob_fake_source(&fake);
	iob_model_update(m, START);
}

static inline void close_model(void)
{
	iob_model_free(m);
	free(m);
	iob_fake_close(&fake);
}

static inline uint64_t after_ms(uint64_t ms)
{
	return START + ms * IOB_NS_PER_MS;
}

static inline void settle(uint64_t ms)
{
	iob_model_update(m, after_ms(ms));
	iob_model_update(m, after_ms(ms + 100));
}

static inline void turn_to(enum iob_action action, uint64_t ms)
{
	iob_model_act(m, action, after_ms(ms));
	iob_model_update(m, after_ms(ms + 400));
	fake.now_ms += 1000;
	iob_model_update(m, after_ms(ms + 900));
}

#endif
