/* SPDX-License-Identifier: MIT */
/* The live line of fio: what runs, how far it is, what it does. */
#ifndef IOB_CLI_FIO_ETA_H
#define IOB_CLI_FIO_ETA_H

#include <stddef.h>
#include <stdint.h>

#include "base/direction.h"
#include "run/fleet.h"

#define IOB_FIO_ETA_UNKNOWN UINT64_MAX

struct iob_fio_live {
	unsigned running, files;
	char state[IOB_FLEET_MAX_CLONES + 1]; /* a letter for each clone */
	double bw[IOB_NDIR], iops[IOB_NDIR];  /* over the last second; bytes */
	uint64_t rate, rate_iops;             /* what all that run are held to; bytes */
	uint64_t elapsed_s, eta_s;            /* eta_s: or IOB_FIO_ETA_UNKNOWN */
	unsigned ramping;
};

/* What the fleet does now, of all that run together. */
void iob_fio_live_look(struct iob_fio_live *, struct iob_fleet *, uint64_t now_ns);
/* Without an end of line.  Returns buf. */
char *iob_fio_live_line(char *buf, size_t n, const struct iob_fio_live *);
/* "01h:02m:03s".  Returns buf. */
char *iob_fio_eta_text(char *buf, size_t n, uint64_t seconds);

#endif
