/* SPDX-License-Identifier: MIT */
/* The list of engines, in the order in which they are shown. */
#include "load/engine.h"

const struct iob_engine *const iob_engines[] = {
	NULL,
};
