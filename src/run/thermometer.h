/* SPDX-License-Identifier: MIT */
/*
 * Looks at the temperature of the disk while a stage runs, every few seconds: a look can send a
 * command to the disk, and a sick one may never answer, so it is a thread of its own in the load
 * process for which nobody waits.
 */
#ifndef IOB_RUN_THERMOMETER_H
#define IOB_RUN_THERMOMETER_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/clock.h"

#define IOB_THERMOMETER_EVERY_NS (5 * IOB_NS_PER_S)

struct iob_thermometer; /* opaque */

/* root: "" = the real /sys, must live as long as the program.  *hottest, likewise: thousandths of a
 * degree, raised when more is seen.  NULL when it cannot be had: then nobody looks. */
struct iob_thermometer *iob_thermometer_start(const char *root, unsigned major, unsigned minor,
	uint64_t every_ns, _Atomic int32_t *hottest);
/* Legal on NULL.  One that hangs is left behind. */
void iob_thermometer_stop(struct iob_thermometer *);

/* One look by the caller itself. */
void iob_thermometer_look(
	const char *root, unsigned major, unsigned minor, _Atomic int32_t *hottest);

#endif
