/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/hoststat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define NFIELDS          17
/* 2.6 kernels gave four columns for a partition, current ones seventeen. */
#define PARTITION_FIELDS 4
#define DISK_FIELDS      11

_Static_assert(sizeof(struct iob_diskstat) == NFIELDS * sizeof(uint64_t),
	"the fields are a row of counters in the kernel's order");

static void unpack(uint64_t *row, const struct iob_diskstat *s)
{
	memcpy(row, s, sizeof(*s));
}

static void pack(struct iob_diskstat *s, const uint64_t *row)
{
	memcpy(s, row, sizeof(*s));
}

/* The kernel prints some counters as 32 bits.  Going back without a wrap: a device that came back
 * counts from zero; a small step is the jitter of sums over CPUs. */
static uint64_t step(uint64_t a, uint64_t b)
{
	if (b >= a)
		return b - a;
	uint32_t wrapped = (uint32_t)b - (uint32_t)a;
	if (a <= UINT32_MAX && wrapped <= INT32_MAX)
		return wrapped;
	return b < a / 2 ? b : 0;
}

void iob_diskstat_delta(
	struct iob_diskstat *out, const struct iob_diskstat *a, const struct iob_diskstat *b)
{
	uint64_t from[NFIELDS], to[NFIELDS];
	uint64_t in_flight = b->in_flight;

	unpack(from, a);
	unpack(to, b);
	for (int i = 0; i < NFIELDS; i++)
		to[i] = step(from[i], to[i]);
	pack(out, to);
	out->in_flight = in_flight;
}

void iob_diskstat_add(struct iob_diskstat *to, const struct iob_diskstat *delta)
{
	uint64_t sum[NFIELDS], more[NFIELDS];

	unpack(sum, to);
	unpack(more, delta);
	for (int i = 0; i < NFIELDS; i++)
		sum[i] += more[i];
	pack(to, sum);
	to->in_flight = delta->in_flight;
}

void iob_diskstat_take(struct iob_diskstat *from, const struct iob_diskstat *part)
{
	uint64_t rest[NFIELDS], less[NFIELDS];
	uint64_t in_flight = from->in_flight;

	unpack(rest, from);
	unpack(less, part);
	for (int i = 0; i < NFIELDS; i++)
		rest[i] -= less[i] < rest[i] ? less[i] : rest[i];
	pack(from, rest);
	from->in_flight = in_flight;
}

void iob_diskstat_split(struct iob_diskstat *first, struct iob_diskstat *rest,
	const struct iob_diskstat *delta, double share)
{
	uint64_t whole[NFIELDS], part[NFIELDS];

	unpack(whole, delta);
	for (int i = 0; i < NFIELDS; i++) {
		part[i] = (uint64_t)((double)whole[i] * share + 0.5);
		if (part[i] > whole[i])
			part[i] = whole[i];
		whole[i] -= part[i];
	}
	pack(first, part);
	pack(rest, whole);
	first->in_flight = rest->in_flight = delta->in_flight;
}

/* Next number on this line; false at its end or when something else stands there. */
static bool number(const char **p, uint64_t *out)
{
	uint64_t v = 0;
	const char *s = *p;

	while (*s == ' ' || *s == '\t')
		s++;
	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (unsigned)(*s - '0'), &v))
			return false;
	*p = s;
	*out = v;
	return true;
}

int iob_diskstat_parse_counters(const char *p, struct iob_diskstat *out)
{
	uint64_t row[NFIELDS] = {0};
	int n = 0;

	while (n < NFIELDS && number(&p, &row[n]))
		n++;
	/* More columns than we know are a newer kernel's; anything but a column is not. */
	p += strspn(p, " \t\r");
	if (n < NFIELDS && *p && *p != '\n')
		return -EINVAL;
	if (n == PARTITION_FIELDS) {
		*out = (struct iob_diskstat){
			.reads = row[0],
			.read_sectors = row[1],
			.writes = row[2],
			.write_sectors = row[3],
		};
		return 0;
	}
	if (n < DISK_FIELDS)
		return -EINVAL;
	pack(out, row);
	return 0;
}

/* Words that are no numbers belong to the name: drivers have had blanks in it. */
static const char *skip_name(const char *p)
{
	size_t length;

	do {
		p += strspn(p, " \t");
		length = strcspn(p, " \t\r\n");
		p += length;
		const char *next = p + strspn(p, " \t");
		length = strcspn(next, " \t\r\n");
		if (length == strspn(next, "0123456789"))
			break;
	} while (length > 0);
	return p;
}

int iob_diskstat_parse(const char *text, unsigned major, unsigned minor, struct iob_diskstat *out)
{
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		const char *p = line + (*line == '\n');
		uint64_t ma = 0, mi = 0;

		line = p;
		if (!number(&p, &ma) || !number(&p, &mi) || ma != major || mi != minor)
			continue;
		return iob_diskstat_parse_counters(skip_name(p), out);
	}
	return -ENOENT;
}

int iob_diskstat_open(struct iob_diskstat_reader *r, const char *root, unsigned major,
	unsigned minor, struct iob_error *err)
{
	IOB_FREE char *path = NULL;

	*r = (struct iob_diskstat_reader){.fd = -1, .major = major, .minor = minor};
	if (asprintf(&path, "%s/proc/diskstats", root) < 0)
		return iob_fail(err, -ENOMEM, "open %s/proc/diskstats: %m", root);
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return iob_fail(
			err, -errno, "open %s: %m (figures of the disk will be missing)", path);
	return 0;
}

/* The whole file at once: the kernel makes the text anew at each read from the start. */
static int read_all(struct iob_diskstat_reader *r)
{
	size_t have = 0;

	for (;;) {
		if (r->size - have < 4096) {
			size_t size = r->size ? 2 * r->size : 16384;
			char *buf = realloc(r->buf, size);

			if (!buf)
				return -ENOMEM;
			r->buf = buf;
			r->size = size;
		}
		ssize_t n = pread(r->fd, r->buf + have, r->size - have - 1, (off_t)have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	r->buf[have] = '\0';
	return 0;
}

int iob_diskstat_read(struct iob_diskstat_reader *r, struct iob_diskstat *out)
{
	int rc = r->fd < 0 ? -EBADF : read_all(r);

	return rc < 0 ? rc : iob_diskstat_parse(r->buf, r->major, r->minor, out);
}

int iob_diskstat_again(const struct iob_diskstat_reader *r, unsigned major, unsigned minor,
	struct iob_diskstat *out)
{
	return r->buf ? iob_diskstat_parse(r->buf, major, minor, out) : -ENOENT;
}

bool iob_diskstat_is_zero(const struct iob_diskstat *s)
{
	return s->reads + s->writes + s->discards + s->flushes + s->io_ms + s->in_flight == 0;
}

void iob_diskstat_close(struct iob_diskstat_reader *r)
{
	if (r->buf || r->fd > 0)
		close(r->fd);
	free(r->buf);
	*r = (struct iob_diskstat_reader){.fd = -1};
}
