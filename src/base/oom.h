/* SPDX-License-Identifier: MIT */
/* Whom the kernel ends when memory runs out. */
#ifndef IOB_BASE_OOM_H
#define IOB_BASE_OOM_H

/* This process and what it starts rather than any other: a benchmark is what a machine can best do
 * without.  Best effort. */
void iob_oom_go_first(void);
/* As before that; in a process that was forked after it, too. */
void iob_oom_go_in_turn(void);

#endif
