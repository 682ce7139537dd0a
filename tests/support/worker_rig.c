/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/support/worker_rig.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define PATIENCE_NS (30 * IOB_NS_PER_S)

static void *new_shared(size_t size)
{
	size_t bytes = (size + 63) / 64 * 64;
	void *p = aligned_alloc(64, bytes);

	if (!p)
		abort();
	memset(p, 0, bytes);
	return p;
}

void rig_init(struct rig *r, uint32_t rw, uint64_t size, unsigned iodepth)
{
	memset(r, 0, sizeof(*r));
	r->job.rw = rw;
	r->job.iodepth = iodepth;
	r->job.numjobs = 1;
	r->job.rwmixread = 50;
	r->job.iodepth_batch_complete = 1;
	r->job.time_based = r->job.scramble_buffers = true;
	r->job.fixedbufs = r->job.registerfiles = true;
	for (unsigned d = 0; d < IOB_NDIR; d++)
		r->job.bs[d] = (struct iob_range){4096, 4096};
	r->target.fd = -1;
	r->target.size = size;
	r->targets.item = &r->target;
	r->targets.count = 1;
	r->region = (struct iob_region){.size = size};
	r->steer = new_shared(sizeof(*r->steer));
	r->slot = new_shared(sizeof(*r->slot));
	r->ring = new_shared(sizeof(*r->ring));
	atomic_store(&r->steer->stop_at_ns, UINT64_MAX);
	pthread_barrier_init(&r->barrier, NULL, 2);
}

int rig_start(
	struct rig *r, const struct iob_engine *engine, unsigned capacity, struct iob_error *err)
{
	struct iob_worker_config config = {
		.job = &r->job,
		.engine = engine,
		.targets = &r->targets,
		.regions = &r->region,
		.nregions = 1,
		.number = 0,
		.capacity = capacity,
		.seed = 42,
		.steer = r->steer,
		.slot = r->slot,
		.ring = r->ring,
		.start = &r->barrier,
		.detail = r->detail,
		.log = r->log,
		.log_place = r->log_place,
	};

	iob_live_from_job(&r->steer->live, &r->job);
	int ret = iob_worker_new(&r->worker, &config, err);
	if (ret == 0)
		ret = iob_worker_start(r->worker, err);
	if (ret < 0)
		return ret;
	atomic_store(&r->steer->t0_ns, iob_now_ns());
	pthread_barrier_wait(&r->barrier);
	return 0;
}

static void wake(struct rig *r)
{
	syscall(SYS_futex, &r->steer->generation, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void rig_adopt(struct rig *r, const struct iob_live *live)
{
	r->steer->live = *live;
	atomic_fetch_add(&r->steer->generation, 1);
	wake(r);
}

/* A test that waits for ever is killed here, with a core that shows where. */
static void patience(uint64_t since)
{
	if (iob_now_ns() - since > PATIENCE_NS)
		abort();
	usleep(200);
}

void rig_wait_acked(struct rig *r)
{
	uint64_t since = iob_now_ns();

	while (atomic_load(&r->slot->acked) != atomic_load(&r->steer->generation)) {
		rig_read(r);
		patience(since);
	}
}

void rig_wait_completed(struct rig *r, uint64_t n)
{
	uint64_t since = iob_now_ns();

	while (atomic_load(&r->slot->completed) < n) {
		rig_read(r);
		patience(since);
	}
}

static void add(struct rig_sum *to, const struct iob_sample *s)
{
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		struct iob_dir_counts *a = &to->dir[d];
		const struct iob_dir_counts *b = &s->dir[d];

		a->ios += b->ios;
		a->bytes += b->bytes;
		a->sum_ns += b->sum_ns;
		a->issued += b->issued;
		a->shorts += b->shorts;
		a->zeros += b->zeros;
		a->errors += b->errors;
		iob_moments_add(&to->intended[d], &s->intended[d]);
	}
	to->behind_ns = s->behind_ns;
	to->syncs += s->syncs;
	to->samples++;
}

static void count(struct iob_hist *h, const struct iob_sample_entry *e, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		h->count[e[i].index] += e[i].count;
		h->total += e[i].count;
	}
}

static uint64_t total_of(const struct iob_sample_entry *e, unsigned n)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < n; i++)
		total += e[i].count;
	return total;
}

static void take(struct rig *r, const struct iob_popped *p)
{
	const struct iob_sample *s = &p->head;
	struct rig_sum *sum = &r->segment[s->segment % RIG_SEGMENTS];
	const struct iob_sample_entry *e = p->entry;

	add(sum, s);
	count(&r->lat, e, s->n_entries[IOB_READ]);
	for (unsigned i = 0; i < IOB_NHIST; e += s->n_entries[i++]) {
		if (i == IOB_NDIR + IOB_READ)
			count(&r->intended, e, s->n_entries[i]);
		if (i < IOB_NDIR)
			sum->hist_total[i] += total_of(e, s->n_entries[i]);
		else
			sum->intended_total[i - IOB_NDIR] += total_of(e, s->n_entries[i]);
	}
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		r->ios_in[s->interval % RIG_INTERVALS] += s->dir[d].ios;
		r->merged_ios += s->intervals > 1 ? s->dir[d].ios : 0;
	}
	for (uint32_t i = 0; i < s->intervals; i++)
		r->covered[(s->interval - i) % RIG_INTERVALS]++;
	r->samples++;
	r->merged += s->intervals > 1;
	r->last_samples += (s->flags & IOB_SAMPLE_LAST) != 0;
	r->cpu_ns += s->cpu_ns;
	r->last_interval = s->interval;
}

void rig_read(struct rig *r)
{
	while (iob_ring_pop(r->ring, &r->popped))
		take(r, &r->popped);
}

void rig_stop(struct rig *r)
{
	atomic_store(&r->steer->stop, 1);
	wake(r);
}

void rig_finish(struct rig *r)
{
	uint64_t since = iob_now_ns();

	while (atomic_load(&r->slot->state) != IOB_WORKER_ENDED) {
		rig_read(r);
		patience(since);
	}
	iob_worker_join(r->worker);
	rig_read(r);
}

void rig_free(struct rig *r)
{
	iob_worker_free(r->worker);
	pthread_barrier_destroy(&r->barrier);
	free(r->steer);
	free(r->slot);
	free(r->ring);
}

uint64_t rig_total(const struct rig *r, enum iob_dir dir)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < RIG_SEGMENTS; i++)
		total += r->segment[i].dir[dir].ios;
	return total;
}
