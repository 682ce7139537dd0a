/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define MOST_CELLS 400

static int on_property(VTermProp prop, VTermValue *value, void *user)
{
	struct iob_pty *p = user;

	if (prop == VTERM_PROP_ALTSCREEN)
		p->alternate = value->boolean;
	else if (prop == VTERM_PROP_CURSORVISIBLE)
		p->cursor = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static bool open_vterm(struct iob_pty *p)
{
	p->vt = vterm_new(p->rows, p->cols);
	if (!p->vt)
		return false;
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
	p->cursor = true;
	return true;
}

static void set_environment(const char *const *env)
{
	for (; env && *env; env++) {
		if (strchr(*env, '='))
			putenv(strdup(*env));
		else
			unsetenv(*env);
	}
}

static _Noreturn void child(struct iob_pty *p, const char *const *argv, const char *const *env)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(p->master);
	setsid();
	ioctl(p->slave, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(p->slave, fd);
	if (p->slave > 2)
		close(p->slave);
	set_environment(env);
	/* execv does not change the strings; its type is older than const. */
	union {
		const char *const *in;
		char *const *out;
	} args = {argv};
	execv(argv[0], args.out);
	_exit(127);
}

bool iob_pty_open(
	struct iob_pty *p, int rows, int cols, const char *const *argv, const char *const *env)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	memset(p, 0, sizeof(*p));
	/* What a program takes a terminal without a size for. */
	p->rows = rows ? rows : 24;
	p->cols = cols ? cols : 80;
	if (openpty(&p->master, &p->slave, NULL, NULL, &size) < 0)
		return false;
	fcntl(p->master, F_SETFD, FD_CLOEXEC);
	tcgetattr(p->slave, &p->before);
	if (!open_vterm(p))
		return false;
	p->pid = fork();
	if (p->pid == 0)
		child(p, argv, env);
	return p->pid > 0;
}

static void reap(struct iob_pty *p, bool wait)
{
	if (!p->exited && waitpid(p->pid, &p->status, wait ? 0 : WNOHANG) == p->pid)
		p->exited = true;
}

void iob_pty_close(struct iob_pty *p)
{
	reap(p, false);
	if (!p->exited) {
		kill(p->pid, SIGKILL);
		reap(p, true);
	}
	vterm_free(p->vt);
	close(p->master);
	close(p->slave);
}

void iob_pty_send(struct iob_pty *p, const char *keys)
{
	size_t n = strlen(keys);

	while (n > 0) {
		ssize_t done = write(p->master, keys, n);

		if (done <= 0)
			return;
		keys += done;
		n -= (size_t)done;
	}
}

void iob_pty_resize(struct iob_pty *p, int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	/* What was written for the old size belongs to it. */
	while (iob_pty_pump(p, 0))
		;
	p->rows = rows;
	p->cols = cols;
	vterm_set_size(p->vt, rows, cols);
	ioctl(p->master, TIOCSWINSZ, &size);
}

bool iob_pty_pump(struct iob_pty *p, int ms)
{
	struct pollfd fd = {.fd = p->master, .events = POLLIN};
	char buf[8192];

	if (poll(&fd, 1, ms) != 1)
		return false;
	ssize_t n = read(p->master, buf, sizeof(buf));
	if (n <= 0)
		return false;
	p->bytes += (size_t)n;
	vterm_input_write(p->vt, buf, (size_t)n);
	vterm_screen_flush_damage(p->screen);
	/* Answers to queries; a program that asks would read them as keys. */
	n = (ssize_t)vterm_output_read(p->vt, buf, sizeof(buf));
	if (n > 0)
		p->saw_query = true;
	return true;
}

const char *iob_pty_row(struct iob_pty *p, int y)
{
	static char text[MOST_CELLS * 6];
	size_t used = 0, end = 0;

	for (int x = 0; x < p->cols && used + 8 < sizeof(text); x++) {
		VTermScreenCell cell;

		vterm_screen_get_cell(p->screen, (VTermPos){.row = y, .col = x}, &cell);
		if (cell.chars[0] == 0) {
			text[used++] = ' ';
			continue;
		}
		uint32_t c = cell.chars[0];
		if (c < 0x80) {
			text[used++] = (char)c;
		} else if (c < 0x800) {
			text[used++] = (char)(0xc0 | c >> 6);
			text[used++] = (char)(0x80 | (c & 0x3f));
		} else {
			text[used++] = (char)(0xe0 | (c >> 12 & 0xf));
			text[used++] = (char)(0x80 | (c >> 6 & 0x3f));
			text[used++] = (char)(0x80 | (c & 0x3f));
		}
		end = text[used - 1] == ' ' ? end : used;
	}
	text[end] = '\0';
	return text;
}

int iob_pty_find(struct iob_pty *p, const char *text)
{
	for (int y = 0; y < p->rows; y++)
		if (strstr(iob_pty_row(p, y), text))
			return y;
	return -1;
}

void iob_pty_dump(struct iob_pty *p)
{
	for (int y = 0; y < p->rows; y++)
		fprintf(stderr, "%2d|%s\n", y, iob_pty_row(p, y));
}

static bool wait_for(struct iob_pty *p, const char *text, bool there, int ms)
{
	uint64_t deadline = iob_monotonic_ns() + (uint64_t)ms * IOB_NS_PER_MS;

	for (;;) {
		if ((iob_pty_find(p, text) >= 0) == there)
			return true;
		if (iob_monotonic_ns() >= deadline)
			break;
		iob_pty_pump(p, 50);
		reap(p, false);
		/* What it wrote last may still be on its way. */
		if (p->exited && !iob_pty_pump(p, 50))
			break;
	}
	if ((iob_pty_find(p, text) >= 0) == there)
		return true;
	fprintf(stderr, "waited %d ms for \"%s\" to be %s\n", ms, text, there ? "there" : "gone");
	iob_pty_dump(p);
	return false;
}

bool iob_pty_wait(struct iob_pty *p, const char *text, int ms)
{
	return wait_for(p, text, true, ms);
}

bool iob_pty_wait_gone(struct iob_pty *p, const char *text, int ms)
{
	return wait_for(p, text, false, ms);
}

int iob_pty_wait_exit(struct iob_pty *p, int ms)
{
	uint64_t deadline = iob_monotonic_ns() + (uint64_t)ms * IOB_NS_PER_MS;

	for (reap(p, false); !p->exited; reap(p, false)) {
		if (iob_monotonic_ns() >= deadline) {
			fprintf(stderr, "still running after %d ms\n", ms);
			iob_pty_dump(p);
			return -1;
		}
		iob_pty_pump(p, 20);
	}
	while (iob_pty_pump(p, 0))
		;
	return WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 128 + WTERMSIG(p->status);
}

bool iob_pty_is_restored(struct iob_pty *p)
{
	struct termios now;

	if (tcgetattr(p->slave, &now) < 0)
		return false;
	if (now.c_lflag != p->before.c_lflag || now.c_iflag != p->before.c_iflag ||
		now.c_oflag != p->before.c_oflag || now.c_cflag != p->before.c_cflag ||
		memcmp(now.c_cc, p->before.c_cc, sizeof(now.c_cc)) != 0) {
		fprintf(stderr, "line settings differ: lflag %x, was %x\n", now.c_lflag,
			p->before.c_lflag);
		return false;
	}
	if (p->alternate || !p->cursor)
		fprintf(stderr, "alternate screen %d, cursor %d\n", p->alternate, p->cursor);
	return !p->alternate && p->cursor;
}
