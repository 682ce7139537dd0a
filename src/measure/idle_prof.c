/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/idle_prof.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "measure/running.h"

#define CACHELINE     64
#define PAGE          4096
#define TRIALS        10
#define TRIAL_NS      IOB_NS_PER_MS
#define UNITS_AT_ONCE 16 /* between two looks at the thread's clock */

enum phase { CALIBRATING, WAITING, COUNTING, STOPPED };

struct spinner {
	alignas(CACHELINE) _Atomic uint64_t units; /* the thread writes, anybody reads */
	uint64_t before_ns;                        /* CPU time of the thread at the start */
	double idle_ns;                            /* at the stop */
	unsigned cpu;
	int error;      /* once it is calibrated, constant */
	double unit_ns; /* likewise */
	struct iob_idle_prof *prof;
	pthread_t thread;
	unsigned char page[PAGE];
};

struct iob_idle_prof {
	pthread_mutex_t lock; /* what is in this block */
	pthread_cond_t changed;
	unsigned calibrated;
	enum phase phase;

	_Atomic bool stop;
	uint64_t begin_ns, end_ns; /* the owner's; 0 = not yet */
	struct iob_idleness figures;
	struct iob_idle_cpu *cpu;
	unsigned started; /* threads to join */
	unsigned n;
	struct spinner spinner[];
};

static void do_unit(volatile unsigned char *page)
{
	for (unsigned i = 0; i < PAGE; i++)
		page[i]++;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * IOB_NS_PER_S + (uint64_t)ts.tv_nsec;
}

static uint64_t cpu_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t cpu_ns_of(const struct spinner *s)
{
	clockid_t clock;

	return pthread_getcpuclockid(s->thread, &clock) == 0 ? read_clock(clock) : 0;
}

static double try_unit(struct spinner *s)
{
	uint64_t begin = cpu_ns(), spent = 0;
	unsigned units = 0;

	while (spent < TRIAL_NS) {
		for (unsigned i = 0; i < UNITS_AT_ONCE; i++)
			do_unit(s->page);
		units += UNITS_AT_ONCE;
		spent = cpu_ns() - begin;
	}
	return (double)spent / units;
}

/* What disturbs a trial only makes it longer. */
static void calibrate(struct spinner *s)
{
	for (unsigned i = 0; i < TRIALS; i++) {
		double ns = try_unit(s);

		if (i == 0 || ns < s->unit_ns)
			s->unit_ns = ns;
	}
}

static int bind_to_cpu(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static int make_idle(void)
{
	const struct sched_param param = {0};

	return pthread_setschedparam(pthread_self(), SCHED_IDLE, &param);
}

/* False if it is over before it began. */
static bool await_start(struct spinner *s)
{
	struct iob_idle_prof *p = s->prof;

	pthread_mutex_lock(&p->lock);
	p->calibrated++;
	pthread_cond_broadcast(&p->changed);
	while (p->phase < COUNTING)
		pthread_cond_wait(&p->changed, &p->lock);
	bool counts = p->phase == COUNTING;
	pthread_mutex_unlock(&p->lock);
	return counts && s->error == 0;
}

static void *spin(void *arg)
{
	struct spinner *s = arg;
	struct iob_idle_prof *p = s->prof;
	uint64_t units = 0;

	pthread_setname_np(pthread_self(), "iob-idle");
	s->error = bind_to_cpu(s->cpu);
	if (s->error == 0)
		calibrate(s);
	if (s->error == 0)
		s->error = make_idle();
	if (!await_start(s))
		return NULL;
	while (!atomic_load_explicit(&p->stop, memory_order_relaxed)) {
		do_unit(s->page);
		atomic_store_explicit(&s->units, ++units, memory_order_relaxed);
	}
	return NULL;
}

static void set_phase(struct iob_idle_prof *p, enum phase phase)
{
	pthread_mutex_lock(&p->lock);
	p->phase = phase;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static int allocate(struct iob_idle_prof **out, const cpu_set_t *set, struct iob_error *err)
{
	unsigned n = (unsigned)CPU_COUNT(set), k = 0;
	size_t size = sizeof(struct iob_idle_prof) + n * sizeof(struct spinner);
	struct iob_idle_prof *p = aligned_alloc(CACHELINE, size);
	struct iob_idle_cpu *cpu = calloc(n, sizeof(*cpu));

	if (!p || !cpu) {
		free(p);
		free(cpu);
		return iob_fail(err, -ENOMEM, "idle-prof: no memory for %u CPUs", n);
	}
	*p = (struct iob_idle_prof){.n = n, .cpu = cpu};
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	for (unsigned i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, set))
			continue;
		cpu[k].number = i;
		p->spinner[k++] = (struct spinner){.cpu = i, .prof = p};
	}
	*out = p;
	return 0;
}

