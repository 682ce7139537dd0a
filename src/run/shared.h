/* SPDX-License-Identifier: MIT */
/*
 * The memory that front and load process share: a memfd with plain values, no pointers.  Each word
 * has one writer, named at its group.  Words of other types than _Atomic are written before an
 * atomic word that announces them (release) and read after it (acquire).
 */
#ifndef IOB_RUN_SHARED_H
#define IOB_RUN_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "job/plan.h"
#include "load/control.h"
#include "measure/detail.h"
#include "measure/diskwatch.h"
#include "measure/log_store.h"
#include "measure/ring.h"
#include "measure/segment.h"
#include "target/kin.h"
#include "target/target.h"

#define IOB_SHARED_MAGIC   UINT64_C(0x31306e65622d626f)
#define IOB_MAX_WORKERS    512
#define IOB_MAX_EVENTS     2048
/* Kept free for what the run itself must say: stages, ramps, ends. */
#define IOB_EVENTS_RESERVE (4 * IOB_MAX_STAGES)

/* What a load process comes to, in order.  Each run waits at SURVEY for
 * the clock; one that is held at SURVEY, PREPARE, START and, if it holds a device, LEAVE until the
 * front opens the gate. */
enum iob_gate {
	IOB_GATE_SURVEY = 1, /* about to look whether that can be done */
	IOB_GATE_SURVEYED,   /* it was looked at; only where the gate was opened no further */
	IOB_GATE_PREPARE,    /* about to open the target and lay it out */
	IOB_GATE_PREPARED,   /* that is done */
	IOB_GATE_START,      /* the workers are ready and about to start */
	IOB_GATE_LEAVE,      /* all is said; what it holds is still held */
};

enum iob_event_type {
	IOB_EVENT_SEGMENT, /* a segment is in force since at_ns */
	IOB_EVENT_END,     /* the stage's last request came back at at_ns */
};

struct iob_event {
	uint32_t type; /* enum iob_event_type */
	uint32_t id;   /* of the segment = generation */
	uint32_t stage;
	uint32_t kind; /* enum iob_segment_kind */
	uint64_t at_ns;
	struct iob_live live;
};

struct iob_shared {
	/* Constant once the load process runs, but for the clock and, of the plan, the files that
	 * others made: the front adds them before it opens the gate PREPARE. */
	uint64_t magic;
	uint64_t bytes; /* of the whole mapping */
	uint32_t nslots;
	uint64_t rings_offset;      /* nslots rings */
	uint64_t details_offset;    /* nslots struct iob_detail; 0 = the plan asks for none */
	uint64_t priorities_offset; /* nslots struct iob_detail_priorities; 0 = none */
	uint64_t log_slots;         /* chunks in the ring of each worker, behind the mapping */
	int32_t front_pid;          /* the load process does not outlive it */
	struct iob_clock clock;
	struct iob_plan plan;

	/* Written by the front. */
	alignas(IOB_CACHELINE) _Atomic unsigned stop; /* 1: submit nothing more, drain, end */
	struct iob_live request;
	_Atomic uint32_t request_number; /* announces request */
	struct iob_kin kin_before;       /* what others hold; read once SURVEY or PREPARE is open */
	_Atomic uint32_t gate; /* enum iob_gate: how far the load process may go; a futex word */

