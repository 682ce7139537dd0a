/* SPDX-License-Identifier: MIT */
/* What the engines share that do one request at a time, in reap; and what the asynchronous
 * interfaces lack. */
#ifndef IOB_ENGINES_BLOCKING_H
#define IOB_ENGINES_BLOCKING_H

#include "load/engine.h"

/* First member of the state of such an engine. */
struct iob_blocking {
	const struct iob_target *targets;
	struct iob_req *queued;
};

/*
 * A call has failed: is it to be made again?  After EINTR always, after EAGAIN at first at once,
 * then every millisecond, and no more after two seconds.  tries: 0 before the first.
 */
bool iob_blocking_again(int code, unsigned *tries);

/* One request by plain system calls.  Bytes moved or negative errno, as in iob_req.result; EINTR
 * and EAGAIN are retried. */
int64_t iob_blocking_io(const struct iob_target *, const struct iob_req *);

/* For the table of the engine: it runs everywhere; remember the request; "blocking". */
int iob_blocking_probe(struct iob_error *);
void iob_blocking_queue(void *state, struct iob_req *const *reqs, unsigned n);
void iob_blocking_flags(const void *state, char *buf, size_t n);

/* A read or a write.  Bytes moved or negative errno. */
typedef int64_t iob_blocking_transfer(struct iob_blocking *, const struct iob_req *);

/* All of reap.  Here so that the compiler sees which function it calls. */
static inline int iob_blocking_reap(struct iob_blocking *b, struct iob_req **done, unsigned max,
	iob_blocking_transfer *transfer)
{
	struct iob_req *req = b->queued;

	if (!req || max == 0)
		return 0;
	if (req->op <= IOB_OP_WRITE)
		req->result = transfer(b, req);
	else
		req->result = iob_blocking_io(&b->targets[req->file], req);
	b->queued = NULL;
	done[0] = req;
	return 1;
}

#endif
