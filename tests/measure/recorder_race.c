/* SPDX-License-Identifier: MIT */
/* Readers copy everything that can be copied while workers push, segments change and the recorder
 * records; at the end the sums are exact.  For ThreadSanitizer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "measure/recorder.h"
#include "tests/support/measure_worker.h"

#define WORKERS 2
#define READERS 2
#define RUN_NS  (1500 * IOB_NS_PER_MS)

static struct iob_recorder *recorder;
static uint64_t t0;
static atomic_uint segment;
static atomic_bool over;
static atomic_uint wrong;

static void *work(void *arg)
{
	struct pretended *w = arg;
	struct iob_rng rng;
	bool last = false;

	iob_rng_seed(&rng, 10, 0);
	while (!last) {
		last = iob_now_ns() > t0 + RUN_NS;
		for (int i = 0; i < 20; i++)
			pretended_io(w, (enum iob_dir)iob_rng_below(&rng, IOB_NDIR), 512,
				1 + iob_rng_below(&rng, 1000000));
		uint32_t k = (uint32_t)((iob_now_ns() - t0) / IOB_INTERVAL_NS);
		while (!pretended_push(w, k, last ? IOB_SAMPLE_LAST : 0) && last)
			iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
		w->acc->segment = atomic_load(&segment);
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
	}
	return NULL;
}

static void *read_all(void *arg)
{
	struct iob_interval *entry = calloc(64, sizeof(*entry));
	struct iob_hist *hist = calloc(IOB_NDIR, sizeof(*hist));
	struct iob_segment_figures figures;
	struct iob_recorder_view view;

	(void)arg;
	while (entry && hist && !atomic_load(&over)) {
		iob_recorder_view(recorder, &view);
		size_t n = iob_recorder_timeline(recorder, 0, entry, 64);
		if (n < view.intervals && n < 64)
			atomic_fetch_add(&wrong, 1);
		iob_recorder_segment_figures(recorder, view.nsegments - 1, &figures);
		iob_recorder_segment_hist(recorder, 0, IOB_READ, &hist[0]);
		iob_recorder_totals(recorder, -1, &figures, hist, NULL);
		if (hist[0].total + hist[1].total + hist[2].total != figures.all.ios)
			atomic_fetch_add(&wrong, 1);
		iob_recorder_totals(recorder, 0, &figures, hist, NULL);
		iob_sleep_until(iob_now_ns() + 2 * IOB_NS_PER_MS);
	}
	free(entry);
	free(hist);
	return NULL;
}

/* On the recorder's own thread, as run/ does it. */
static void change_segment(void *arg)
{
	uint64_t now = iob_now_ns();

	(void)arg;
	if (now > t0 + (atomic_load(&segment) + 1) * 200 * IOB_NS_PER_MS && now < t0 + RUN_NS)
		iob_recorder_segment(
			recorder, atomic_fetch_add(&segment, 1) + 1, 0, IOB_SEGMENT_LOAD, now);
}

static int check(const struct pretended *w)
{
	struct iob_segment_figures total;
	struct iob_interval *entry = calloc(64, sizeof(*entry));
	struct iob_interval sum = {0};
	uint64_t want = 0;

	if (!entry)
		return 1;
	iob_recorder_totals(recorder, -1, &total, NULL, NULL);
	iob_timeline_fold(&sum, entry, iob_recorder_timeline(recorder, 0, entry, 64));
	uint64_t seen = sum.dir[0].ios + sum.dir[1].ios + sum.dir[2].ios;
	for (int i = 0; i < WORKERS; i++)
		for (int d = 0; d < IOB_NDIR; d++)
			want += w[i].ios[d];
	printf("counted %lu, timeline %lu, segments %lu in %u, contradictions %u\n",
		(unsigned long)want, (unsigned long)seen, (unsigned long)total.all.ios,
		atomic_load(&segment) + 1, atomic_load(&wrong));
	free(entry);
	return seen != want || total.all.ios != want || atomic_load(&wrong) != 0;
}

int main(void)
{
	struct iob_ring *rings = pretended_ring(WORKERS);
	struct iob_recorder_config config = {
		.rings = rings, .nrings = WORKERS, .tick = change_segment, .root = ""};
	struct pretended w[WORKERS];
	pthread_t worker[WORKERS], reader[READERS];

	t0 = iob_now_ns();
	if (iob_recorder_new(&recorder, &config, NULL) < 0)
		return 1;
	iob_recorder_begin(recorder, t0);
	iob_recorder_segment(recorder, 0, 0, IOB_SEGMENT_LOAD, t0);
	if (iob_recorder_start(recorder, NULL) < 0)
		return 1;
	for (int i = 0; i < WORKERS; i++) {
		w[i] = pretended_new(&rings[i]);
		if (pthread_create(&worker[i], NULL, work, &w[i]))
			return 1;
	}
	for (int i = 0; i < READERS; i++)
		if (pthread_create(&reader[i], NULL, read_all, NULL))
			return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_join(worker[i], NULL);
	iob_recorder_stop(recorder);
	atomic_store(&over, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(reader[i], NULL);
	iob_recorder_close_segment(recorder, iob_now_ns());
	int rc = check(w);
	iob_recorder_free(recorder);
	for (int i = 0; i < WORKERS; i++)
		free(w[i].acc);
	free(rings);
	return rc;
}
