/* SPDX-License-Identifier: MIT */
/* Composition root: the only file that knows everybody. */
#include <config.h>

#include <stdio.h>

int main(void)
{
	puts(PACKAGE_STRING);
	return 0;
}
