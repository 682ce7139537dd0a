/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/shared.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "job/cmdprio.h"

/* Room for more workers while the run goes on.  What nobody uses is never touched: it costs address
 * space only. */
#define TUNABLE_TIMES 4
#define TUNABLE_LEAST 64

static uint32_t most_workers(const struct iob_plan *plan)
{
	uint64_t most = 1;

	for (unsigned i = 0; i < plan->nstages; i++)
		if (plan->stage[i].numjobs > most)
			most = plan->stage[i].numjobs;
	if (plan->tunable && most < IOB_MAX_WORKERS) {
		most = most * TUNABLE_TIMES > TUNABLE_LEAST ? most * TUNABLE_TIMES : TUNABLE_LEAST;
		most = most < IOB_MAX_WORKERS ? most : IOB_MAX_WORKERS;
	}
	return (uint32_t)most;
}

static bool has_priorities(const struct iob_plan *plan)
{
	bool wanted = false;

	for (unsigned i = 0; i < plan->nstages; i++)
		wanted |= iob_cmdprio_is_wanted(&plan->stage[i]);
	return plan->detail && wanted;
}

static uint64_t page_align(uint64_t n)
{
	return (n + 4095) & ~UINT64_C(4095);
}

int iob_shared_create(
	struct iob_shared **out, int *out_fd, const struct iob_plan *plan, struct iob_error *err)
{
	uint32_t nslots = most_workers(plan);

	if (nslots > IOB_MAX_WORKERS)
		return iob_fail_usage(err, "numjobs=%u: at most %u", nslots, IOB_MAX_WORKERS);
	uint64_t rings = page_align(sizeof(struct iob_shared));
	uint64_t details = rings + page_align(nslots * sizeof(struct iob_ring));
	uint64_t bytes = details;
	if (plan->detail)
		bytes += page_align(nslots * sizeof(struct iob_detail));
	uint64_t priorities = has_priorities(plan) ? bytes : 0;
	if (priorities)
		bytes += page_align(nslots * sizeof(struct iob_detail_priorities));
	IOB_FD int fd = memfd_create("iotop-bench", MFD_CLOEXEC);

	if (fd < 0)
		return iob_fail(err, -errno, "shared memory for the load process: %m");
	if (ftruncate(fd, (off_t)bytes) != 0)
		return iob_fail(err, -errno, "shared memory of %llu bytes: %m%s",
			(unsigned long long)bytes,
			errno == EFBIG ? " (it counts as a file; raise `ulimit -f`)" : "");
	struct iob_shared *s = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s == MAP_FAILED)
		return iob_fail(err, -errno, "mapping %llu bytes of shared memory: %m",
			(unsigned long long)bytes);
	s->magic = IOB_SHARED_MAGIC;
	s->bytes = bytes;
	s->nslots = nslots;
	s->rings_offset = rings;
	s->details_offset = plan->detail ? details : 0;
	s->priorities_offset = priorities;
	s->front_pid = (int32_t)getpid();
	/* Stages that are not there would cost time and memory. */
	memcpy(&s->plan, plan,
		offsetof(struct iob_plan, stage) + plan->nstages * sizeof(plan->stage[0]));
	atomic_store(&s->steer.stop_at_ns, UINT64_MAX);
	*out = s;
	*out_fd = iob_steal_fd(&fd);
	return 0;
}

int iob_shared_attach(struct iob_shared **out, int fd, struct iob_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return iob_fail(err, -errno, "shared memory: %m");
	if ((uint64_t)st.st_size < sizeof(struct iob_shared))
		return iob_fail(err, -EINVAL, "shared memory: too small");
	struct iob_shared *s =
		mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s == MAP_FAILED)
		return iob_fail(err, -errno, "mapping the shared memory: %m");
	if (s->magic != IOB_SHARED_MAGIC || s->bytes != (uint64_t)st.st_size) {
		munmap(s, (size_t)st.st_size);
		return iob_fail(err, -EINVAL, "shared memory: made by another version");
	}
	*out = s;
	return 0;
}

void iob_shared_unmap(struct iob_shared *s)
{
	if (s)
		munmap(s, s->bytes);
}

uint64_t iob_slot_in_flight(const struct iob_worker_slot *slot)
{
	/* Completed first: it never passes issued, so the difference is never negative. */
	uint64_t back = atomic_load(&slot->completed);
	uint64_t out = atomic_load(&slot->issued);

	return out > back ? out - back : 0;
}

uint64_t iob_shared_in_flight(const struct iob_shared *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nslots && i < IOB_MAX_WORKERS; i++)
		n += iob_slot_in_flight(&s->slot[i]);
	return n;
}
