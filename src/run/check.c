/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/detach.h"
#include "load/engine.h"
#include "run/private.h"

struct answer {
	_Atomic uint32_t complete; /* announces the inspection */
	struct iob_inspection inspection;
};

static void ask(struct answer *a, const struct iob_plan *plan, int alive)
{
	/* Its end closes with us: that is what the front waits for. */
	(void)iob_detach(alive);
	iob_target_inspect(&a->inspection, plan, &plan->stage[0]);
	atomic_store_explicit(&a->complete, 1, memory_order_release);
	_exit(0);
}

/* Until the child has closed its end, or the deadline. */
static void wait_for(int in, uint64_t deadline_ns)
{
	uint64_t until = iob_monotonic_ns() + deadline_ns;
	struct pollfd p = {.fd = in, .events = POLLIN};

	for (;;) {
		uint64_t now = iob_monotonic_ns();
		int rc = now < until ? poll(&p, 1, (int)((until - now) / IOB_NS_PER_MS) + 1) : 0;

		if (rc == 0 || (rc < 0 && errno != EINTR) || rc > 0)
			return;
	}
}

static int inspect(
	struct answer *a, const struct iob_plan *plan, uint64_t deadline_ns, struct iob_error *err)
{
	int ends[2], status = 0;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return iob_fail(err, -errno, "check: %m");
	pid_t pid = fork();
	if (pid < 0) {
		int rc = iob_fail(err, -errno, "check: %m");

		close(ends[0]);
		close(ends[1]);
		return rc;
	}
	if (pid == 0)
		ask(a, plan, ends[1]);
	close(ends[1]);
	wait_for(ends[0], deadline_ns);
	close(ends[0]);
	bool complete = atomic_load_explicit(&a->complete, memory_order_acquire) != 0;
	if (!complete)
		kill(pid, SIGKILL);
	/* One that hangs in the kernel is left to init. */
	uint64_t until = iob_monotonic_ns() + 100 * IOB_NS_PER_MS;
	while (waitpid(pid, &status, WNOHANG) == 0 && iob_monotonic_ns() < until)
		usleep(1000);
	if (complete)
		return 0;
	return iob_fail(err, -ETIMEDOUT,
		"%s gave no answer within %.0f s: it hangs, or its driver does (dmesg tells more)",
		plan->stage[0].filename[0] ? plan->stage[0].filename : plan->stage[0].directory,
		(double)deadline_ns / 1e9);
}

static void judge(struct iob_check *check, const struct iob_job *job)
{
	const struct iob_inspection *t = &check->target;
	struct iob_segment_figures nothing = {0};
	struct iob_verdict_facts f = {.total = &nothing, .before = true};

	iob_facts_of_target(&f, &t->info, job);
	iob_facts_of_cpus(&f, &check->cpu, t->info.facts.numa_node);
	iob_facts_of_cgroup(&f, &check->cgroup);
	f.has_disk = t->info.has_disk;
	if (job->iodepth > 1 && iob_engine_is_one_deep(job))
		snprintf(f.one_deep, sizeof(f.one_deep), "%s", job->ioengine);
	iob_verdict(&check->warnings, &f);
}

int iob_check_run(struct iob_check *check, const struct iob_plan *plan, uint64_t deadline_ns,
	struct iob_error *err)
{
	const struct iob_job *job = &plan->stage[0];
	struct answer *a =
		mmap(NULL, sizeof(*a), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*check = (struct iob_check){.writes = iob_job_modifies(job)};
	if (a == MAP_FAILED)
		return iob_fail(err, -ENOMEM, "check: %m");
	int rc = inspect(a, plan, deadline_ns, err);
	if (rc == 0) {
		check->target = a->inspection;
		const struct iob_target_info *info = &check->target.info;
		iob_cpufacts_read(&check->cpu, "", job->cpus_allowed, info->facts.numa_node);
		iob_cgroup_read(&check->cgroup, "", info->major, info->minor);
		if (check->target.kind != IOB_INSPECTED_NOTHING)
			judge(check, job);
	}
	munmap(a, sizeof(*a));
	return rc;
}
