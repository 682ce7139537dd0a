/* SPDX-License-Identifier: MIT */
/* What the files of the worker share: set-up (worker.c), the loops (worker_loop.c, and
 * worker_detail.c with fio's statistics), what they do seldom (worker_seldom.c, worker_gap.c),
 * taking over live parameters (worker_adopt.c) and the samples (worker_sample.c). */
#ifndef IOB_LOAD_WORKER_PRIVATE_H
#define IOB_LOAD_WORKER_PRIVATE_H

#include <stdalign.h>
#include <stdbool.h>

#include "job/tolerance.h"
#include "load/buffer.h"
#include "load/pace.h"
#include "load/priority.h"
#include "load/worker.h"
#include "load/worker_detail.h"

/*
 * Requests per submission unless iodepth_batch= says otherwise.  A device begins with the first of
 * a batch when the last has been prepared (the block layer plugs the whole of it): on a virtio disk
 * at depth 32 batches of 32 had 20 % more latency and 10 to 20 % fewer IOPS than batches of 8,
 * which did as well as single ones.  Where requests are complete when they have been submitted
 * (page cache, null) a larger batch only saves calls: see IOB_WORKER_WHOLE_TURNS.
 */
#define IOB_WORKER_BATCH       8
/* After a batch that came back complete, so many turns with all free slots in one batch. */
#define IOB_WORKER_WHOLE_TURNS 64

/* After so many failures without a success between them submissions are slowed down. */
#define IOB_WORKER_STORM 64

struct iob_worker_storm {
	uint64_t mark;     /* `completed` when it was looked at last */
	uint64_t failures; /* since then */
	uint64_t in_a_row;
	uint64_t pause_ns, until_ns;
};

#define IOB_NSYNCS 3 /* IOB_OP_FSYNC and those after it */

/* Counted in writes issued; UINT64_MAX stands for never and does not reach zero. */
struct iob_sync_clock {
	uint64_t until; /* writes until the nearest sync is due */
	uint64_t step;  /* what `until` was at the last one */
	uint64_t left[IOB_NSYNCS];
	uint64_t from, to; /* bytes written since the last sync_file_range */
	bool ranges;       /* that is wanted */
	uint16_t file;     /* of the last write; what a sync is for */
};

void iob_sync_clock_start(struct iob_sync_clock *, const struct iob_job *);
/* `until` is 0: make the sync of the request.  Others may be due at once: `until` is 0 again. */
void iob_sync_clock_take(struct iob_sync_clock *, const struct iob_job *, struct iob_req *);

struct iob_worker {
	/* What each turn of the loop touches. */
	alignas(IOB_CACHELINE) const struct iob_engine *engine;
	void *state;
	const struct iob_steer *steer;
	struct iob_worker_slot *slot;
	struct iob_req **idle; /* stack of requests that are not in flight */
	unsigned nidle;
	unsigned capacity;
	unsigned depth;
	unsigned in_flight;
	unsigned in_flight_of[2]; /* by parity of the segment */
	uint32_t generation;      /* of the parameters in force = segment */
	bool ending;              /* submit nothing more, leave when all is back */
	bool holding;             /* submit nothing until new parameters are adopted */
	bool paused;
	bool dry;             /* nothing to submit before a trim has come back */
	bool slowed;          /* after too many failures in a row: submit nothing for a while */
	bool paced;           /* requests go out by the schedule in `pace` */
	unsigned paced_out;   /* in flight, with an intended time */
	bool stamp;           /* what content.stamp says */
	bool one_by_one;      /* one read at a time, ready as soon as the one before is back */
	uint64_t looked_ns;   /* the clock when that one came back; 0 = look again */
	uint64_t boundary_ns; /* end of the current interval */
	uint64_t issued, completed;
	uint64_t stamps;   /* blocks that were stamped */
	uint64_t left_ios; /* of number_ios */
	uint64_t batch;    /* most requests per queue() */
	bool adaptive;     /* nobody has set it */
	unsigned whole;    /* turns for which all free slots are filled at once */
	unsigned complete; /* fewest completions to wait for */
	struct iob_sync_clock syncs;

