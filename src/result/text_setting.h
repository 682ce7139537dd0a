/* SPDX-License-Identifier: MIT */
/* Lines of the text report that tell what was asked for, and of what; nothing where it is not
 * known. */
#ifndef IOB_RESULT_TEXT_SETTING_H
#define IOB_RESULT_TEXT_SETTING_H

#include <stdio.h>

#include "result/result.h"

void iob_text_target(const struct iob_target_info *, FILE *);
void iob_text_engine(const struct iob_result *, FILE *);
void iob_text_host(const struct iob_host *, FILE *);
/* stage: below nstages. */
void iob_text_job(const struct iob_result *, unsigned stage, FILE *);

#endif
