/* SPDX-License-Identifier: MIT */
/* Standard input, output and error as the program needs them, whatever it was started with. */
#ifndef IOB_BASE_STREAMS_H
#define IOB_BASE_STREAMS_H

#include <stdbool.h>

/* Before anything is opened, read or written. */
void iob_streams_mend(void);

/* Would a line be taken at once?  A reader that has stopped (Ctrl-S, a full pipe) shall not be
 * waited for.  True where nothing can be known, or writing fails anyway. */
bool iob_stream_takes_more(int fd);

#endif
