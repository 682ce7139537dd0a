/* SPDX-License-Identifier: MIT */
/* Pieces of fio's JSON tree: fio_json.c puts them together; json_fio.c uses them as well. */
#ifndef IOB_RESULT_FIO_JSON_H
#define IOB_RESULT_FIO_JSON_H

#include "result/fio_entry.h"
#include "result/json_out.h"

/* "fio version" to "time". */
void iob_fio_json_head(struct iob_json root, uint64_t timestamp_ms);
/* "read" : {...}: one direction, or mixed. */
void iob_fio_json_row(struct iob_json parent, const struct iob_fio_entry *,
	const struct iob_fio_row *, bool plus);
void iob_fio_json_sync(struct iob_json parent, const struct iob_fio_entry *, bool plus);
/* An object with a real for each name. */
void iob_fio_json_shares(struct iob_json parent, const char *key, const char *const *names,
	const double *share, unsigned n);

/* "bins": buckets that hold something, by their middle. */
void iob_fio_json_bins(struct iob_json parent, const struct iob_hist *);

#endif
