/* SPDX-License-Identifier: MIT */
/* The engines of this folder, for registry.c. */
#ifndef IOB_ENGINES_ENGINES_H
#define IOB_ENGINES_ENGINES_H

#include "load/engine.h"

extern const struct iob_engine iob_engine_fault;
extern const struct iob_engine iob_engine_io_uring;
extern const struct iob_engine iob_engine_io_uring_cmd;
extern const struct iob_engine iob_engine_libaio;
extern const struct iob_engine iob_engine_mmap;
extern const struct iob_engine iob_engine_null;
extern const struct iob_engine iob_engine_posixaio;
extern const struct iob_engine iob_engine_psync;
extern const struct iob_engine iob_engine_pvsync;
extern const struct iob_engine iob_engine_pvsync2;
extern const struct iob_engine iob_engine_sg;
extern const struct iob_engine iob_engine_splice;
extern const struct iob_engine iob_engine_sync;
extern const struct iob_engine iob_engine_vsync;

#endif
