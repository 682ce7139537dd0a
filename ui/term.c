/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "ui/keymap.h"
#include "ui/ui.h"

/* That many requests to end, none of them read, end us at once. */
#define IMPATIENT   3
/* Who was asked to end looks so often whether the terminal still reads. */
#define WATCH_S     1
#define WATCH       SIGRTMIN
#define NSIG_CAUGHT (sizeof(graceful) / sizeof(graceful[0]))
#define NSIG_FATAL  (sizeof(fatal) / sizeof(fatal[0]))

static const int graceful[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGUSR1, SIGUSR2,
	SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPWR};
static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};

/* One terminal per process; signal handlers can reach nothing else. */
static struct {
	SCREEN *screen;
	bool open;
	int signal_pipe[2];
	volatile sig_atomic_t unread;  /* signals that ask us to end */
	volatile sig_atomic_t asked;   /* there was one */
	volatile sig_atomic_t writing; /* the library writes, for as long as nobody reads */
	sigjmp_buf before_writing;
	timer_t watch;
	bool have_watch;
	struct termios saved;
	bool have_saved;
	char restore[256];
	size_t restore_length;
	char paste_on[32], paste_off[32];
	bool mouse;
	int click_y, click_x;
	struct sigaction old[NSIG_CAUGHT + NSIG_FATAL];
} term = {.signal_pipe = {-1, -1}};

bool iob_ui_possible(char *why, unsigned n)
{
	const char *name = getenv("TERM");
	int status = 0;

	why[0] = '\0';
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		snprintf(why, n, "standard input and output are not both a terminal");
	else if (!name || !name[0])
		snprintf(why, n, "TERM is not set");
	else if (setupterm(name, STDOUT_FILENO, &status) != OK)
		snprintf(why, n, "TERM=%.40s is not known here", name);
	else {
		if (!tigetstr("cup") || !tigetstr("clear"))
			snprintf(why, n, "TERM=%.40s cannot place the cursor", name);
		del_curterm(cur_term);
	}
	return why[0] == '\0';
}

static const char *env(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

void iob_term_facts(struct iob_caps_facts *f)
{
	static char tty[64];

	if (ttyname_r(STDOUT_FILENO, tty, sizeof(tty)) != 0)
		tty[0] = '\0';
	f->term = env("TERM");
	f->tty = tty;
	f->codeset = nl_langinfo(CODESET);
	f->no_color = getenv("NO_COLOR");
	f->escdelay = getenv("ESCDELAY");
	f->ssh = env("SSH_CONNECTION")[0] || env("SSH_TTY")[0] || env("SSH_CLIENT")[0];
}

/* Only calls that are safe in a signal handler. */
static void restore_at_once(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

	/* A terminal that has stopped reading would hold us here for ever. */
	if (poll(&p, 1, 0) == 1 && (p.revents & POLLOUT))
		(void)!write(STDOUT_FILENO, term.restore, term.restore_length);
	if (term.have_saved)
		tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
}

static void on_crash(int number)
{
	restore_at_once();
	signal(number, SIG_DFL);
	raise(number);
}

bool iob_term_ends(int number)
{
	return number != SIGTSTP && number != SIGPIPE && number != SIGUSR1;
}

/* While the library writes: from now on, or not any more.  Safe in a signal handler. */
static void set_watch(long s)
{
	const struct itimerspec each = {{s, 0}, {s, 0}};

	if (term.have_watch)
		timer_settime(term.watch, 0, &each, NULL);
}

static void on_watch(int number)
{
	(void)number;
	if (term.writing && !iob_term_writable())
		siglongjmp(term.before_writing, 1);
}

static void note_end(void)
{
	term.asked = 1;
	if (!term.writing)
		return;
	if (!iob_term_writable())
		siglongjmp(term.before_writing, 1);
	set_watch(WATCH_S);
}

static void on_signal(int number)
{
	int saved = errno;
	char byte = (char)number;

	/* The loop does not get round to reading them: it is stuck in a write to a terminal that
	 * does not read. */
	if (iob_term_ends(number) && ++term.unread >= IMPATIENT) {
		restore_at_once();
		_exit(128 + number);
	}
	(void)!write(term.signal_pipe[1], &byte, 1);
	if (iob_term_ends(number))
		note_end();
	errno = saved;
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < NSIG_CAUGHT; i++)
		sigaction(graceful[i], &action, &term.old[i]);
	action.sa_handler = on_watch;
	sigaction(WATCH, &action, NULL);
	term.have_watch =
		timer_create(CLOCK_MONOTONIC,
			&(struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = WATCH},
			&term.watch) == 0;
	action.sa_handler = on_crash;
	action.sa_flags = (int)(SA_NODEFER | SA_RESETHAND);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < NSIG_FATAL; i++)
		sigaction(fatal[i], &action, &term.old[NSIG_CAUGHT + i]);
}