	/* Written by the controller. */
	alignas(IOB_CACHELINE) _Atomic uint64_t heartbeat_ns;
	struct iob_kin kin;        /* what it holds; announced by SURVEYED and by PREPARED */
	struct iob_kin kin_at_end; /* the same with what files had then; announced by finished */
	_Atomic uint32_t reached;  /* enum iob_gate: how far it has come; a futex word */
	_Atomic uint32_t phase;    /* enum iob_phase; announces stage, target, engine, capacity */
	_Atomic uint32_t stage;
	_Atomic uint64_t end_sync_ns; /* what the syncs after the stages took */
	_Atomic int32_t temp_mc;      /* the hottest that the disk was seen; 0 = unknown */
	_Atomic uint32_t workers;     /* of the stage, once they are ready; 0 = not yet */
	_Atomic uint64_t capacity;
	_Atomic uint64_t
		measure_from_ns; /* end of the stage's ramp, moved on by pauses; 0 = not begun */
	struct iob_target_info target;
	char engine[32];
	uint32_t nfound;   /* of ncreated: made by an earlier command */
	uint32_t ncreated; /* files that were made, with names that stay; announced as target is */
	struct iob_plan_report created[IOB_MAX_CREATED];
	struct iob_diskwatch_point disk_before; /* its counters before the load; ns 0 = unknown */
	_Atomic uint32_t
		target_known; /* announces target and disk_before: number of the stage + 1 */
	_Atomic uint32_t request_done; /* the request with this number was adopted or refused;
					  announces request_error */
	struct iob_error request_error;
	struct iob_error error;    /* of the run */
	struct iob_identity asked; /* what it asks consent for, if it does */
	_Atomic uint32_t finished; /* announces error: nothing follows */
	_Atomic uint32_t nevents;  /* announces event[] */
	struct iob_event event[IOB_MAX_EVENTS];
	struct iob_layout_progress layout;
	struct iob_steer steer;
	int log_fd; /* of this memory, in the load process: logs are written behind it */

	/* Written by the workers. */
	struct iob_log_counts log[IOB_MAX_WORKERS];
	struct iob_worker_slot slot[IOB_MAX_WORKERS];
};

/* The front's: makes the memfd, maps it, fills in the constant part.  *fd is close-on-exec. */
int iob_shared_create(struct iob_shared **, int *fd, const struct iob_plan *, struct iob_error *);
/* Another process's, to which it was handed: maps and checks it. */
int iob_shared_attach(struct iob_shared **, int fd, struct iob_error *);
void iob_shared_unmap(struct iob_shared *);

static inline struct iob_ring *iob_shared_rings(struct iob_shared *s)
{
	return (struct iob_ring *)(void *)((unsigned char *)s + s->rings_offset);
}

/* Of worker i of the stage; NULL if the plan did not ask for it. */
static inline struct iob_detail *iob_shared_detail(struct iob_shared *s, unsigned i)
{
	unsigned char *at = (unsigned char *)s + s->details_offset + i * sizeof(struct iob_detail);

	return s->details_offset && i < s->nslots ? (struct iob_detail *)(void *)at : NULL;
}

/* Likewise, by priority. */
static inline struct iob_detail_priorities *iob_shared_priorities(struct iob_shared *s, unsigned i)
{
	unsigned char *at = (unsigned char *)s + s->priorities_offset +
			    i * sizeof(struct iob_detail_priorities);

	return s->priorities_offset && i < s->nslots ? (struct iob_detail_priorities *)(void *)at
						     : NULL;
}

/* The ring of chunks of worker i, for whoever has the memory as this descriptor. */
static inline struct iob_log_place iob_shared_log(struct iob_shared *s, int fd, unsigned i)
{
	return (struct iob_log_place){
		.fd = fd,
		.offset = s->bytes + i * s->log_slots * IOB_LOG_CHUNK,
		.slots = s->log_slots,
		.counts = &s->log[i],
	};
}

/* gate.c */
/* The load process's: it has come to this one. */
void iob_gate_note(struct iob_shared *, enum iob_gate);
/* The same, and wait until it is open. */
void iob_gate_pass(struct iob_shared *, enum iob_gate);
/* The front's: open it, and those before it. */
void iob_gate_open(struct iob_shared *, enum iob_gate);
/* Wait until the load process has come to it, at most timeout_ms; true if it has. */
bool iob_gate_is_reached(struct iob_shared *, enum iob_gate, int timeout_ms);

/* Requests handed to the engine and not back, over all workers. */
uint64_t iob_shared_in_flight(const struct iob_shared *);
uint64_t iob_slot_in_flight(const struct iob_worker_slot *);
/* Whose counters tell of a target that has a disk. */
void iob_shared_diskline(const struct iob_target_info *, struct iob_diskline *);

#endif
