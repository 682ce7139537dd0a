/* SPDX-License-Identifier: MIT */
/*
 * Requests that failed: how many by kind, and the first ones one by one.  Each worker keeps a book
 * of its own in the shared memory, over all stages; readers copy and add up.  Counts that are
 * being written may be a request apart; the entries are written before their number.
 */
#ifndef IOB_MEASURE_FAILURE_H
#define IOB_MEASURE_FAILURE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define IOB_FAILURE_KINDS  16
#define IOB_FAILURES_FIRST 8

/* What failed, and how. */
struct iob_failure_kind {
	uint32_t op;  /* as enum iob_op of the engines: read, write, trim, fsync, fdatasync, ... */
	int32_t code; /* errno; 0 = nothing was moved */
	uint64_t count;
	uint64_t ignored; /* of these: named by ignore_error, no reason to fail the run */
};

struct iob_failure {
	uint64_t at_ns; /* on the scale of iob_now_ns */
	uint64_t offset, length;
	uint32_t op;
	int32_t code; /* as above */
	uint32_t worker;
	char why[100]; /* what it means here, "" = no more than the errno says */
};

struct iob_failures {
	uint64_t total;   /* all, ignored or not */
	uint64_t ignored; /* of these */
	uint64_t slowed;  /* how often submitting was held back because of them */
	uint32_t nkinds;
	struct iob_failure_kind kind[IOB_FAILURE_KINDS]; /* the last one takes what has no room */
	uint32_t nfirst;
	struct iob_failure first[IOB_FAILURES_FIRST]; /* in the order of time, none ignored */
};

/* The worker's book: one writer.  Zeroed = empty. */
struct iob_failure_book {
	_Atomic uint64_t total, ignored, slowed;
	_Atomic uint32_t nkinds;
	struct {
		uint32_t op;
		int32_t code;
		_Atomic uint64_t count, ignored;
	} kind[IOB_FAILURE_KINDS];
	_Atomic uint32_t nfirst;
	struct iob_failure first[IOB_FAILURES_FIRST];
};

/* Counts it. `keep` is among the first ones if there is room: then it is the place to fill in, to
 * be announced by iob_failure_kept; NULL otherwise. */
struct iob_failure *iob_failure_count(
	struct iob_failure_book *, uint32_t op, int32_t code, int ignored);
void iob_failure_kept(struct iob_failure_book *);

/* Add a book to the sum.  The first ones of all are kept. */
void iob_failures_add(struct iob_failures *, const struct iob_failure_book *);

/* "12 reads: EIO (Input/output error)"; returns buf.  Words for one kind. */
char *iob_failure_kind_words(char *buf, size_t n, const struct iob_failure_kind *);
/* "read of 4096 bytes at offset 8192: Input/output error (EIO); why". */
char *iob_failure_words(char *buf, size_t n, const struct iob_failure *);
/* All kinds in one line, "12 reads EIO, 3 writes ENOSPC"; ignored ones left out. */
char *iob_failures_words(char *buf, size_t n, const struct iob_failures *);

/* "read", "fsync". */
const char *iob_failure_op_name(uint32_t op);
/* "EIO", "0 bytes". */
const char *iob_failure_code_name(int32_t code);

#endif
