/* SPDX-License-Identifier: MIT */
/* Arrays that grow one element at a time. */
#ifndef IOB_BASE_ARRAY_H
#define IOB_BASE_ARRAY_H

#include <stddef.h>

/*
 * Room for one more element of `size` bytes behind the first `count`: the array, perhaps at another
 * place, to be freed with free(); NULL when there is no memory, and the array stays what it was.
 * array NULL and count 0 begin a new one.  How much room there is follows from the count alone, so
 * an array that was made in another way has no place here.  A count may become smaller at any time.
 *	struct line *grown = iob_array_extend(l->item, l->count, sizeof(*grown));
 *	if (!grown)
 *		return -ENOMEM;
 *	l->item = grown;
 */
void *iob_array_extend(void *array, size_t count, size_t size);

#endif
