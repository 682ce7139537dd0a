/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/field_param.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The library hands the argument through void pointers only. */
static void *make_argument(va_list *ap)
{
	return va_arg(*ap, struct iob_field_param *);
}

static bool value_of(FIELD *field, struct iob_field_param *p)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s", field_buffer(field, 0));
	size_t n = strlen(text);
	while (n > 0 && text[n - 1] == ' ')
		text[--n] = '\0';
	p->error.code = 0;
	if (n == 0 && p->may_be_empty && iob_param_set(&p->job, p->param, "", &p->error) < 0)
		return false;
	return n == 0 ? p->may_be_empty : iob_param_set(&p->job, p->param, text, &p->error) == 0;
}

static bool check(FIELD *field, const void *argument)
{
	/* Ours, handed in by iob_field_param_attach. */
	return value_of(field, (struct iob_field_param *)(uintptr_t)argument);
}

static bool step(FIELD *field, const void *argument, int direction)
{
	struct iob_field_param *p = (struct iob_field_param *)(uintptr_t)argument;
	char text[1024];

	if (!value_of(field, p) || !iob_param_step(&p->job, p->param, direction))
		return false;
	iob_param_get(&p->job, p->param, text, sizeof(text));
	return set_field_buffer(field, 0, text) == E_OK;
}

static bool next(FIELD *field, const void *argument)
{
	return step(field, argument, 1);
}

static bool previous(FIELD *field, const void *argument)
{
	return step(field, argument, -1);
}

bool iob_field_param_attach(FIELD *field, struct iob_field_param *p)
{
	p->type = new_fieldtype(check, NULL);
	return p->type && set_fieldtype_arg(p->type, make_argument, NULL, NULL) == E_OK &&
	       set_fieldtype_choice(p->type, next, previous) == E_OK &&
	       set_field_type(field, p->type, p) == E_OK;
}

void iob_field_param_free(struct iob_field_param *p)
{
	if (p->type)
		free_fieldtype(p->type);
	p->type = NULL;
}
