/* SPDX-License-Identifier: MIT */
/* One writer and one reader on a ring at full speed: every count arrives, once.  For
 * ThreadSanitizer, and without it for the machine's own ordering. */
#include <pthread.h>
#include <stdio.h>

#include "base/rng.h"
#include "tests/support/measure_worker.h"

#define SAMPLES 20000

static struct pretended worker;

static void *writer(void *arg)
{
	struct iob_rng rng;
	uint32_t k = 0;

	(void)arg;
	iob_rng_seed(&rng, 9, 0);
	while (k < SAMPLES) {
		for (uint64_t i = iob_rng_below(&rng, 30); i > 0; i--)
			pretended_io(&worker, (enum iob_dir)iob_rng_below(&rng, IOB_NDIR), 512,
				iob_rng_next(&rng) >> (20 + iob_rng_below(&rng, 44)));
		k += pretended_push(&worker, k, 0);
	}
	while (!pretended_push(&worker, k, IOB_SAMPLE_LAST))
		;
	return NULL;
}

int main(void)
{
	static struct iob_popped popped;
	struct iob_ring *ring = pretended_ring(1);
	uint64_t ios = 0, entries = 0, want = 0;
	uint32_t next = 0;
	pthread_t thread;

	worker = pretended_new(ring);
	if (pthread_create(&thread, NULL, writer, NULL))
		return 1;
	do {
		if (!iob_ring_pop(ring, &popped))
			continue;
		uint32_t n = 0;
		if (popped.head.interval != next++) {
			printf("sample %u came as number %u\n", popped.head.interval, next - 1);
			return 1;
		}
		for (int d = 0; d < IOB_NDIR; d++) {
			ios += popped.head.dir[d].ios;
			n += popped.head.n_entries[d];
		}
		for (uint32_t i = 0; i < n; i++)
			entries += popped.entry[i].count;
	} while (next == 0 || !(popped.head.flags & IOB_SAMPLE_LAST));
	pthread_join(thread, NULL);
	for (int d = 0; d < IOB_NDIR; d++)
		want += worker.ios[d];
	printf("%lu I/Os in %u samples, %lu pushes refused; read %lu, by histogram %lu\n",
		(unsigned long)want, next, (unsigned long)ring->refused, (unsigned long)ios,
		(unsigned long)entries);
	free(worker.acc);
	free(ring);
	return ios != want || entries != want || want == 0;
}
