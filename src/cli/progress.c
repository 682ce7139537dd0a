/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/progress.h"

#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#define TERMINAL_EVERY_NS (250 * IOB_NS_PER_MS)
#define PLAIN_EVERY_NS    IOB_NS_PER_S

struct line {
	char *buf;
	size_t n, at;
};

static void add(struct line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct line *l, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(l->buf + l->at, l->n - l->at, format, ap);
	va_end(ap);
	if (n > 0)
		l->at = l->at + (size_t)n < l->n ? l->at + (size_t)n : l->n - 1;
}

static void add_layout(struct line *l, const struct iob_snapshot *s)
{
	char done[16], total[16];
	double share = s->layout_total ? 100 * (double)s->layout_done / (double)s->layout_total : 0;

	add(l, " %3.0f%%  %s of %s written", share,
		iob_format_bytes(done, sizeof(done), s->layout_done),
		iob_format_bytes(total, sizeof(total), s->layout_total));
}

static void add_rates(struct line *l, const struct iob_snapshot *s)
{
	const struct iob_segment_figures *now = &s->view.now;
	uint64_t p99 = 0;
	size_t before = l->at;

	for (int d = 0; d < IOB_NDIR; d++) {
		const struct iob_figures *f = &now->dir[d];
		char iops[16];

		/* A direction that the run has shows its zeros as well. */
		if (!f->ios && !s->view.segment.dir[d].ios && !s->view.segment.dir[d].issued)
			continue;
		add(l, "  %c %s", iob_dir_name((enum iob_dir)d)[0],
			iob_format_count(iops, sizeof(iops), f->iops));
		if (f->lat.percentile_ns[IOB_P99] > p99)
			p99 = f->lat.percentile_ns[IOB_P99];
	}
	if (l->at == before)
		add(l, "  0");
	bool huge = now->all.bw >= 1e4 * (1 << 20);
	add(l, huge ? " IOPS  %.1f GiB/s" : " IOPS  %.1f MiB/s",
		now->all.bw / (huge ? 1 << 30 : 1 << 20));
	if (p99) {
		char text[16];

		add(l, "  p99 %s", iob_format_latency(text, sizeof(text), p99));
	}
	add(l, "  %llu in flight", (unsigned long long)s->in_flight);
	if (now->all.errors)
		add(l, "  %llu errors", (unsigned long long)now->all.errors);
}

void iob_progress_line(char *buf, size_t n, const struct iob_snapshot *s)
{
	struct line l = {.buf = buf, .n = n};
	char left[24], done[24];

	buf[0] = '\0';
	add(&l, "[%s]", iob_phase_name(s->phase));
	if (s->phase == IOB_PHASE_LAYOUT) {
		add_layout(&l, s);
		return;
	}
	if (s->phase < IOB_PHASE_RAMP)
		return;
	if (s->duration_ns) {
		double share = 100 * (double)s->elapsed_ns / (double)s->duration_ns;

		add(&l, " %3.0f%%", share < 100 ? share : 100);
	} else {
		add(&l, " %s", iob_format_clock(done, sizeof(done), s->elapsed_ns));
	}
	add_rates(&l, s);
	if (!s->responding)
		add(&l, "  NOT RESPONDING");
	else if (s->remaining_ns != UINT64_MAX)
		add(&l, "  eta %s", iob_format_clock(left, sizeof(left), s->remaining_ns));
}

static size_t columns_of(int fd)
{
	struct winsize size;

	/* Serial lines report 0. */
	if (ioctl(fd, TIOCGWINSZ, &size) || size.ws_col < 20)
		return 80;
	return size.ws_col;
}

void iob_progress_init(struct iob_progress *p, FILE *stream)
{
	memset(p, 0, sizeof(*p));
	p->stream = stream;
	p->phase = -1;
	p->terminal = stream && isatty(fileno(stream));
}

/* A line at a time never waits for a reader that has stopped (Ctrl-S, a full pipe): what it does
 * not take is left out. */
static bool takes_more(const struct iob_progress *p)
{
	struct pollfd there = {.fd = fileno(p->stream), .events = POLLOUT};

	return there.fd < 0 || poll(&there, 1, 0) != 0;
}

/* Blanks instead of an escape sequence: every terminal knows them. */
static void clear_line(struct iob_progress *p)
{
	if (!p->shown)
		return;
	fprintf(p->stream, "\r%*s\r", (int)p->shown, "");
	p->shown = 0;
}

