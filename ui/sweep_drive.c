/* SPDX-License-Identifier: MIT */
#include "ui/sweep_drive.h"

#include <stdio.h>

#include "base/clock.h"

void iob_sweep_drive_start(
	struct iob_sweep_drive *d, const struct iob_sweep *sweep, uint64_t now_ns)
{
	*d = (struct iob_sweep_drive){
		.state = IOB_SWEEP_DUE,
		.sweep = *sweep,
		.steps = iob_sweep_steps(sweep),
		.last_ns = now_ns,
	};
}

uint64_t iob_sweep_drive_value(const struct iob_sweep_drive *d)
{
	return iob_sweep_value(&d->sweep, d->step);
}

static enum iob_sweep_order ask(struct iob_sweep_drive *d)
{
	d->state = IOB_SWEEP_ASKED;
	return IOB_SWEEP_ASK;
}

static enum iob_sweep_order end(struct iob_sweep_drive *d, enum iob_sweep_order order)
{
	d->state = IOB_SWEEP_OFF;
	return order;
}

enum iob_sweep_order iob_sweep_drive_tick(
	struct iob_sweep_drive *d, const struct iob_sweep_look *look)
{
	bool stands = look->pending || look->live->paused;
	uint64_t passed = look->now_ns - d->last_ns;

	d->last_ns = look->now_ns;
	switch (d->state) {
	case IOB_SWEEP_OFF:
		break;
	case IOB_SWEEP_DUE:
		return stands ? IOB_SWEEP_WAIT : ask(d);
	case IOB_SWEEP_ASKED:
		if (look->pending)
			break;
		if (iob_sweep_get(&d->sweep, look->live) != iob_sweep_drive_value(d))
			return end(d, IOB_SWEEP_REFUSED);
		d->state = IOB_SWEEP_HOLD;
		d->until_ns = look->now_ns + d->sweep.step_ns;
		break;
	case IOB_SWEEP_HOLD:
		if (stands)
			d->until_ns += passed;
		if (stands || look->now_ns < d->until_ns)
			break;
		if (d->step + 1 == d->steps)
			return end(d, IOB_SWEEP_DONE);
		d->step++;
		return ask(d);
	}
	return IOB_SWEEP_WAIT;
}

char *iob_sweep_drive_text(char *buf, size_t n, const struct iob_sweep_drive *d, uint64_t now_ns)
{
	char value[32], left[32] = "on its way";

	if (d->state == IOB_SWEEP_HOLD) {
		uint64_t ns = d->until_ns > now_ns ? d->until_ns - now_ns : 0;

		snprintf(left, sizeof(left), "%llu s left",
			(unsigned long long)((ns + IOB_NS_PER_S - 1) / IOB_NS_PER_S));
	}
	snprintf(buf, n, "sweep %u/%u %s %s, %s", d->step + 1, d->steps, d->sweep.param,
		iob_sweep_format(&d->sweep, iob_sweep_drive_value(d), value, sizeof(value)), left);
	return buf;
}
