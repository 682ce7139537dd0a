/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <string.h>

#define LONGEST 40

static char fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '-' ? '_' : c;
}

bool iob_name_is(const char *name, size_t n, const char *typed)
{
	for (size_t i = 0; i < n; i++) {
		char a = name[i] == '-' ? '_' : name[i];
		char b = typed[i] == '-' ? '_' : typed[i];

		if (a != b)
			return false;
	}
	return typed[n] == '\0';
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Optimal string alignment: edits, with a swap of neighbours as one. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned row[3][LONGEST + 1];

	for (unsigned j = 0; j <= nb; j++)
		row[0][j] = j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned *now = row[i % 3];
		const unsigned *up = row[(i + 2) % 3];
		const unsigned *up2 = row[(i + 1) % 3];

		now[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			char x = fold(a[i - 1]);
			char y = fold(b[j - 1]);

			now[j] = least(up[j] + 1, now[j - 1] + 1, up[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == fold(b[j - 2]) && y == fold(a[i - 2]) &&
				up2[j - 2] + 1 < now[j])
				now[j] = up2[j - 2] + 1;
		}
	}
	return row[na % 3][nb];
}

void iob_nearest_offer(struct iob_nearest *n, const char *name)
{
	size_t typed = strlen(n->typed);
	size_t length = strlen(name);

	if (typed == 0 || typed > LONGEST || length > LONGEST)
		return;
	unsigned d = distance(n->typed, typed, name, length);
	size_t longer = typed > length ? typed : length;
	if (d > (longer + 2) / 3 || d >= longer || (n->best && d >= n->distance))
		return;
	n->best = name;
	n->distance = d;
}