	struct iob_req **batched, **done;
	struct iob_pattern pattern;
	struct iob_pace pace;
	struct iob_priorities *priorities; /* NULL = all as the thread */
	struct iob_accumulator *acc;       /* two, by parity */

	struct iob_worker_detail detail;

	struct iob_content content;
	struct iob_tolerance tolerance;
	struct iob_worker_storm storm;

	/* Boundaries and segments. */
	uint64_t t0_ns;
	uint32_t interval;         /* the current one */
	uint32_t from[2];          /* first interval that the accumulator's content may belong to */
	uint64_t cpu_ns;           /* CPU time that samples have reported */
	uint64_t parts;            /* numjobs for which `regions` was copied */
	uint64_t minded_ns;        /* gaps that begin before this are dealt with */
	uint64_t behind_before_ns; /* how late the schedule was when the segment changed */
	struct iob_live live;

	/* Set-up. */
	struct iob_req *reqs;
	struct iob_arena arena;
	struct iob_region *regions;
	struct iob_worker_config config;
	struct iob_error error;
	void *locked;
	bool opened, joinable;
	bool own_table; /* of descriptors */
	pthread_t thread;
};

/* From the opened barrier to the last sample. */
void iob_worker_loop(struct iob_worker *);
/* The part of it until nothing is in flight any more, with detailed statistics. */
void iob_worker_detail_turns(struct iob_worker *);
void iob_worker_detail_init(struct iob_worker *);
/* Measuring begins: at the start, and again when the ramp is over. */
void iob_worker_detail_begin(struct iob_worker *, uint64_t now_ns);
/* Tell what the thread has used since then. */
void iob_worker_detail_usage(struct iob_worker *, uint64_t now_ns);

/* A request failed: counted, and let pass or the end of the worker.  True if it was let pass. */
bool iob_worker_fail(struct iob_worker *, const struct iob_req *);
/* While submissions are slowed down: when to look again, `until_ns` at the latest. */
uint64_t iob_worker_slowed_until(struct iob_worker *, uint64_t now_ns, uint64_t until_ns);
/* The engine is broken. */
void iob_worker_fail_engine(struct iob_worker *, int code);
/* Trims among the n finished requests are told to the pattern. */
void iob_worker_tell_trimmed(struct iob_worker *, unsigned n);
/* The n finished requests again, from their intended times. */
void iob_worker_account_intended(struct iob_worker *, unsigned n, uint64_t now_ns);
/* Until then or the end of the run, or until the controller wakes us. */
void iob_worker_wait_idle(
	struct iob_worker *, uint32_t generation, uint64_t now_ns, uint64_t until_ns);

/* Does it do nothing under these parameters? */
bool iob_worker_is_idle(const struct iob_worker *, const struct iob_live *);
/* How many requests this engine may have in flight. */
unsigned iob_worker_depth(const struct iob_worker *, uint64_t iodepth);
/* These parameters are in force from now on. */
void iob_worker_take_live(struct iob_worker *, const struct iob_live *);
/* Give each request its part of the arena. */
void iob_worker_assign_buffers(struct iob_worker *);
/* Start the schedules anew under these parameters. */
void iob_worker_pace(struct iob_worker *, const struct iob_live *, uint64_t now_ns);
/* Look at a new parameter set; adopt it now if what is in flight allows, else hold if need be. */
void iob_worker_adopt(struct iob_worker *);

void iob_worker_grid_start(struct iob_worker *);
/* now_ns has reached boundary_ns: push what belongs to the intervals that have ended.  Returns the
 * time, which is another one if the clock was found to be wrong. */
uint64_t iob_worker_cross_boundary(struct iob_worker *, uint64_t now_ns);
/* It is long after boundary_ns: if the process did not run, that is no latency. */
void iob_worker_mind_gaps(struct iob_worker *, uint64_t now_ns);
/* How late the schedule is, up to the end of the run: what drains after it makes nothing later. */
uint64_t iob_worker_behind_ns(const struct iob_worker *);
/* Push what an accumulator holds within the current interval; false when the ring is full. */
bool iob_worker_flush(struct iob_worker *, unsigned parity);
void iob_worker_push_last(struct iob_worker *, uint64_t now_ns);

#endif
