/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/devices_print.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"

#define LINE_CELLS 80
#define LINE_MOST  1000

enum column { NAME, SIZE, KIND, MODEL, SCHEDULER, BLOCKS, CONTENTS, USE, NCOLUMNS };

static const char *const heads[NCOLUMNS] = {
	"NAME", "SIZE", "KIND", "MODEL", "SCHED", "LBS/PBS", "CONTENTS", "USE"};

/* Names and sizes are never cut; of the rest the widest gives way first, down to this. */
#define LEAST_CELLS 5

static bool may_shrink(enum column c)
{
	return c == MODEL || c == SCHEDULER || c == CONTENTS || c == USE;
}

static bool may_be_written(const struct iob_blockdev *dev)
{
	return dev->use == IOB_USE_FREE && !dev->readonly;
}

static void cell_text(char *buf, size_t n, const struct iob_blockdev *dev, enum column c)
{
	switch (c) {
	case NAME:
		snprintf(buf, n, "%s%s", dev->is_partition ? "  " : "", dev->name);
		return;
	case SIZE:
		iob_format_bytes(buf, n, dev->size);
		return;
	case KIND:
		snprintf(buf, n, "%s", dev->is_partition ? "part" : dev->kind);
		return;
	case MODEL:
		snprintf(buf, n, "%s", dev->is_partition ? "" : dev->model);
		return;
	case SCHEDULER:
		snprintf(buf, n, "%s", dev->is_partition ? "" : dev->scheduler);
		return;
	case BLOCKS:
		snprintf(buf, n, "%u/%u", dev->logical_block_size, dev->physical_block_size);
		return;
	case CONTENTS:
		snprintf(buf, n, "%s", dev->contents);
		return;
	case USE:
	case NCOLUMNS:
		break;
	}
	snprintf(buf, n, "%s",
		dev->use != IOB_USE_FREE ? dev->use_text
		: dev->readonly          ? "read-only"
					 : "free");
}

/* A wide terminal has room for all, and a pager or a program cuts for itself. */
static size_t line_cells(FILE *out)
{
	struct winsize size;
	int fd = fileno(out);

	if (fd < 0)
		return LINE_CELLS;
	if (!isatty(fd))
		return LINE_MOST;
	if (ioctl(fd, TIOCGWINSZ, &size) || size.ws_col < LINE_CELLS)
		return LINE_CELLS;
	return size.ws_col;
}

/* Natural widths, then the widest column that can be cut is made narrower until a line fits.  A
 * column in which nobody has anything is left out (width 0). */
static void measure(size_t cells[NCOLUMNS], const struct iob_blockdevs *list, size_t most)
{
	char text[256];
	size_t total = 0;

	for (enum column c = 0; c < NCOLUMNS; c++) {
		cells[c] = 0;
		for (size_t i = 0; i < list->count; i++) {
			cell_text(text, sizeof(text), &list->item[i], c);
			size_t w = iob_text_width(text);
			if (w > cells[c])
				cells[c] = w;
		}
		if (cells[c] > 0 && cells[c] < strlen(heads[c]))
			cells[c] = strlen(heads[c]);
		total += cells[c] + (cells[c] > 0 && c > 0 ? 1 : 0);
	}
	while (total > most) {
		enum column widest = NCOLUMNS;

		for (enum column c = 0; c < NCOLUMNS; c++)
			if (may_shrink(c) && cells[c] > LEAST_CELLS &&
				(widest == NCOLUMNS || cells[c] > cells[widest]))
				widest = c;
		if (widest == NCOLUMNS)
			break;
		cells[widest]--;
		total--;
	}
}

