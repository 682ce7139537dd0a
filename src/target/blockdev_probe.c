/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/blockdev_probe.h"

#include <blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/detach.h"
#include "base/text.h"

/* Small enough that the kernel never splits one (PIPE_BUF). */
struct answer {
	size_t index;
	bool has_signature;
	char contents[sizeof(((struct iob_blockdev *)NULL)->contents)];
};

static void describe_found(blkid_probe probe, struct answer *answer)
{
	const char *value = NULL;
	char label[96];
	size_t n = sizeof(answer->contents);

	if (blkid_probe_lookup_value(probe, "TYPE", &value, NULL) == 0) {
		iob_text_clean(answer->contents, n, value);
		if (blkid_probe_lookup_value(probe, "LABEL", &value, NULL) == 0) {
			size_t used = strlen(answer->contents);

			iob_text_clean(label, sizeof(label), value);
			snprintf(answer->contents + used, n - used, " \"%s\"", label);
		}
		return;
	}
	if (blkid_probe_lookup_value(probe, "PTTYPE", &value, NULL) == 0) {
		blkid_partlist parts = blkid_probe_get_partitions(probe);
		int count = parts ? blkid_partlist_numof_partitions(parts) : 0;

		iob_text_clean(label, sizeof(label), value);
		snprintf(answer->contents, n, "%s, %d partition%s", label, count,
			count == 1 ? "" : "s");
		return;
	}
	snprintf(answer->contents, n, "something");
}

static void ask_blkid(blkid_probe probe, int fd, struct answer *answer)
{
	if (blkid_probe_set_device(probe, fd, 0, 0) != 0) {
		snprintf(answer->contents, sizeof(answer->contents), "unknown (%m)");
		return;
	}
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_TYPE);
	blkid_probe_enable_partitions(probe, 1);
	errno = 0;
	int rc = blkid_do_safeprobe(probe);
	answer->has_signature = rc == 0 || rc == -2;
	if (rc == 0)
		describe_found(probe, answer);
	else if (rc == -2)
		snprintf(answer->contents, sizeof(answer->contents), "several signatures");
	else if (rc == 1)
		snprintf(answer->contents, sizeof(answer->contents), "empty");
	else
		snprintf(answer->contents, sizeof(answer->contents), "unknown (%s)",
			errno == 0 ? "cannot be read" : "read error");
}

static void probe_one(const char *path, struct answer *answer)
{
	IOB_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		if (errno == EACCES || errno == EPERM)
			snprintf(answer->contents, sizeof(answer->contents),
				"unknown (no permission)");
		else
			snprintf(answer->contents, sizeof(answer->contents), "unknown (%m)");
		return;
	}
	blkid_probe probe = blkid_new_probe();
	if (!probe) {
		snprintf(answer->contents, sizeof(answer->contents), "unknown (no memory)");
		return;
	}
	ask_blkid(probe, fd, answer);
	blkid_free_probe(probe);
}

/* Never returns. */
static void child(const char *path, size_t index, int out)
{
	struct answer answer = {.index = index};

	out = iob_detach(out);
	probe_one(path, &answer);
	ssize_t n = write(out, &answer, sizeof(answer));
	_exit(n == (ssize_t)sizeof(answer) ? 0 : 1);
}

/* Until all children have closed their end, or the deadline.  True if all did. */
static bool collect(struct iob_blockdev *devices, size_t count, int in, uint64_t until)
{
	struct answer answer;

	for (;;) {
		struct pollfd p = {.fd = in, .events = POLLIN};
		uint64_t now = iob_monotonic_ns();
		int left = now >= until ? 0 : (int)((until - now) / IOB_NS_PER_MS) + 1;
		int rc = poll(&p, 1, left);

		if (rc < 0 && errno == EINTR)
			continue;
		if (rc <= 0)
			return false;
		ssize_t n = read(in, &answer, sizeof(answer));
		if (n == 0)
			return true;
		if (n != (ssize_t)sizeof(answer) || answer.index >= count)
			return false;
		struct iob_blockdev *dev = &devices[answer.index];
		dev->has_signature = answer.has_signature;
		memcpy(dev->contents, answer.contents, sizeof(dev->contents));
	}
}

/* A child that hangs in the kernel cannot even be killed: it is left to init. */
static void reap(const pid_t *pids, size_t count, bool finished)
{
	uint64_t until = iob_monotonic_ns() + 100 * IOB_NS_PER_MS;

	for (size_t i = 0; i < count; i++) {
		if (pids[i] <= 0)
			continue;
		if (!finished)
			kill(pids[i], SIGKILL);
		while (waitpid(pids[i], NULL, WNOHANG) == 0 && iob_monotonic_ns() < until)
			usleep(1000);
	}
}

void iob_blockdevs_probe(struct iob_blockdev *devices, size_t count, uint64_t deadline_ns)
{
	uint64_t until = iob_monotonic_ns() + deadline_ns;
	IOB_FREE pid_t *pids = calloc(count, sizeof(*pids));
	int ends[2];

	for (size_t i = 0; i < count; i++)
		snprintf(devices[i].contents, sizeof(devices[i].contents), "unknown (no answer)");
	if (count == 0 || !pids || pipe2(ends, O_CLOEXEC) < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			child(devices[i].path, i, ends[1]);
	}
	close(ends[1]);
	bool finished = collect(devices, count, ends[0], until);
	close(ends[0]);
	reap(pids, count, finished);
}
