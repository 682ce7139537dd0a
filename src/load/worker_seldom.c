/* SPDX-License-Identifier: MIT */
/* What the loops do seldom: waiting with nothing in flight, and failing. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "load/worker_private.h"

static const char *const op_names[] = {"read", "write", "trim", "fsync", "fdatasync"};

/* The first failure ends the worker; later ones are only counted. */
void iob_worker_fail(struct iob_worker *w, const struct iob_req *req)
{
	int code = (int)req->result;

	w->ending = true;
	if (w->error.code)
		return;
	if (req->result == 0) {
		iob_fail(&w->error, -EIO,
			"%s at offset %" PRIu64 ": 0 bytes moved (the device is gone, or the file "
			"became shorter)",
			op_names[req->op], req->offset);
		return;
	}
	const char *name = strerrorname_np(-code);
	const char *why = w->engine->explain ? w->engine->explain(w->state, req) : NULL;
	const char *comma = why ? "; " : "";
	if (req->op >= IOB_OP_FSYNC)
		iob_fail(&w->error, code, "%s: %m (%s)%s%s", op_names[req->op], name ? name : "?",
			comma, why ? why : "");
	else
		iob_fail(&w->error, code, "%s at offset %" PRIu64 ": %m (%s)%s%s",
			op_names[req->op], req->offset, name ? name : "?", comma, why ? why : "");
}

void iob_worker_fail_engine(struct iob_worker *w, int code)
{
	if (!w->error.code)
		iob_fail(&w->error, code, "%s: waiting for I/O: %m; %u requests are lost",
			w->engine->name, w->in_flight);
}

void iob_worker_account_intended(struct iob_worker *w, unsigned n, uint64_t now)
{
	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = w->done[i];

		if (req->intended_ns == 0)
			continue;
		if (req->result > 0)
			iob_accumulator_add_intended(&w->acc[req->parity], (enum iob_dir)req->op,
				now > req->intended_ns ? now - req->intended_ns : 0);
		req->intended_ns = 0;
		w->paced_out--;
	}
}

void iob_worker_wait_idle(struct iob_worker *w, uint32_t generation, uint64_t now, uint64_t until)
{
	uint64_t stop_at = atomic_load_explicit(&w->steer->stop_at_ns, memory_order_relaxed);
	if (stop_at < until)
		until = stop_at;
	uint64_t left = until > now ? until - now : 0;
	struct timespec ts = {(time_t)(left / IOB_NS_PER_S), (long)(left % IOB_NS_PER_S)};

	syscall(SYS_futex, &w->steer->generation, FUTEX_WAIT, generation, &ts, NULL, 0);
}
