/* SPDX-License-Identifier: MIT */
/*
 * The contract between the I/O loop and an engine.  An engine is a const table; each worker has an
 * instance of its own, used from that worker's thread alone, so an engine needs no locks.
 *
 * The worker fills every free slot by queue(), then calls reap(), which makes one system call that
 * both submits what was queued and waits, where the kernel has such a call.  With detailed
 * statistics, as fio's reports want them, it calls submit() in between.
 */
#ifndef IOB_LOAD_ENGINE_H
#define IOB_LOAD_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "target/target.h"

enum iob_op {
	IOB_OP_READ = 0, /* the first three equal enum iob_dir */
	IOB_OP_WRITE = 1,
	IOB_OP_TRIM = 2, /* of a device (block_size) a discard, of a file a hole */
	IOB_OP_FSYNC = 3,
	IOB_OP_FDATASYNC = 4,
	IOB_OP_SYNC_FILE_RANGE = 5, /* offset and length (0 = to the end), with sync_flags */
};

/* One request: owned by the worker, lent to the engine from queue() until reap() hands it back. One
 * cache line. */
struct iob_req {
	uint64_t offset; /* bytes within the file */
	void *buf;
	uint64_t start_ns; /* the worker's: when it was prepared */
	int64_t result;    /* bytes moved, or negative errno; set by the engine */
	uint32_t length;   /* bytes asked for */
	uint16_t index;  /* slot 0..capacity-1, constant; buf is the slot's part of the arena unless
			    bs changed */
	uint16_t ioprio; /* as ioprio_set(2) knows it; 0 = that of the thread.  Not 0 only with the
			    engine's parameters cmdprio_* */
	uint16_t file;   /* index into the targets */
	uint8_t op;      /* enum iob_op */
	uint8_t parity;  /* the worker's: which accumulator */
	union {
		uint32_t moved;      /* the worker's, of a transfer: bytes that earlier tries have
					moved; offset, buf and length are what is left then */
		uint32_t sync_flags; /* of IOB_OP_SYNC_FILE_RANGE */
	};
	uint64_t intended_ns; /* the worker's: its time in the schedule of a rate; 0 = none */
	uint64_t issue_ns;    /* the worker's, with detailed statistics: when it was submitted */
};
_Static_assert(sizeof(struct iob_req) == 64, "one request per cache line");

enum iob_engine_cap {
	IOB_ENGINE_ASYNC = 1,     /* more than one request in flight */
	IOB_ENGINE_NO_TARGET = 2, /* needs no file or device */
	IOB_ENGINE_TRIM = 4,
	IOB_ENGINE_SYNC_OPS = 8,  /* IOB_OP_FSYNC and IOB_OP_FDATASYNC */
	IOB_ENGINE_COMMANDS = 16, /* sends commands of a kind of device: that kind alone will do */
	/* The worker's thread itself makes a system call with the descriptor for each request (no
	 * thread or ring that outlives the worker does): a table of descriptors of the thread's own
	 * makes them cheaper. */
	IOB_ENGINE_OWN_TABLE = 32,
	IOB_ENGINE_SYNC_RANGE = 64, /* IOB_OP_SYNC_FILE_RANGE */
};

/* What an instance works with; stays valid until close. */
struct iob_engine_env {
	const struct iob_target *targets;
	unsigned ntargets;
	const struct iob_job *job; /* the engine's own parameters (hipri, nowait, ...) */
	unsigned capacity;         /* most requests in flight, ever */
	bool direct;
	void *arena; /* all buffers lie in it (may be registered); NULL = not known */
	size_t arena_size;
};

struct iob_engine {
	const char *name;      /* fio's: "io_uring" */
	const char *summary;   /* one line for `engines` */
	unsigned caps;         /* enum iob_engine_cap */
	unsigned max_capacity; /* largest capacity that open takes */
	/* The rows of the group "engine" that it understands, NULL-terminated; NULL = none. */
	const char *const *params;
	/* A wrapper's: the parameter that names the engine which does the I/O, whose capabilities,
	 * limits and parameters then hold.  NULL = this one does it. */
	const char *inner;
	size_t state_size; /* bytes, zeroed and cache-line aligned by the worker, passed as state */

	/* Can it run here?  0 (a text then is a remark: what works less well than it could, and
	 * what to do), or a negative errno with a text that says why not and what to do. */
	int (*probe)(struct iob_error *);
	/* Does the system have room for instances of so much capacity together?  0 or a negative
	 * errno with what is needed, what there is and what to do.  NULL = it sets no limit. */
	int (*room)(uint64_t capacity, struct iob_error *);
	/* On failure nothing is left to free. */
	int (*open)(void *state, const struct iob_engine_env *, struct iob_error *);
	/* The arena moved (block size grew); nothing is in flight.  NULL = the engine does not
	 * care. */
	int (*arena)(void *state, void *arena, size_t size, struct iob_error *);
	/*
	 * Take n requests (n + in flight <= capacity).  May submit at once or wait until reap.
	 * Takes all of them: what cannot be submitted comes back from reap with its errno in
	 * result.
	 */
	void (*queue)(void *state, struct iob_req *const *reqs, unsigned n);
	/*
	 * Submit what is queued, without waiting for any of it: for those who want to know when
	 * that was.  What the kernel does not take now goes with the next submit or reap.  NULL =
	 * queue submits, or there is nothing to submit.
	 */
	void (*submit)(void *state);
	/*
	 * Submit what is queued and hand back finished requests: at least min (0 = do not wait), at
	 * most max, in `done`. Fewer than min only after timeout_ns (relative; UINT64_MAX = none;
	 * an engine whose calls block ignores it). Returns the count, or a negative errno when the
	 * engine itself is broken (not a request). EINTR and EAGAIN are the engine's to retry.
	 */
	int (*reap)(void *state, struct iob_req **done, unsigned min, unsigned max,
		uint64_t timeout_ns);
	/* Space-separated words on what is in force, for the report: "fixedbufs registerfiles
	 * defer_taskrun". */
	void (*flags)(const void *state, char *buf, size_t n);
	/* What the errno in a request's result means here and what to do, in words for the report;
	 * NULL = no more than the errno says.  The member may be NULL. */
	const char *(*explain)(void *state, const struct iob_req *);
	/* Once after a successful open; requests may still be in flight (they are abandoned; must
	 * not block on them if the kernel allows). */
	void (*close)(void *state);
};

/* NULL-terminated; defined by engines/registry.c (or by a test). */
extern const struct iob_engine *const iob_engines[];

/* NULL if there is none of that name. */
const struct iob_engine *iob_engine_find(const char *name);
/* The engine by name, or a usage error that lists the names; then probed: run error when it cannot
 * run here. */
int iob_engine_get(const struct iob_engine **, const char *name, struct iob_error *);
/* The engine of this job, and the one inside if it wraps one. */
int iob_engine_get_for(const struct iob_engine **, const struct iob_job *, struct iob_error *);
/* What holds for this job. */
unsigned iob_engine_caps(const struct iob_engine *, const struct iob_job *);
/* 1 if it is not asynchronous. */
unsigned iob_engine_max_capacity(const struct iob_engine *, const struct iob_job *);
/* Does the engine that the job names do one request at a time?  False if there is no such engine.
 */
bool iob_engine_is_one_deep(const struct iob_job *);
bool iob_engine_has_param(const struct iob_engine *, const char *name);
/* A usage error that names the parameter of other engines which the job was given. */
int iob_engine_check_params(const struct iob_engine *, const struct iob_job *, struct iob_error *);

#endif
