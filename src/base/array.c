/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/array.h"

#include <stdlib.h>

#define FIRST_ROOM 8

/* It has room for FIRST_ROOM, and doubles each time a power of two is reached. */
void *iob_array_extend(void *array, size_t count, size_t size)
{
	if (count != 0 && (count < FIRST_ROOM || (count & (count - 1)) != 0))
		return array;
	return reallocarray(array, count < FIRST_ROOM ? FIRST_ROOM : 2 * count, size);
}
