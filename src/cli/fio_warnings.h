/* SPDX-License-Identifier: MIT */
/* What the program itself says about the figures of a fleet, a line for each, without repeating
 * for each clone what is true of all. */
#ifndef IOB_CLI_FIO_WARNINGS_H
#define IOB_CLI_FIO_WARNINGS_H

#include <stdio.h>

#include "run/fleet.h"

struct iob_fio_warnings {
	size_t count;
	char **line; /* owned: "JOB: CODE: text" */
};

/* What does not fit into memory is left out. */
void iob_fio_warnings_collect(struct iob_fio_warnings *, struct iob_fleet *);
void iob_fio_warnings_print(const struct iob_fio_warnings *, FILE *);
void iob_fio_warnings_free(struct iob_fio_warnings *);

#endif
