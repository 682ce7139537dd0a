/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <string.h>

#include "base/clock.h"
#include "job/param_value.h"

static uint64_t clamp(uint64_t value, uint64_t min, uint64_t max)
{
	return value < min ? min : value > max ? max : value;
}

/* The next power of two above or below; 0 lies below 1. */
static uint64_t power_step(uint64_t value, int direction)
{
	if (direction > 0) {
		if (value == 0)
			return 1;
		int top = 63 - __builtin_clzll(value);
		return top == 63 ? UINT64_MAX : UINT64_C(2) << top;
	}
	if (value <= 1)
		return 0;
	return UINT64_C(1) << (63 - __builtin_clzll(value - 1));
}

/* One by one while that is a large step, then by powers of two. */
static uint64_t ones_step(uint64_t value, int direction)
{
	const uint64_t few = 8;

	if (direction > 0)
		return value < few ? value + 1 : power_step(value, direction);
	return value <= few ? value - (value > 0) : power_step(value, direction);
}

static uint64_t linear_step(uint64_t value, uint64_t step, int direction)
{
	if (direction > 0)
		return (value / step + 1) * step;
	return value == 0 ? 0 : (value - 1) / step * step;
}

/* Seconds near the start, ten seconds beyond. */
static uint64_t time_step(uint64_t value, int direction)
{
	uint64_t border = 10 * IOB_NS_PER_S;
	bool coarse = direction > 0 ? value >= border : value > border;

	return linear_step(value, coarse ? border : IOB_NS_PER_S, direction);
}

static bool store(uint64_t *field, uint64_t value)
{
	bool changed = *field != value;

	*field = value;
	return changed;
}

/* A range that cannot move as a whole stays where it is. */
static bool step_range(struct iob_range *r, const struct iob_param *p, int direction)
{
	struct iob_range next = {power_step(r->min, direction), power_step(r->max, direction)};

	if (next.min < p->min || next.max > p->max)
		return false;
	*r = next;
	return true;
}

static bool step_ranges(struct iob_range *r, const struct iob_param *p, int direction)
{
	const int n = p->flags & IOB_PF_SPLIT ? IOB_NDIR : 1;
	bool changed = false;

	for (int i = 0; i < n; i++)
		changed |= step_range(&r[i], p, direction);
	return changed;
}

/* Up by a tenth, and down so that a step up leads back.  Down never ends in 0, which would be no
 * limit at all. */
static uint64_t rate_step(uint64_t value, int direction)
{
	const uint64_t first = 100;
	uint64_t part = direction > 0 ? value / 10 : (value + 10) / 11;

	if (value == 0)
		return direction > 0 ? first : 0;
	if (part == 0)
		part = 1;
	if (direction > 0)
		return value + part;
	return value > part ? value - part : value;
}

/* Directions without a rate stay without one, if any has one. */
static bool step_rates(uint64_t *rate, const struct iob_param *p, int direction)
{
	bool any = false, changed = false;

	for (int i = 0; i < IOB_NDIR; i++)
		any |= rate[i] != 0;
	for (int i = 0; i < IOB_NDIR; i++)
		if (rate[i] || !any)
			changed |= store(
				&rate[i], clamp(rate_step(rate[i], direction), p->min, p->max));
	return changed;
}

static bool step_percent(uint64_t *field, const struct iob_param *p, int direction)
{
	bool complement = p->flags & IOB_PF_COMPLEMENT;
	uint64_t shown = complement ? 100 - *field : *field;

	shown = clamp(linear_step(shown, 5, direction), p->min, p->max);
	return store(field, complement ? 100 - shown : shown);
}

static bool step_amount(struct iob_amount *a, const struct iob_param *p, int direction)
{
	const uint64_t five = 5000000;

	if (a->percent_micro != 0)
		return store(&a->percent_micro,
			clamp(linear_step(a->percent_micro, five, direction), five, 20 * five));
	if (a->bytes == 0)
		return false;
	return store(
		&a->bytes, clamp(power_step(a->bytes, direction), p->min > 0 ? p->min : 1, p->max));
}

/* To the neighbour with another value: a value may have several names. */
static bool step_choice(uint32_t *field, const struct iob_param *p, int direction)
{
	const struct iob_param_choice *c = p->choices;
	const struct iob_param_choice *last = NULL;

	for (; c->name && c->value != *field; c++)
		last = c;
	if (direction > 0) {
		while (c->name && c->value == *field)
			c++;
		last = c->name ? c : NULL;
	}
	/* A second name for an earlier value, at the end of the list, is no step. */
	if (!last || (direction > 0 && last->value < *field))
		return false;
	*field = last->value;
	return true;
}

/* A span becomes one time. */
static bool step_time(uint64_t *field, const struct iob_param *p, int direction)
{
	bool changed = store(field, clamp(time_step(*field, direction), p->min, p->max));

	if (p->flags & IOB_PF_SPAN)
		field[1] = field[0];
	return changed;
}

static bool step_bool(bool *field, const struct iob_param *p, int direction)
{
	bool wanted = (direction > 0) != ((p->flags & IOB_PF_COMPLEMENT) != 0);
	bool changed = *field != wanted;

	*field = wanted;
	return changed;
}

static bool step(struct iob_job *job, const struct iob_param *p, int direction)
{
	void *field = iob_param_field_rw(job, p);
	uint64_t *number = field;

	switch (p->type) {
	case IOB_P_BOOL:
		return step_bool(field, p, direction);
	case IOB_P_UINT:
		if (p->flags & IOB_PF_SPLIT)
			return step_rates(number, p, direction);
		if (p->flags & IOB_PF_ONES)
			return store(number, clamp(ones_step(*number, direction), p->min, p->max));
		return store(number, clamp(power_step(*number, direction), p->min, p->max));
	case IOB_P_BYTES:
		return store(number, clamp(power_step(*number, direction), p->min, p->max));
	case IOB_P_TIME:
		return step_time(number, p, direction);
	case IOB_P_PERCENT:
		return step_percent(field, p, direction);
	case IOB_P_RANGE:
		return step_ranges(field, p, direction);
	case IOB_P_AMOUNT:
		return step_amount(field, p, direction);
	case IOB_P_CHOICE:
		if (!step_choice(field, p, direction))
			return false;
		/* What stood behind the colon belonged to the other word. */
		if (p->suffix_of)
			*iob_param_suffix(job, p) = 0;
		return true;
	case IOB_P_TEXT:
		break;
	}
	return false;
}

bool iob_param_step(struct iob_job *job, const struct iob_param *p, int direction)
{
	bool changed = step(job, p, direction);

	if (changed && p->settle)
		p->settle(job);
	if (changed)
		iob_param_mark_given(job, p);
	return changed;
}