static void release_signals(void)
{
	if (term.have_watch)
		timer_delete(term.watch);
	term.have_watch = false;
	signal(WATCH, SIG_IGN);
	for (size_t i = 0; i < NSIG_CAUGHT; i++)
		sigaction(graceful[i], &term.old[i], NULL);
	for (size_t i = 0; i < NSIG_FATAL; i++)
		sigaction(fatal[i], &term.old[NSIG_CAUGHT + i], NULL);
}

static void add_restore(const char *text)
{
	size_t n = text && text != (const char *)-1 ? strlen(text) : 0;

	if (n && term.restore_length + n < sizeof(term.restore)) {
		memcpy(term.restore + term.restore_length, text, n);
		term.restore_length += n;
	}
}

static const char *capability(const char *name)
{
	/* The library's prototype lacks a const. */
	char copy[16];

	snprintf(copy, sizeof(copy), "%s", name);
	const char *value = tigetstr(copy);
	return value && value != (const char *)-1 ? value : "";
}

static void build_strings(void)
{
	snprintf(term.paste_on, sizeof(term.paste_on), "%s", capability("BE"));
	snprintf(term.paste_off, sizeof(term.paste_off), "%s", capability("BD"));
	term.restore_length = 0;
	add_restore(term.paste_off);
	/* What the library itself switches on for terminals that have kmous. */
	if (term.mouse && capability("kmous")[0])
		add_restore("\033[?1006l\033[?1000l");
	add_restore(capability("sgr0"));
	add_restore(capability("rmkx"));
	add_restore(capability("cnorm"));
	add_restore(capability("rmcup"));
	add_restore("\r\n");
}

static void set_modes(const struct iob_caps *caps)
{
	raw();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	curs_set(0);
	set_escdelay(caps->escdelay_ms);
	define_key("\033[200~", KEY_MAX - 2);
	define_key("\033[201~", KEY_MAX - 1);
	if (term.paste_on[0]) {
		putp(term.paste_on);
		fflush(stdout);
	}
}

int iob_term_open(struct iob_caps *caps, const struct iob_caps_facts *given, struct iob_error *err)
{
	struct iob_caps_facts facts = *given;

	if (pipe2(term.signal_pipe, O_NONBLOCK | O_CLOEXEC) < 0)
		return iob_fail(err, -errno, "pipe for signals: %m");
	term.have_saved = tcgetattr(STDIN_FILENO, &term.saved) == 0;
	/* Before newterm, which leaves alone what is caught already. */
	catch_signals();
	term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen) {
		release_signals();
		return iob_fail(
			err, -ENODEV, "terminal %s: cannot be set up; try `run`", facts.term);
	}
	term.open = true;
	facts.colors = has_colors() ? tigetnum("colors") : 0;
	iob_caps_decide(caps, &facts);
	build_strings();
	set_modes(caps);
	return 0;
}

/* False if the terminal did not take what was written, and we are asked to end: then the library
 * was left in the middle. */
static bool write_with(void (*act)(void))
{
	if (sigsetjmp(term.before_writing, 1) == 0) {
		term.writing = 1;
		if (term.asked)
			set_watch(WATCH_S);
		act();
		term.writing = 0;
		set_watch(0);
		return true;
	}
	term.writing = 0;
	set_watch(0);
	return false;
}

static void leave_screen(void)
{
	if (term.paste_off[0]) {
		putp(term.paste_off);
		fflush(stdout);
	}
	endwin();
	if (term.have_saved)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &term.saved);
}

void iob_term_close(void)
{
	if (!term.open)
		return;
	if (!write_with(leave_screen)) {
		iob_term_abandon();
		return;
	}
	term.open = false;
	/* No delscreen: it would lose the panel that the panel library keeps for itself, and the
	 * process has one screen only. */
	release_signals();
	close(term.signal_pipe[0]);
	close(term.signal_pipe[1]);
	term.signal_pipe[0] = term.signal_pipe[1] = -1;
}

