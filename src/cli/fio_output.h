/* SPDX-License-Identifier: MIT */
/*
 * Where the reports of `iotop-bench fio` go: standard output or a file, in the formats asked for,
 * again at each interval.  What is for a file is kept in memory until it is whole, and then given
 * to a child (result/save.h): the file may lie on the file system that hangs.
 */
#ifndef IOB_CLI_FIO_OUTPUT_H
#define IOB_CLI_FIO_OUTPUT_H

#include "base/atomic_file.h"
#include "cli/fio_args.h"
#include "measure/idle_prof.h"
#include "run/fleet.h"

struct iob_fio_output {
	const struct iob_fio_args *args;
	struct iob_atomic_file file; /* of an --output that is no regular file */
	bool in_memory;              /* the stream is that of `text` */
	char *text;                  /* what the file of --output has not got yet; owned */
	size_t size;
	bool begun; /* the run, with reports in between */
	bool shown; /* the file is there, and grows */
	bool hung;  /* it did not answer */
	FILE *stream;
	FILE *talk; /* for lines that are for people: the stream, or NULL if it is for machines */
	struct iob_idle_prof *idle; /* --idle-prof; NULL = not asked for */
};

/* Before anything is started: can --output be written, and is it no job file?  It is added to the
 * reports of the configuration, which are no targets.  1 = it is no regular file. */
int iob_fio_output_check(
	const struct iob_fio_args *, struct iob_fleet_config *, struct iob_error *);
/* Where --output says, else standard output.  is_stream: what the check said.  args stay the
 * caller's.  0 or a negative errno; pair with iob_fio_output_free. */
int iob_fio_output_open(
	struct iob_fio_output *, const struct iob_fio_args *, bool is_stream, struct iob_error *);
/* All formats, in fio's order. */
int iob_fio_output_report(
	struct iob_fio_output *, struct iob_fleet *, bool interim, struct iob_error *);
/* What the report says of the figures, for whoever does not read it: on standard error. */
void iob_fio_output_warn(struct iob_fleet *);
/* The file is left as it was; what comes goes to standard output. */
void iob_fio_output_spare(struct iob_fio_output *);
/* The run has begun, so --output is none of its targets: a report that is written again and again
 * is to be seen while it grows. */
int iob_fio_output_show(struct iob_fio_output *, struct iob_error *);
/* What is there so far is to be seen now.  Waits some seconds at most. */
int iob_fio_output_pass(struct iob_fio_output *, struct iob_error *);
/* The rest.  hurry: something has hung already. */
int iob_fio_output_finish(struct iob_fio_output *, bool hurry, struct iob_error *);
/* Forgets what has not been passed.  Legal on a zeroed object. */
void iob_fio_output_free(struct iob_fio_output *);

#endif
