/* SPDX-License-Identifier: MIT */
/* One request by plain system calls: all of psync, and what the asynchronous interfaces lack. */
#ifndef IOB_ENGINES_BLOCKING_H
#define IOB_ENGINES_BLOCKING_H

#include "load/engine.h"

/* Bytes moved or negative errno, as in iob_req.result; EINTR and EAGAIN are retried. */
int64_t iob_blocking_io(const struct iob_target *, const struct iob_req *);

#endif