/* Signals are for the thread that owns the terminal. */
static int start_threads(struct iob_idle_prof *p)
{
	sigset_t all, old;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (unsigned i = 0; i < p->n && rc == 0; i++) {
		rc = pthread_create(&p->spinner[i].thread, NULL, spin, &p->spinner[i]);
		p->started += rc == 0;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

static int await_calibration(struct iob_idle_prof *p, struct iob_error *err)
{
	pthread_mutex_lock(&p->lock);
	while (p->calibrated < p->started)
		pthread_cond_wait(&p->changed, &p->lock);
	p->phase = WAITING;
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->n; i++)
		if (p->spinner[i].error)
			return iob_fail(err, -p->spinner[i].error,
				"idle-prof: a thread of the lowest priority on CPU %u: %m",
				p->spinner[i].cpu);
	return 0;
}

int iob_idle_prof_new(struct iob_idle_prof **out, struct iob_error *err)
{
	struct iob_idle_prof *p = NULL;
	cpu_set_t set;

	*out = NULL;
	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return iob_fail(err, -errno, "idle-prof: which CPUs there are: %m");
	int rc = allocate(&p, &set, err);
	if (rc < 0)
		return rc;
	rc = start_threads(p);
	if (rc != 0)
		rc = iob_fail(err, -rc,
			"idle-prof: cannot make a thread for each of %u CPUs: %m (the limits are "
			"ulimit -u and pids.max of the control group)",
			p->n);
	else
		rc = await_calibration(p, err);
	if (rc < 0) {
		iob_idle_prof_free(p);
		return rc;
	}
	*out = p;
	return 0;
}

void iob_idle_prof_start(struct iob_idle_prof *p)
{
	for (unsigned i = 0; i < p->n; i++)
		p->spinner[i].before_ns = cpu_ns_of(&p->spinner[i]);
	p->begin_ns = iob_now_ns();
	set_phase(p, COUNTING);
}

/* Work says more than time: what interrupts and a neighbour on the same core take is not in it.
 * But a unit that was measured in a slow moment must not make more of it than the time. */
static double idle_ns(const struct spinner *s)
{
	double got = (double)(cpu_ns_of(s) - s->before_ns);
	double work = (double)atomic_load_explicit(&s->units, memory_order_relaxed) * s->unit_ns;

	return work < got ? work : got;
}

void iob_idle_prof_stop(struct iob_idle_prof *p)
{
	if (p->begin_ns == 0 || p->end_ns)
		return;
	p->end_ns = iob_now_ns();
	for (unsigned i = 0; i < p->n; i++)
		p->spinner[i].idle_ns = idle_ns(&p->spinner[i]);
	atomic_store(&p->stop, true);
}

void iob_idle_prof_free(struct iob_idle_prof *p)
{
	const struct sched_param param = {0};

	if (!p)
		return;
	atomic_store(&p->stop, true);
	set_phase(p, STOPPED);
	for (unsigned i = 0; i < p->started; i++) {
		/* On a busy CPU it would be long before its turn to end. */
		pthread_setschedparam(p->spinner[i].thread, SCHED_OTHER, &param);
		pthread_join(p->spinner[i].thread, NULL);
	}
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	free(p->cpu);
	free(p);
}

static double idle_of(const struct iob_idle_prof *p, const struct spinner *s)
{
	uint64_t end = p->end_ns ? p->end_ns : iob_now_ns();

	if (p->begin_ns == 0 || end <= p->begin_ns)
		return 0;
	double share = 100 * (p->end_ns ? s->idle_ns : idle_ns(s)) / (double)(end - p->begin_ns);
	return share < 100 ? share : 100;
}

const struct iob_idleness *iob_idle_prof_read(struct iob_idle_prof *p)
{
	struct iob_running unit = {0};
	double sum = 0;

	for (unsigned i = 0; i < p->n; i++) {
		p->cpu[i].idle = idle_of(p, &p->spinner[i]);
		sum += p->cpu[i].idle;
		iob_running_add(&unit, p->spinner[i].unit_ns / 1e3);
	}
	p->figures = (struct iob_idleness){
		.system = sum / p->n,
		.unit_mean_us = unit.mean,
		.unit_stddev_us = iob_running_dev(unit.n, unit.m2),
		.ncpus = p->n,
		.cpu = p->cpu,
	};
	return &p->figures;
}
