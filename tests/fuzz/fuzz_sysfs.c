/* SPDX-License-Identifier: MIT */
/* Any bytes as what the kernel says of two disks and of who uses them: a list whose texts are
 * clean, and no crash. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/hoststat.h"
#include "target/blockdev.h"
#include "target/ioscheduler.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static char root[64];

/* Filled in turn with the input's parts, which zero bytes part. */
static const char *const files[] = {
	"proc/self/mountinfo",
	"proc/swaps",
	"proc/stat",
	"sys/block/sda/size",
	"sys/block/sda/dev",
	"sys/block/sda/ro",
	"sys/block/sda/removable",
	"sys/block/sda/queue/scheduler",
	"sys/block/sda/queue/rotational",
	"sys/block/sda/queue/logical_block_size",
	"sys/block/sda/queue/physical_block_size",
	"sys/block/sda/queue/optimal_io_size",
	"sys/block/sda/queue/nr_requests",
	"sys/block/sda/device/model",
	"sys/block/sda/device/vendor",
	"sys/block/sda/device/serial",
	"sys/block/sda/device/numa_node",
	"sys/block/sda/sda1/size",
	"sys/block/sda/sda1/dev",
	"sys/block/sda/sda1/partition",
	"sys/block/loop0/size",
	"sys/block/loop0/dev",
	"sys/block/loop0/loop/backing_file",
	"sys/block/dm-0/size",
	"sys/block/dm-0/dev",
	"sys/block/dm-0/dm/name",
	"sys/block/dm-0/dm/uuid",
};
#define NFILES (sizeof(files) / sizeof(files[0]))

static void put(const char *name, const void *data, size_t size)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	IOB_FILE FILE *f = fopen(path, "we");
	if (!f || fwrite(data, 1, size, f) != size)
		abort();
}

static void clear(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	(void)!system(command);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	snprintf(root, sizeof(root), "/dev/shm/iob-fuzz-XXXXXX");
	if (!mkdtemp(root))
		abort();
	atexit(clear);
	put("sys/block/dm-0/slaves/sda/dev", "8:0\n", 4);
	put("sys/block/sda/holders/dm-0/dev", "253:0\n", 6);
	return 0;
}

static void check_text(const char *text, size_t room)
{
	size_t n = strnlen(text, room);

	if (n == room)
		abort();
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			abort();
}

static void check(const struct iob_blockdev *d)
{
	check_text(d->name, sizeof(d->name));
	check_text(d->model, sizeof(d->model));
	check_text(d->serial, sizeof(d->serial));
	check_text(d->scheduler, sizeof(d->scheduler));
	check_text(d->contents, sizeof(d->contents));
	check_text(d->use_text, sizeof(d->use_text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct iob_blockdevs list;
	struct iob_error err = {0};
	struct iob_ioscheduler scheduler;
	struct iob_cpustat cpu;

	for (size_t i = 0; i < NFILES; i++) {
		const uint8_t *end = memchr(data, '\0', size);
		size_t n = end ? (size_t)(end - data) : size;

		put(files[i], data, n);
		n += end != NULL;
		data += n;
		size -= n;
	}
	if (iob_blockdevs_list(&list, root, IOB_PROBE_NONE, &err) == 0) {
		for (size_t i = 0; i < list.count; i++)
			check(&list.item[i]);
		iob_blockdevs_free(&list);
	}
	iob_ioscheduler_find(&scheduler, root, "sda", "none", &err);
	iob_cpustat_read(root, &cpu);
	return 0;
}
