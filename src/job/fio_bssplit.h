/* SPDX-License-Identifier: MIT */
/* bssplit as fio reads it.  For fio_value.c alone. */
#ifndef IOB_JOB_FIO_BSSPLIT_H
#define IOB_JOB_FIO_BSSPLIT_H

#include "job/fio_scalar.h"

/*
 * Writes the text anew as the parameter table takes it, with a warning for what people write and
 * fio lets pass: of a range of sizes the first counts, and of shares above 100 per cent together
 * the largest ones lose what is too much.
 */
int iob_fio_bssplit(const struct iob_fio_text *);

#endif
