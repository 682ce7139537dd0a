/* SPDX-License-Identifier: MIT */
/* The signals that a command takes in its own loop: blocked everywhere, read from a descriptor. */
#ifndef IOB_CLI_SIGNALS_H
#define IOB_CLI_SIGNALS_H

#include <signal.h>

#include "base/error.h"

struct iob_signals {
	int fd; /* to poll; -1 = nothing is caught */
	sigset_t caught;
};

/* From now on those that end a program, among them those of batch systems and of limits on CPU
 * time, and SIGUSR1, which asks how far it is, come through iob_signals_take. What we were started
 * to ignore stays ignored, and SIGPIPE is.  Before any thread exists, so that all of them inherit
 * the mask. */
int iob_signals_catch(struct iob_signals *, struct iob_error *);
/* The next one that has come, 0 = none.  Does not wait. */
int iob_signals_take(const struct iob_signals *);
/* Between the two a signal interrupts what is being written to somebody who does not read, and is
 * taken as usual after that; what was interrupted is lost. */
void iob_signals_begin_talk(const struct iob_signals *);
void iob_signals_end_talk(const struct iob_signals *);
/* They do again what they usually do (SIGUSR1 nothing): once the measuring is over the program may
 * be writing to somebody who does not read. */
void iob_signals_release(const struct iob_signals *);
void iob_signals_close(struct iob_signals *);

#endif
