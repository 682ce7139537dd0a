/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"

#define CLOCK_READINGS 256

static volatile uint64_t clock_sink;

static FILE *open_proc(const char *root, const char *name)
{
	char path[512];
	int n = snprintf(path, sizeof(path), "%s/proc/%s", root, name);

	return n > 0 && (size_t)n < sizeof(path) ? fopen(path, "re") : NULL;
}

/* The text after "KEY   :" if the line has that key. */
static const char *value_of(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n) != 0)
		return NULL;
	line += n;
	line += strspn(line, " \t");
	return *line == ':' ? line + 1 : NULL;
}

/* x86 names the model in "model name", others in "Model", "cpu", "Processor" or not at all. */
static void read_cpu(struct iob_host *host, const char *root)
{
	static const char *const keys[] = {"model name", "Model", "cpu model", "cpu", "Processor"};
	IOB_FILE FILE *f = open_proc(root, "cpuinfo");
	IOB_FREE char *line = NULL;
	size_t room = 0;

	while (f && !host->cpu[0] && getline(&line, &room, f) > 0) {
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			const char *value = value_of(line, keys[i]);

			if (value) {
				line[strcspn(line, "\n")] = '\0';
				iob_text_clean(host->cpu, sizeof(host->cpu), value);
				break;
			}
		}
	}
}

static void read_memory(struct iob_host *host, const char *root)
{
	IOB_FILE FILE *f = open_proc(root, "meminfo");
	IOB_FREE char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		const char *value = value_of(line, "MemTotal");

		if (value) {
			host->memory = strtoull(value, NULL, 10) * 1024;
			return;
		}
	}
}

/* The quickest of some rounds: what comes in between only adds. */
static void measure_clock(struct iob_host *host)
{
	uint64_t least = UINT64_MAX;

	for (int round = 0; round < 8; round++) {
		uint64_t begun = iob_monotonic_ns();

		for (int i = 0; i < CLOCK_READINGS; i++)
			clock_sink = iob_now_ns();
		uint64_t taken = iob_monotonic_ns() - begun;
		least = taken < least ? taken : least;
	}
	host->clock_ns = (uint32_t)((least + CLOCK_READINGS / 2) / CLOCK_READINGS);
	snprintf(host->clock, sizeof(host->clock), "%s", iob_clock_scale.tsc ? "tsc" : "monotonic");
}

void iob_host_read(struct iob_host *host, const char *root)
{
	struct utsname name;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	memset(host, 0, sizeof(*host));
	if (uname(&name) == 0) {
		iob_text_clean(host->name, sizeof(host->name), name.nodename);
		iob_text_clean(host->kernel, sizeof(host->kernel), name.release);
	}
	host->cpus = cpus > 0 ? (unsigned)cpus : 0;
	read_cpu(host, root);
	read_memory(host, root);
	measure_clock(host);
}