void iob_term_abandon(void)
{
	if (!term.open)
		return;
	term.open = false;
	/* Somebody may have stopped it; what it looks like now it must not stay. */
	if (!iob_term_writable())
		tcflow(STDOUT_FILENO, TCOON);
	restore_at_once();
	release_signals();
}

static void update_screen(void)
{
	doupdate();
}

bool iob_term_show(void)
{
	return write_with(update_screen);
}

int iob_term_signal_fd(void)
{
	return term.signal_pipe[0];
}

int iob_term_next_signal(void)
{
	char byte = 0;

	term.unread = 0;
	return read(term.signal_pipe[0], &byte, 1) == 1 ? byte : 0;
}

bool iob_term_writable(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT);
}

bool iob_term_is_gone(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	int waiting = 0;

	if (poll(&p, 1, 0) != 1)
		return false;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	/* Readable without a byte to read: the other side has hung up. */
	return ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0;
}

void iob_term_suspend(bool group)
{
	struct sigaction mine, stop = {.sa_handler = SIG_DFL};

	if (term.paste_off[0]) {
		putp(term.paste_off);
		fflush(stdout);
	}
	def_prog_mode();
	endwin();
	if (term.have_saved)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &term.saved);
	sigaction(SIGTSTP, &stop, &mine);
	kill(group ? 0 : getpid(), SIGTSTP);
	/* Here again when continued, or at once where nobody could continue us. */
	sigaction(SIGTSTP, &mine, NULL);
	reset_prog_mode();
	if (term.paste_on[0]) {
		putp(term.paste_on);
		fflush(stdout);
	}
	clearok(curscr, TRUE);
	refresh();
}

static int special(int key)
{
	static const struct {
		int curses, ours;
	} keys[] = {{KEY_UP, IOB_KEY_UP}, {KEY_DOWN, IOB_KEY_DOWN}, {KEY_LEFT, IOB_KEY_LEFT},
		{KEY_RIGHT, IOB_KEY_RIGHT}, {KEY_HOME, IOB_KEY_HOME}, {KEY_END, IOB_KEY_END},
		{KEY_PPAGE, IOB_KEY_PAGE_UP}, {KEY_NPAGE, IOB_KEY_PAGE_DOWN},
		{KEY_BTAB, IOB_KEY_BACKTAB}, {KEY_BACKSPACE, IOB_KEY_BACKSPACE},
		{KEY_DC, IOB_KEY_DELETE}, {KEY_ENTER, IOB_KEY_ENTER},
		{KEY_MAX - 2, IOB_KEY_PASTE_BEGIN}, {KEY_MAX - 1, IOB_KEY_PASTE_END}};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].curses == key)
			return keys[i].ours;
	if (key >= KEY_F(1) && key <= KEY_F(12))
		return IOB_KEY_F(key - KEY_F(0));
	return IOB_KEY_OTHER;
}

/* The wheel is the arrow keys. */
static int mouse_key(void)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return IOB_KEY_OTHER;
	if (event.bstate & BUTTON4_PRESSED)
		return IOB_KEY_UP;
	if (event.bstate & BUTTON5_PRESSED)
		return IOB_KEY_DOWN;
	term.click_y = event.y;
	term.click_x = event.x;
	return event.bstate & BUTTON1_PRESSED ? IOB_KEY_CLICK : IOB_KEY_OTHER;
}

void iob_term_click(int *y, int *x)
{
	*y = term.click_y;
	*x = term.click_x;
}

void iob_term_mouse(bool on)
{
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	mouseinterval(0);
	term.mouse = on;
	build_strings();
}

int iob_term_key(bool *resized)
{
	wint_t key = 0;
	int kind = get_wch(&key);

	if (kind == ERR)
		return 0;
	if (kind == KEY_CODE_YES) {
		if (key == KEY_MOUSE)
			return mouse_key();
		if (key != KEY_RESIZE)
			return special((int)key);
		*resized = true;
		return IOB_KEY_OTHER;
	}
	if (key == '\r' || key == '\n')
		return IOB_KEY_ENTER;
	if (key == 127 || key == 8)
		return IOB_KEY_BACKSPACE;
	return key == 0 ? IOB_KEY_OTHER : (int)key;
}

static bool has_flag(const char *name)
{
	char copy[16];

	snprintf(copy, sizeof(copy), "%s", name);
	return tigetflag(copy) > 0;
}

void iob_term_size(int *rows, int *cols)
{
	getmaxyx(stdscr, *rows, *cols);
	if (*cols > 1 && has_flag("am") && !has_flag("xenl"))
		(*cols)--;
}
