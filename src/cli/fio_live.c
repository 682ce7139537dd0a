/* SPDX-License-Identifier: MIT */
/* What the live line shows, looked up in the fleet; when it will end is estimated as fio does. */
#include <config.h>

#include <string.h>

#include "base/clock.h"
#include "cli/fio_eta.h"

/* What is known of one clone. */
struct look {
	const struct iob_fleet_clone *clone;
	enum iob_order_state state;
	struct iob_recorder_view view;
	enum iob_phase phase;
	uint64_t region; /* bytes that it covers; 0 = not known */
};

static char letter_of_kind(const struct iob_job *job)
{
	bool random = iob_rw_is_random(job->rw);
	bool reads = iob_job_does(job, IOB_READ), writes = iob_job_does(job, IOB_WRITE);

	if (reads && writes && job->rwmixread > 0 && job->rwmixread < 100)
		return random ? 'm' : 'M';
	if (reads && (!writes || job->rwmixread == 100))
		return random ? 'r' : 'R';
	if (writes)
		return random ? 'w' : 'W';
	return random ? 'd' : 'D';
}

static char letter_of(const struct look *k)
{
	switch (k->state) {
	case IOB_ORDER_WAITING:
	case IOB_ORDER_CANCELLED:
		return 'P';
	case IOB_ORDER_CALLED:
		return k->phase == IOB_PHASE_READY ? 'I' : 'C';
	case IOB_ORDER_READY:
		return 'I';
	case IOB_ORDER_ENDED:
		return k->clone->error.code ? 'X' : '_';
	case IOB_ORDER_RUNNING:
		break;
	}
	if (k->phase == IOB_PHASE_RAMP)
		return '/';
	if (k->phase == IOB_PHASE_DRAINING)
		return 'f';
	return k->phase == IOB_PHASE_FLUSH ? 'F' : letter_of_kind(&k->clone->settings);
}

/* All that it is to move; 0 = not known. */
static uint64_t work_of(const struct look *k)
{
	const struct iob_job *job = &k->clone->settings;
	uint64_t loops = job->ctl.loops ? job->ctl.loops : 1;
	uint64_t bytes = k->region;

	if (job->io_size.bytes)
		bytes = job->io_size.bytes;
	else if (job->io_size.percent_micro)
		bytes = (uint64_t)((double)bytes * (double)job->io_size.percent_micro / 1e8);
	return bytes * loops;
}

static uint64_t eta_by_bytes(const struct look *k, uint64_t elapsed_ns)
{
	uint64_t work = work_of(k), done = k->view.total.all.bytes;

	if (work == 0 || done == 0)
		return UINT64_MAX;
	if (done >= work)
		return 0;
	return (uint64_t)((double)elapsed_ns * ((double)work / (double)done - 1));
}

/* Of one that runs. */
static uint64_t eta_ns(const struct look *k, uint64_t now)
{
	const struct iob_job *job = &k->clone->settings;
	uint64_t elapsed = now - k->clone->released_ns;
	uint64_t limit = job->runtime_ns ? job->ramp_time_ns + job->runtime_ns : UINT64_MAX;
	uint64_t left = UINT64_MAX;

	if (limit != UINT64_MAX)
		left = limit > elapsed ? limit - elapsed : 0;
	if (!job->time_based) {
		uint64_t by_bytes = eta_by_bytes(k, elapsed);

		left = by_bytes < left ? by_bytes : left;
	}
	return left;
}

/* One that has not begun is taken to run as long as it may. */
static uint64_t guess_ns(const struct look *k)
{
	const struct iob_job *job = &k->clone->settings;

	if (k->state == IOB_ORDER_CANCELLED || !job->runtime_ns)
		return 0;
	return job->runtime_ns + job->ramp_time_ns + job->ctl.startdelay_ns;
}

static void look_at(struct look *k, struct iob_fleet *f, unsigned i)
{
	memset(k, 0, sizeof(*k));
	k->clone = &f->clone[i];
	k->state = f->order.member[i].state;
	if (!k->clone->run)
		return;
	k->phase = iob_fleet_phase(f, i, &k->region);
	if (k->state == IOB_ORDER_RUNNING)
		iob_recorder_view(iob_run_recorder(k->clone->run), &k->view);
}

static void add_rates(struct iob_fio_live *l, const struct look *k)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		l->bw[d] += k->view.now.dir[d].bw;
		l->iops[d] += k->view.now.dir[d].iops;
	}
}

static void add_limits(struct iob_fio_live *l, const struct iob_job *job)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		if (!iob_job_does(job, (enum iob_dir)d))
			continue;
		l->rate += job->rate_iops[d] ? 0 : job->ctl.rate[d];
		l->rate_iops += job->rate_iops[d];
	}
}

/* How long until all is over: the longest of what runs, and each that waits at a stonewall. */
struct estimate {
	uint64_t longest_ns, walls_ns;
	bool unknown;
};

static void add_estimate(struct estimate *e, const struct look *k, bool stonewall, uint64_t now)
{
	uint64_t ns = 0;

	if (k->state == IOB_ORDER_RUNNING)
		ns = eta_ns(k, now);
	else if (!(k->state >= IOB_ORDER_ENDED))
		ns = guess_ns(k);
	if (ns == UINT64_MAX)
		e->unknown = true;
	else if (k->state == IOB_ORDER_WAITING && stonewall)
		e->walls_ns += ns;
	else if (ns > e->longest_ns)
		e->longest_ns = ns;
}

void iob_fio_live_look(struct iob_fio_live *l, struct iob_fleet *f, uint64_t now)
{
	struct estimate sum = {0};
	struct look k;

	memset(l, 0, sizeof(*l));
	for (unsigned i = 0; i < f->count; i++) {
		look_at(&k, f, i);
		l->state[i] = letter_of(&k);
		add_estimate(&sum, &k, f->order.member[i].stonewall, now);
		if (k.state != IOB_ORDER_RUNNING)
			continue;
		l->running++;
		l->ramping += k.phase == IOB_PHASE_RAMP;
		l->files += iob_fleet_count_files(k.clone);
		add_rates(l, &k);
		add_limits(l, &k.clone->settings);
	}
	l->elapsed_s = (now - f->begun_ns + IOB_NS_PER_S / 2) / IOB_NS_PER_S;
	l->eta_s = sum.unknown ? IOB_FIO_ETA_UNKNOWN
			       : (sum.longest_ns + sum.walls_ns + IOB_NS_PER_S / 2) / IOB_NS_PER_S;
}
