/* SPDX-License-Identifier: MIT */
#include "load/priority.h"

#define ALL    100 /* per cent */
/* Apart from what else is drawn from the same seed. */
#define STREAM UINT64_C(0x70726f00)

int iob_priorities_init(struct iob_priorities *p, const struct iob_job *job, uint64_t seed,
	unsigned number, struct iob_error *err)
{
	iob_rng_seed(&p->rng, seed, STREAM + number);
	return iob_cmdprio_init(&p->rules, job, err);
}

static uint16_t draw(struct iob_priorities *p, const struct iob_req *req)
{
	const struct iob_cmdprio_entry *e = p->rules.entry[req->op];
	uint64_t drawn = iob_rng_below(&p->rng, ALL), below = 0;

	for (unsigned i = 0; i < p->rules.count[req->op]; i++) {
		if (e[i].bytes && e[i].bytes != req->length)
			continue;
		below += e[i].percent;
		if (drawn < below)
			return e[i].ioprio;
	}
	return 0;
}

void iob_priorities_give(struct iob_priorities *p, struct iob_req *const *reqs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		reqs[i]->ioprio = reqs[i]->op <= IOB_OP_WRITE ? draw(p, reqs[i]) : 0;
}
