/* SPDX-License-Identifier: MIT */
/* Prints what the program's tables name, one per line after the kind, for tests/man.sh. */
#include <stdio.h>

#include "job/param.h"
#include "load/engine.h"
#include "result/result.h"
#include "ui/keymap.h"

int main(void)
{
	for (size_t i = 0; i < iob_param_count(); i++)
		printf("param %s\n", iob_param_at(i)->name);
	for (size_t i = 0; i < iob_nbindings; i++)
		if (iob_bindings[i].keys)
			printf("keys %s\n", iob_bindings[i].keys);
	for (size_t i = 0; iob_engines[i]; i++)
		printf("engine %s\n", iob_engines[i]->name);
	for (size_t i = 0; iob_formats[i].name; i++)
		printf("format %s\n", iob_formats[i].name);
	return 0;
}
