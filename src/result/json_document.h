/* SPDX-License-Identifier: MIT */
/* The two halves of the JSON report: fio's tree, and the iotop_bench key that a saved run is read
 * back from. */
#ifndef IOB_RESULT_JSON_DOCUMENT_H
#define IOB_RESULT_JSON_DOCUMENT_H

#include "result/json_out.h"
#include "result/result.h"

#define IOB_JSON_KEY    "iotop_bench"
/* Of the iotop_bench key; raised when an older reader would misread it. */
#define IOB_JSON_FORMAT 1

/* plus: with the bins of the histograms. */
void iob_json_fio(struct iob_json root, const struct iob_result *, bool plus);
void iob_json_own(struct iob_json root, const struct iob_result *);
/* Member "warnings" of an object. */
void iob_json_warnings(struct iob_json, const struct iob_warnings *);
/* The member `failures`, if there were any. */
void iob_json_put_failures(struct iob_json own, const struct iob_failures *);

#endif
