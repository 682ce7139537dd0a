/* SPDX-License-Identifier: MIT */
/* Folders of the user's own: where runs are kept, and where settings are. */
#ifndef IOB_BASE_USER_DIR_H
#define IOB_BASE_USER_DIR_H

#include <stddef.h>

#include "base/error.h"

enum iob_user_dir {
	IOB_USER_STATE,  /* $XDG_STATE_HOME/iotop-bench, else ~/.local/state/iotop-bench */
	IOB_USER_CONFIG, /* $XDG_CONFIG_HOME/iotop-bench, else ~/.config/iotop-bench */
};

/* Its name; it need not exist.  Root is never led into the home of somebody else (sudo), where it
 * would leave files that their owner cannot remove. */
int iob_user_dir(enum iob_user_dir, char *buf, size_t n, struct iob_error *);
/* With the folders above it, for the user alone. */
int iob_user_dir_make(const char *path, struct iob_error *);

#endif
