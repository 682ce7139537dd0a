/* SPDX-License-Identifier: MIT */
/*
 * The parameter table: one row per parameter, in the files that param_table.c puts
 * together and nowhere else.  Command line,
 * profiles, the setup form, the live keys, `params`, the manual page and the echo in the reports
 * all walk it.
 */
#ifndef IOB_JOB_PARAM_H
#define IOB_JOB_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "job/job.h"

/* The group of rows that have a meaning for some engines only: those that list the name. */
#define IOB_PARAM_GROUP_ENGINE "engine"

enum iob_param_type {
	IOB_P_BOOL,    /* bool; 0 1 no yes off on false true; a bare name means 1 */
	IOB_P_UINT,    /* uint64_t */
	IOB_P_BYTES,   /* uint64_t */
	IOB_P_RANGE,   /* struct iob_range of bytes: "4k" or "4k-64k" */
	IOB_P_AMOUNT,  /* struct iob_amount: "1g" or "50%" */
	IOB_P_TIME,    /* uint64_t ns; a bare number is in seconds */
	IOB_P_PERCENT, /* uint64_t, whole 0..100, "%" allowed */
	IOB_P_CHOICE,  /* uint32_t, one of choices */
	IOB_P_TEXT,    /* char[size] */
};

enum iob_param_flag {
	IOB_PF_LIVE = 1,       /* can change while the job runs */
	IOB_PF_SPLIT = 2,      /* array over directions: "read,write,trim" (fio's comma rule) */
	IOB_PF_NO_EFFECT = 4,  /* accepted because people's command lines have it; help says why it
				  does nothing */
	IOB_PF_COMPLEMENT = 8, /* shows and sets 100 - the field (rwmixwrite), or its opposite
				  (buffered) */
	IOB_PF_COMMON = 16,    /* what people turn first: on top of the setup form */
	IOB_PF_JOBFILE = 32,   /* has a meaning in job files and for `fio` only: `run`, profiles and
				  the setup form neither offer nor take it */
	IOB_PF_BARE = 64,      /* a text that may be left out: the bare name gives "" */
	IOB_PF_FIO = 512,      /* with IOB_PF_NO_EFFECT: but for `fio` it has one */
	IOB_PF_ONES = 1024,    /* steps go one by one up to 8 */
	IOB_PF_SPAN = 128,     /* a time that may be a range "1-5"; the field behind has its end */
};

/* What may stand behind a colon after the word of a choice. */
enum iob_suffix {
	IOB_SUFFIX_NONE,
	IOB_SUFFIX_COUNT, /* "randread:8" */
	IOB_SUFFIX_BYTES, /* "read:-8k" */
	IOB_SUFFIX_REAL,  /* "zipf:1.2", kept in millionths */
	/* "zipf:1.2" or "zipf:1.2:0.5"; the second one, a share of 1, is kept in the field behind:
	 * its millionths and one, so that 0 = not given */
	IOB_SUFFIX_REAL_CENTRE,
};

struct iob_param_choice {
	const char *name;
	uint32_t value;
	const char *help;
};

struct iob_param {
	const char *name;    /* fio's word */
	const char *aliases; /* other words, comma separated, or NULL: "readwrite" */
	const char *group;   /* "what", "how", "when", "where", "memory", "engine",
			    "compatibility", "report", "log" */
	enum iob_param_type type;
	unsigned flags;
	size_t offset;       /* in struct iob_job */
	size_t size;         /* of a text field */
	uint64_t min, max;   /* in the field's unit, for numbers and both ends of ranges */
	const char *initial; /* default, in the syntax of the command line; "" = not given */
	const char *unit;    /* "bytes", "s", "%", "I/Os", "" */
	const struct iob_param_choice *choices; /* ends with name NULL */
	const char *later; /* words that fio knows and we do not do yet, with blanks between */
	size_t suffix; /* in struct iob_job: int64_t, what stands behind the colon; 0 = not given */
	enum iob_suffix (*suffix_of)(uint32_t choice);    /* NULL = nothing stands there */
	int (*check)(const char *text, const char **why); /* of a text; NULL = any text */
	void (*settle)(struct iob_job *); /* after it was set: fields that follow from it */
	const char *help;                 /* one sentence or two */
};

/* The rows, 0 to count - 1; those of a group stand together. */
size_t iob_param_count(void);
const struct iob_param *iob_param_at(size_t index);
size_t iob_param_index(const struct iob_param *);

/* By name or alias, '-' taken as '_'; NULL if there is none. */
const struct iob_param *iob_param_find(const char *name);
/* The row of a field of struct iob_job, by its offset (the first, where several set the same), and
 * its name: names stand in the table alone.  The field must have a row. */
const struct iob_param *iob_param_of(size_t offset);
#define IOB_PARAM_OF(field)   iob_param_of(offsetof(struct iob_job, field))
#define IOB_PARAM_NAME(field) (IOB_PARAM_OF(field)->name)
/* The nearest name for "did you mean", or NULL when none is near. */
const char *iob_param_suggest(const char *name);

/* What the row takes, in few words: "1..65536", "1..1g", "0 or 1", "none, sync, dsync".  Returns
 * buf. */
char *iob_param_legal(const struct iob_param *, char *buf, size_t n);

/*
 * Set from text, strictly.  text NULL = the bare name (only for IOB_P_BOOL).  0 or a usage error
 * that names parameter, value, what is wrong and what is legal; the job is unchanged then.
 * Marks the row as given.  "" is legal only where it is the default ("not given") and leads back
 * there.
 */
int iob_param_set(struct iob_job *, const struct iob_param *, const char *text, struct iob_error *);
/* Find and set; an unknown name is a usage error with a suggestion, and so are rows for job files
 * (IOB_PF_JOBFILE): this is how `run`, profiles and the dashboard set. */
int iob_param_set_named(struct iob_job *, const char *name, const char *text, struct iob_error *);
/* As text that iob_param_set takes back to the same value.  Returns buf. */
char *iob_param_get(const struct iob_job *, const struct iob_param *, char *buf, size_t n);
/* "4k" or "4k-64k".  Returns buf. */
char *iob_range_format(char *buf, size_t n, const struct iob_range *);
/* What iob_job_defaults sets, and what "" leads back to. */
void iob_param_reset(struct iob_job *, const struct iob_param *);
bool iob_param_is_given(const struct iob_job *, const struct iob_param *);

/*
 * One step up (+1) or down (-1): bytes, ranges and depths by powers of two (48 goes to 64 or 32),
 * rates by a tenth, percentages by five, choices by one, within [min, max] of the row.  Returns
 * true if the value changed.
 */
bool iob_param_step(struct iob_job *, const struct iob_param *, int direction);

#endif
