/* SPDX-License-Identifier: MIT */
/* The machine that a run was measured on. */
#ifndef IOB_RESULT_HOST_H
#define IOB_RESULT_HOST_H

#include "result/result.h"

/* root: "" for the real /proc, else a folder that stands for / (tests).  What cannot be found out
 * is "" or 0; text is cleaned. */
void iob_host_read(struct iob_host *, const char *root);

#endif
