/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/devices_print.h"

static struct iob_blockdev items[3];
static struct iob_blockdevs list = {.item = items, .count = 3};
static char *output;
static size_t output_size;

static void fresh(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	items[0] = (struct iob_blockdev){.name = "nvme0n1",
		.path = "/dev/nvme0n1",
		.kind = "nvme",
		.model = "A Very Long Model Name of a Disk 2TB",
		.scheduler = "mq-deadline",
		.contents = "gpt, 1 partition",
		.use_text = "nvme0n1p1: /srv/with/a/long/path/to/it (mounted)",
		.use = IOB_USE_MOUNTED,
		.major = 259,
		.size = UINT64_C(2000398934016),
		.logical_block_size = 512,
		.physical_block_size = 4096,
		.numa_node = -1};
	items[1] = items[0];
	snprintf(items[1].name, sizeof(items[1].name), "nvme0n1p1");
	snprintf(items[1].path, sizeof(items[1].path), "/dev/nvme0n1p1");
	snprintf(items[1].parent, sizeof(items[1].parent), "nvme0n1");
	items[1].is_partition = true;
	items[2] = (struct iob_blockdev){.name = "sda",
		.path = "/dev/sda",
		.kind = "sata",
		.contents = "ext4 \"back\xc3\xbcp\"",
		.size = 1 << 20,
		.logical_block_size = 512,
		.physical_block_size = 512,
		.numa_node = 1};
}

static void done(void)
{
	free(output);
}

TestSuite(devices_print, .init = fresh, .fini = done, .timeout = 10);

static void print(bool json)
{
	FILE *f = open_memstream(&output, &output_size);

	if (json)
		cr_assert_eq(iob_devices_print_json(f, &list), 0);
	else
		iob_devices_print_text(f, &list);
	fclose(f);
}

Test(devices_print, no_line_is_wider_than_80_cells)
{
	print(false);
	char *rest = output;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		if (line[0] == '\0')
			continue;
		cr_expect_leq(iob_text_width(line), 80, "%s", line);
		cr_expect_neq(line[strlen(line) - 1], ' ', "%s", line);
	}
}

Test(devices_print, names_are_whole_and_partitions_indented)
{
	print(false);
	cr_expect_not_null(strstr(output, "\nnvme0n1 "));
	cr_expect_not_null(strstr(output, "\n  nvme0n1p1 "));
	cr_expect_not_null(strstr(output, "\nsda "));
}

Test(devices_print, says_what_may_be_written)
{
	print(false);
	cr_expect_not_null(strstr(output, "--allow-write=DEVICE: /dev/sda\n"));
	items[2].readonly = true;
	free(output);
	output = NULL;
	print(false);
	cr_expect_not_null(strstr(output, "None of them may be written"));
}

Test(devices_print, an_empty_list_says_so)
{
	list.count = 0;
	print(false);
	cr_expect_str_eq(output, "No block devices.\n");
}

Test(devices_print, json_has_every_device_with_its_fields)
{
	print(true);
	json_t *document = json_loads(output, 0, NULL);
	cr_assert_not_null(document);
	const json_t *array = json_object_get(document, "devices");
	cr_assert_eq(json_array_size(array), 3);
	const json_t *first = json_array_get(array, 0), *last = json_array_get(array, 2);
	cr_expect_str_eq(json_string_value(json_object_get(first, "name")), "nvme0n1");
	cr_expect_str_eq(json_string_value(json_object_get(first, "use")), "mounted");
	cr_expect_eq(json_integer_value(json_object_get(first, "size")), 2000398934016);
	cr_expect(json_is_false(json_object_get(first, "may_be_written")));
	cr_expect(json_is_null(json_object_get(first, "numa_node")));
	cr_expect(json_is_true(json_object_get(last, "may_be_written")));
	cr_expect_eq(json_integer_value(json_object_get(last, "numa_node")), 1);
	cr_expect(json_is_true(json_object_get(json_array_get(array, 1), "partition")));
	json_decref(document);
}

Test(devices_print, an_empty_list_is_an_empty_array)
{
	list.count = 0;
	print(true);
	json_t *document = json_loads(output, 0, NULL);
	cr_expect_eq(json_array_size(json_object_get(document, "devices")), 0);
	cr_expect(json_is_array(json_object_get(document, "devices")));
	json_decref(document);
}