static void print_cell(FILE *out, const char *text, enum column c, const size_t cells[NCOLUMNS])
{
	char padded[1024];

	if (cells[c] == 0)
		return;
	if (c == SIZE) {
		fprintf(out, " %*s", (int)cells[c], text);
		return;
	}
	iob_text_pad(padded, sizeof(padded), text, cells[c]);
	/* No blanks at the end of a line. */
	for (size_t n = strlen(padded); c == USE && n > 0 && padded[n - 1] == ' '; n--)
		padded[n - 1] = '\0';
	fprintf(out, "%s%s", c > 0 ? " " : "", padded);
}

static void print_table(FILE *out, const struct iob_blockdevs *list)
{
	size_t cells[NCOLUMNS];
	char text[256];

	measure(cells, list, line_cells(out));
	for (enum column c = 0; c < NCOLUMNS; c++)
		print_cell(out, heads[c], c, cells);
	fputc('\n', out);
	for (size_t i = 0; i < list->count; i++) {
		for (enum column c = 0; c < NCOLUMNS; c++) {
			cell_text(text, sizeof(text), &list->item[i], c);
			print_cell(out, text, c, cells);
		}
		fputc('\n', out);
	}
}

static void print_writable(FILE *out, const struct iob_blockdevs *list)
{
	static const char lead[] = "May be written, with --allow-write=DEVICE:";
	size_t column = 0, shown = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct iob_blockdev *dev = &list->item[i];

		if (!may_be_written(dev))
			continue;
		if (shown++ == 0)
			column = (size_t)fprintf(out, "\n%s", lead) - 1;
		if (column + 1 + strlen(dev->path) > LINE_CELLS)
			column = (size_t)fprintf(out, "\n   ") - 1;
		column += (size_t)fprintf(out, " %s", dev->path);
	}
	fprintf(out, shown > 0 ? "\n" : "\nNone of them may be written: in use or read-only.\n");
}

void iob_devices_print_text(FILE *out, const struct iob_blockdevs *list)
{
	if (list->count == 0) {
		fputs("No block devices.\n", out);
		return;
	}
	print_table(out, list);
	print_writable(out, list);
}

static const char *use_word(enum iob_blockdev_use use)
{
	switch (use) {
	case IOB_USE_MOUNTED:
		return "mounted";
	case IOB_USE_SWAP:
		return "swap";
	case IOB_USE_HELD:
		return "held";
	case IOB_USE_FREE:
		break;
	}
	return "free";
}

static json_t *device_json(const struct iob_blockdev *dev)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:b, "
			 "s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}",
		"name", dev->name, "path", dev->path, "parent", dev->parent, "kind", dev->kind,
		"model", dev->model, "serial", dev->serial, "scheduler", dev->scheduler, "contents",
		dev->contents, "use", use_word(dev->use), "use_text", dev->use_text,
		"has_signature", dev->has_signature, "may_be_written", may_be_written(dev),
		"readonly", dev->readonly, "rotational", dev->rotational, "removable",
		dev->removable, "partition", dev->is_partition, "major", (json_int_t)dev->major,
		"minor", (json_int_t)dev->minor, "size", (json_int_t)dev->size,
		"logical_block_size", (json_int_t)dev->logical_block_size, "physical_block_size",
		(json_int_t)dev->physical_block_size, "optimal_io_size",
		(json_int_t)dev->optimal_io_size, "nr_requests", (json_int_t)dev->nr_requests,
		"numa_node", dev->numa_node < 0 ? json_null() : json_integer(dev->numa_node));
}

int iob_devices_print_json(FILE *out, const struct iob_blockdevs *list)
{
	json_t *array = json_array();
	int rc = array ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < list->count; i++)
		if (json_array_append_new(array, device_json(&list->item[i])) < 0)
			rc = -ENOMEM;
	json_t *document = rc == 0 ? json_pack("{s:O}", "devices", array) : NULL;
	if (!document)
		rc = -ENOMEM;
	/* A failing write shows when the stream is flushed. */
	if (rc == 0) {
		(void)json_dumpf(document, out, JSON_INDENT(2));
		fputc('\n', out);
	}
	json_decref(document);
	json_decref(array);
	return rc;
}
