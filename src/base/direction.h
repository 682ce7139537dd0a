/* SPDX-License-Identifier: MIT */
/* The three directions that all figures are split into, in fio's order. */
#ifndef IOB_BASE_DIRECTION_H
#define IOB_BASE_DIRECTION_H

enum iob_dir {
	IOB_READ,
	IOB_WRITE,
	IOB_TRIM,
	IOB_NDIR,
};

static inline const char *iob_dir_name(enum iob_dir dir)
{
	static const char *const names[IOB_NDIR] = {"read", "write", "trim"};

	return names[dir];
}

#endif
