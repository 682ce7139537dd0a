/* SPDX-License-Identifier: MIT */
/*
 * fio's options that are no row of the parameter table: without effect here, not supported yet, or
 * never.  A row of that name goes before.  For the fio_*.c files alone.
 */
#ifndef IOB_JOB_FIO_FOREIGN_H
#define IOB_JOB_FIO_FOREIGN_H

#include <stdbool.h>

enum iob_foreign {
	IOB_FOREIGN_NOTE,    /* accepted: it changes nothing here */
	IOB_FOREIGN_NOT_YET, /* refused, unless its value switches it off */
	IOB_FOREIGN_NEVER,   /* likewise */
	IOB_FOREIGN_COMMAND, /* names a command: --allow-exec */
	IOB_FOREIGN_CPUMASK, /* sets a row in words of its own */
};

struct iob_fio_foreign {
	const char *name;
	enum iob_foreign kind;
	const char *off;   /* values that switch it off: "0,none"; NULL = there is none */
	const char *words; /* why it has no effect, or what to use instead; never NULL */
	bool is_switch;    /* on a command line no value follows it as a word of its own */
};

extern const struct iob_fio_foreign iob_fio_foreign[]; /* ends with name NULL */

const struct iob_fio_foreign *iob_fio_foreign_find(const char *name);
/* value NULL = a bare key. */
bool iob_fio_foreign_is_off(const struct iob_fio_foreign *, const char *value);

/* fio's engine that is none here: what to use instead; NULL = it is not one of those. */
const char *iob_fio_foreign_engine(const char *name);
/* Another name of an engine that is here: "linuxaio" is libaio.  NULL = it is none. */
const char *iob_fio_engine_alias(const char *name);

#endif
