/* SPDX-License-Identifier: MIT */
#include "measure/gap.h"

bool iob_gap_look(struct iob_gap_watch *w, uint64_t now_ns, uint64_t asleep_ns, struct iob_gap *out)
{
	uint64_t slept = w->looked && asleep_ns > w->asleep_ns ? asleep_ns - w->asleep_ns : 0;
	bool late = w->due_ns && now_ns >= w->due_ns + IOB_GAP_LEAST_NS;

	*out = (struct iob_gap){.from_ns = late ? w->due_ns : now_ns, .to_ns = now_ns};
	if (slept >= IOB_GAP_LEAST_NS)
		out->asleep_ns = slept;
	w->asleep_ns = asleep_ns;
	w->looked = true;
	return late || out->asleep_ns;
}

void iob_gap_list_add(struct iob_gap_list *list, const struct iob_gap *gap)
{
	uint32_t n = atomic_load_explicit(&list->count, memory_order_relaxed);

	if (n >= IOB_MAX_GAPS)
		return;
	list->item[n] = *gap;
	/* Readers look at the item after they have seen the count. */
	atomic_store_explicit(&list->count, n + 1, memory_order_release);
}
