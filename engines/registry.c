/* SPDX-License-Identifier: MIT */
/* The list of engines, in the order in which they are shown. */
#include "engines/engines.h"

const struct iob_engine *const iob_engines[] = {
	&iob_engine_io_uring,
	&iob_engine_libaio,
	&iob_engine_psync,
	&iob_engine_null,
	&iob_engine_fault,
	NULL,
};
