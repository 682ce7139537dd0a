/* SPDX-License-Identifier: MIT */
#include "load/pace.h"

#include <math.h>

#include "base/clock.h"

void iob_pace_init(struct iob_pace *p, const struct iob_job *job, uint64_t seed, uint64_t stream)
{
	*p = (struct iob_pace){.process = job->rate_process};
	/* Any stream that the pattern does not use. */
	iob_rng_seed(&p->rng, ~seed, stream);
}

/* units: 1 of I/Os, or a length of bytes. */
static uint64_t random_gap(struct iob_pace *p, uint64_t rate, double units)
{
	/* In (0, 1]: the logarithm is finite. */
	double u = (double)((iob_rng_next(&p->rng) >> 11) + 1) * 0x1p-53;

	return (uint64_t)(-log(u) * 1e9 * units / (double)rate + 0.5);
}

/* mean: what a request is expected to take of the rate. */
static void start_line(struct iob_pace *p, struct iob_pace_line *l, double mean,
	struct iob_pace_share share, uint64_t now_ns)
{
	l->step_ns = l->bytes ? (uint64_t)(mean * 1e9 / (double)l->rate) : IOB_NS_PER_S / l->rate;
	l->step_rest = l->bytes ? 0 : IOB_NS_PER_S % l->rate;
	l->next_ns = now_ns;
	if (p->process == IOB_RATE_POISSON)
		l->next_ns += random_gap(p, l->rate, mean);
	else if (share.workers > 1)
		l->next_ns += l->step_ns * share.worker / share.workers;
}

/* Rates make the mix; but what the mix leaves out is left out, whatever its rate, as in fio. */
static bool is_left_out(const struct iob_live *live, unsigned dir)
{
	bool mixed = iob_rw_does(live->rw, IOB_READ) && iob_rw_does(live->rw, IOB_WRITE);
	uint64_t share = dir == IOB_READ ? live->rwmixread : 100 - live->rwmixread;

	return mixed && share == 0;
}

static double mean_length(const struct iob_live *live, unsigned dir)
{
	return ((double)live->bs[dir].min + (double)live->bs[dir].max) / 2;
}

static struct iob_pace_line line_of(const struct iob_live *live, unsigned dir)
{
	return (struct iob_pace_line){
		.rate = live->rate_iops[dir] ? live->rate_iops[dir] : live->rate_bytes[dir],
		.bytes = live->rate_iops[dir] == 0,
	};
}

/* Requests per second. */
static double pace_of(const struct iob_pace_line *l, double mean)
{
	if (l->rate == 0)
		return HUGE_VAL;
	return l->bytes ? (double)l->rate / mean : (double)l->rate;
}

/* Each write follows its trim, so both go at the slower of the two rates: that of the trims. */
static struct iob_pace_line trimwrite_line(const struct iob_live *live)
{
	struct iob_pace_line trim = line_of(live, IOB_TRIM), write = line_of(live, IOB_WRITE);
	double mean = mean_length(live, IOB_TRIM);

	return pace_of(&write, mean) < pace_of(&trim, mean) ? write : trim;
}

void iob_pace_start(struct iob_pace *p, const struct iob_live *live, struct iob_pace_share share,
	uint64_t now_ns)
{
	p->on = false;
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		struct iob_pace_line *l = &p->line[d];

		p->does[d] = iob_rw_does(live->rw, (enum iob_dir)d) && !is_left_out(live, d);
		*l = line_of(live, d);
		if (iob_rw_is_trimwrite(live->rw)) {
			p->does[d] = d == IOB_TRIM;
			*l = trimwrite_line(live);
		}
		if (!p->does[d])
			l->rate = 0;
		if (l->rate == 0)
			continue;
		start_line(p, l, l->bytes ? mean_length(live, d) : 1, share, now_ns);
		p->on = true;
	}
}

enum iob_dir iob_pace_due(const struct iob_pace *p, uint64_t now_ns)
{
	enum iob_dir best = IOB_NDIR, unbound = IOB_NDIR;

	for (unsigned d = 0; d < IOB_NDIR; d++) {
		const struct iob_pace_line *l = &p->line[d];

		if (!p->does[d])
			continue;
		if (l->rate == 0)
			unbound = (enum iob_dir)d;
		else if (l->next_ns <= now_ns &&
			 (best == IOB_NDIR || l->next_ns < p->line[best].next_ns))
			best = (enum iob_dir)d;
	}
	return best != IOB_NDIR ? best : unbound;
}

/* length * 1e9 / rate and what was left over; length has 32 bits and rate 63, so no sum is too
 * large. */
static void advance(struct iob_pace_line *l, uint32_t length)
{
	uint64_t rest = length % l->rate * IOB_NS_PER_S + l->rest;

	l->next_ns += length / l->rate * IOB_NS_PER_S + rest / l->rate;
	l->rest = rest % l->rate;
}

uint64_t iob_pace_take(struct iob_pace *p, enum iob_dir dir, uint32_t length)
{
	struct iob_pace_line *l = &p->line[dir];
	uint64_t intended = l->next_ns;

	if (l->rate == 0)
		return 0;
	if (p->process == IOB_RATE_POISSON) {
		l->next_ns += random_gap(p, l->rate, l->bytes ? (double)length : 1);
		return intended;
	}
	if (l->bytes) {
		advance(l, length);
		return intended;
	}
	l->next_ns += l->step_ns;
	l->rest += l->step_rest;
	if (l->rest >= l->rate) {
		l->rest -= l->rate;
		l->next_ns++;
	}
	return intended;
}

uint64_t iob_pace_next_ns(const struct iob_pace *p)
{
	uint64_t next = UINT64_MAX;

	for (unsigned d = 0; d < IOB_NDIR; d++)
		if (p->line[d].rate && p->line[d].next_ns < next)
			next = p->line[d].next_ns;
	return next;
}

uint64_t iob_pace_behind_ns(const struct iob_pace *p, uint64_t now_ns)
{
	uint64_t next = iob_pace_next_ns(p);

	return next < now_ns ? now_ns - next : 0;
}
