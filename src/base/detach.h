/* SPDX-License-Identifier: MIT */
/* A child that asks something which may never answer. */
#ifndef IOB_BASE_DETACH_H
#define IOB_BASE_DETACH_H

/*
 * In the child, right after fork: it may hang for ever and outlive us, so it keeps nothing of ours
 * but one descriptor, neither a terminal nor the reader's end of somebody's pipeline, runs no
 * handler of ours, and dies with its parent if it can.  Returns the number that the descriptor has
 * now.
 */
int iob_detach(int keep_fd);
/* The same with n of them, and their numbers; -1 for one that is none. */
void iob_detach_keeping(int *fd, unsigned n);

/* In a child that is to end when the front says so, and not sooner: signals that a terminal, pkill
 * or a service manager sends to both are the front's affair, and a limit or a reader that left
 * shall be an error, not death. */
void iob_leave_signals_to_front(void);

#endif
