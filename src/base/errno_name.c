/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/errno_name.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"

int iob_errno_parse(const char *text)
{
	const char *why;
	uint64_t number;

	for (int code = 1; code < IOB_ERRNO_MAX; code++) {
		const char *name = strerrorname_np(code);

		if (name && strcasecmp(name, text) == 0)
			return code;
	}
	if (iob_parse_uint(text, &number, &why) == 0 && number >= 1 && number <= IOB_ERRNO_MAX)
		return (int)number;
	return -EINVAL;
}
