/* SPDX-License-Identifier: MIT */
/* A type of form field whose values are those of a row of the parameter table: what is typed is
 * checked by iob_param_set, and the next or previous choice is a step of iob_param_step. */
#ifndef IOB_UI_FIELD_PARAM_H
#define IOB_UI_FIELD_PARAM_H

#include <form.h>
#include <stdbool.h>

#include "job/param.h"

/* One value in it; freed after the form. */
struct iob_field_param {
	const struct iob_param *param;
	struct iob_job job; /* to try values in */
	struct iob_error error;
	bool may_be_empty;
	FIELDTYPE *type;
};

bool iob_field_param_attach(FIELD *, struct iob_field_param *);
/* After free_field. */
void iob_field_param_free(struct iob_field_param *);

#endif
