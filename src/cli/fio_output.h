/* SPDX-License-Identifier: MIT */
/* Where the reports of `iotop-bench fio` go: standard output or a file, in the formats asked for,
 * again at each interval. */
#ifndef IOB_CLI_FIO_OUTPUT_H
#define IOB_CLI_FIO_OUTPUT_H

#include "base/atomic_file.h"
#include "cli/fio_args.h"
#include "measure/idle_prof.h"
#include "run/fleet.h"

struct iob_fio_output {
	const struct iob_fio_args *args;
	struct iob_atomic_file file; /* of --output */
	bool owned;
	bool shown;  /* the file is there, and grows */
	bool warned; /* the warnings have been said */
	FILE *stream;
	FILE *talk; /* for lines that are for people: the stream, or NULL if it is for machines */
	struct iob_idle_prof *idle; /* --idle-prof; NULL = not asked for */
};

/* Where --output says, else standard output.  args stay the caller's.  0 or a negative errno; pair
 * with iob_fio_output_close. */
int iob_fio_output_open(struct iob_fio_output *, const struct iob_fio_args *, struct iob_error *);
/* All formats, in fio's order. */
int iob_fio_output_report(
	struct iob_fio_output *, struct iob_fleet *, bool interim, struct iob_error *);
/* The file is left as it was; what comes goes to standard output. */
void iob_fio_output_spare(struct iob_fio_output *);
/* The run has begun, so --output is none of its targets: a report that is written again and again
 * is to be seen while it grows. */
int iob_fio_output_show(struct iob_fio_output *, struct iob_error *);
/* Makes a file visible; keep: else it is forgotten as far as possible. */
int iob_fio_output_close(struct iob_fio_output *, bool keep, struct iob_error *);

#endif
