/* SPDX-License-Identifier: MIT */
/* The list of engines, in the order in which they are shown. */
#include "engines/engines.h"

const struct iob_engine *const iob_engines[] = {
	&iob_engine_io_uring,
	&iob_engine_libaio,
	&iob_engine_posixaio,
	&iob_engine_psync,
	&iob_engine_sync,
	&iob_engine_pvsync,
	&iob_engine_pvsync2,
	&iob_engine_vsync,
	&iob_engine_mmap,
	&iob_engine_splice,
	&iob_engine_io_uring_cmd,
	&iob_engine_sg,
	&iob_engine_null,
	&iob_engine_fault,
	NULL,
};