static void say(struct iob_progress *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A line that stays. */
static void say(struct iob_progress *p, const char *format, ...)
{
	va_list ap;

	clear_line(p);
	fputs("iotop-bench: ", p->stream);
	va_start(ap, format);
	vfprintf(p->stream, format, ap);
	va_end(ap);
	fputc('\n', p->stream);
}

/* Nobody shall have to guess. */
static const char *what_becomes_of_it(const struct iob_target_info *t)
{
	if (!t->path[0] || t->kind == IOB_TARGET_NULL)
		return "";
	return t->writable ? "; it is WRITTEN" : "; read only";
}

static void announce_running(struct iob_progress *p, const struct iob_snapshot *s)
{
	char time[24] = "until it is stopped";
	const char *fate = what_becomes_of_it(&s->target);

	if (s->duration_ns)
		iob_format_time_exact(time, sizeof(time), s->duration_ns);
	if (s->nstages > 1)
		say(p, "stage %u of %u: measuring %s with %s, %s%s", s->stage + 1, s->nstages,
			s->target.path[0] ? s->target.path : "nothing", s->engine, time, fate);
	else
		say(p, "measuring %s with %s, %s%s", s->target.path[0] ? s->target.path : "nothing",
			s->engine, time, fate);
}

static void announce_phase(struct iob_progress *p, const struct iob_snapshot *s)
{
	char size[16];

	if (p->phase == (int)s->phase && p->stage == s->stage)
		return;
	/* What is to be written is known before it is known whether there is room for it. */
	if (s->phase == IOB_PHASE_LAYOUT && s->layout_done == 0)
		return;
	bool back = p->phase == IOB_PHASE_PAUSED && p->stage == s->stage;
	p->phase = (int)s->phase;
	p->stage = s->stage;
	switch (s->phase) {
	case IOB_PHASE_LAYOUT:
		say(p, "making the file: %s to write",
			iob_format_bytes(size, sizeof(size), s->layout_total));
		break;
	case IOB_PHASE_RAMP:
		say(p, "ramp: not measured yet");
		break;
	case IOB_PHASE_RUNNING:
		if (!back)
			announce_running(p, s);
		break;
	case IOB_PHASE_DRAINING:
		if (s->in_flight)
			say(p, "waiting for %llu I/Os in flight", (unsigned long long)s->in_flight);
		break;
	case IOB_PHASE_FLUSH:
		if (s->target.writable)
			say(p, "syncing");
		break;
	case IOB_PHASE_STARTING:
	case IOB_PHASE_READY:
	case IOB_PHASE_PAUSED:
	case IOB_PHASE_DONE:
		break;
	}
}

static void announce_warnings(struct iob_progress *p, const struct iob_snapshot *s)
{
	/* Some come and go with the figures: those are for the report. */
	if (s->phase != IOB_PHASE_DONE)
		return;
	for (; p->warnings < s->warnings.count && takes_more(p); p->warnings++)
		say(p, "warning %s: %s", s->warnings.item[p->warnings].code,
			s->warnings.item[p->warnings].text);
}

static void show_line(struct iob_progress *p, const struct iob_snapshot *s)
{
	char text[256], padded[512];
	size_t cells, wide;

	iob_progress_line(text, sizeof(text), s);
	if (!p->terminal) {
		fprintf(p->stream, "%s\n", text);
		return;
	}
	/* The last column stays free: some terminals wrap when it is written. */
	p->columns = columns_of(fileno(p->stream));
	cells = iob_text_width(text);
	if (cells > p->columns - 1)
		cells = p->columns - 1;
	wide = cells > p->shown ? cells : p->shown;
	if (wide > p->columns - 1)
		wide = p->columns - 1;
	fprintf(p->stream, "\r%s", iob_text_pad(padded, sizeof(padded), text, wide));
	p->shown = cells;
}

static bool says_something(enum iob_phase phase)
{
	return phase == IOB_PHASE_LAYOUT || (phase >= IOB_PHASE_RAMP && phase != IOB_PHASE_DONE);
}

void iob_progress_show(struct iob_progress *p, const struct iob_snapshot *s, uint64_t now_ns)
{
	if (!p->stream || !takes_more(p))
		return;
	announce_phase(p, s);
	announce_warnings(p, s);
	if (now_ns >= p->next_ns && says_something(s->phase)) {
		/* The first plain line stands for a whole second. */
		if (p->terminal || p->next_ns)
			show_line(p, s);
		p->next_ns = now_ns + (p->terminal ? TERMINAL_EVERY_NS : PLAIN_EVERY_NS);
	}
	fflush(p->stream);
}

void iob_progress_hurry(struct iob_progress *p)
{
	p->next_ns = 1;
}

void iob_progress_end(struct iob_progress *p)
{
	if (!p->stream || !takes_more(p))
		return;
	clear_line(p);
	fflush(p->stream);
}
