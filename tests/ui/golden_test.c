/* SPDX-License-Identifier: MIT */
/*
 * Every screen at every size, glyph set and with and without colours is as it was agreed upon:
 * tests/ui/golden/SCREEN.txt has the text of the plain ones at 80x24 and 60x16, and
 * tests/ui/golden/digests a digest of each with its attributes.  What changed on purpose is taken
 * over with IOB_UPDATE_GOLDENS=1 in the environment of this test.
 */
#include <config.h>

#include <criterion/criterion.h>
#include <curses.h>
#include <locale.h>
#include <panel.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "result/runs.h"
#include "tests/support/sample_result.h"
#include "tests/support/ui_source.h"
#include "ui/setup.h"
#include "ui/theme.h"

#define MOST_ROWS  60
#define MOST_COLS  200
#define MOST_LINES 256

static struct iob_fake fake;
static struct iob_app *app;
static struct iob_plan *plan;
static struct iob_ui_config config;
static FILE *null;
static char text[MOST_ROWS][MOST_COLS * 4 + 1];
static char digest[MOST_LINES][80];
static unsigned ndigests, wrong;
static char state[] = "/tmp/iob-golden-XXXXXX";

static void begin(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	cr_assert_not_null(mkdtemp(state));
	setenv("XDG_STATE_HOME", state, 1);
	const char *dir = getenv("IOB_SRCDIR");
	char profiles[4096];
	snprintf(profiles, sizeof(profiles), "%s/profiles", dir ? dir : ".");
	setenv("IOTOP_BENCH_PROFILES", profiles, 1);
	null = fopen("/dev/null", "r+");
	cr_assert_not_null(null);
	if (!newterm("xterm-256color", null, null))
		cr_skip_test("no terminfo entry for xterm-256color");
	iob_fake_open(&fake);
	app = calloc(1, sizeof(*app));
	plan = calloc(1, sizeof(*plan));
	cr_assert(app && plan);
	iob_plan_init(plan);
	config = (struct iob_ui_config){.plan = plan, .setup = true, .words = ""};
	app->config = &config;
	app->plan = plan;
	app->cv = 2.1;
	app->facts.symbols = "auto";
	app->caps.refresh_ns = 250 * IOB_NS_PER_MS;
	app->model.plan = fake.plan;
	app->model.source = iob_fake_source(&fake);
	app->now_ns = 1040 * IOB_NS_PER_S;
}

static void end(void)
{
	iob_setup_free(app->setup);
	endwin();
	fclose(null);
	iob_model_free(&app->model);
	free(app);
	free(plan);
	iob_fake_close(&fake);
}

TestSuite(golden, .init = begin, .fini = end, .timeout = 60);

/* 100 s of running with a change and a mark. */
static void run(void)
{
	struct iob_model *m = &app->model;

	fake.workers = 4;
	fake.now_ms = 60000;
	iob_model_update(m, 1000 * IOB_NS_PER_S);
	iob_model_act(m, IOB_ACT_DEPTH_UP, 1000 * IOB_NS_PER_S);
	iob_model_update(m, 1001 * IOB_NS_PER_S);
	iob_model_mark(m, 80000, "fan off", 1001 * IOB_NS_PER_S);
	fake.now_ms = 100000;
	iob_model_update(m, 1040 * IOB_NS_PER_S);
	m->toast.level = IOB_TOAST_NONE;
}

/* Two disks that are not those of this machine. */
static void set_up(void)
{
	struct iob_setup *s = app->setup;
	struct iob_blockdev *d = calloc(2, sizeof(*d));

	cr_assert_not_null(d);
	d[0] = (struct iob_blockdev){.name = "nvme0n1",
		.path = "/dev/nvme0n1",
		.kind = "nvme",
		.model = "Samsung SSD 980 PRO",
		.contents = "gpt, 3 partitions",
		.use_text = "/ (mounted)",
		.use = IOB_USE_MOUNTED,
		.size = UINT64_C(1000204886016)};
	d[1] = (struct iob_blockdev){.name = "sdb",
		.path = "/dev/sdb",
		.kind = "sata",
		.model = "INTEL SSDSC2KB480G8",
		.contents = "ext4 \"backup\"",
		.has_signature = true,
		.size = UINT64_C(480103981056)};
	iob_blockdevs_free(&s->devices);
	s->devices = (struct iob_blockdevs){d, 2};
	s->path[0] = '\0';
	snprintf(s->scratch, sizeof(s->scratch),
		"scratch         1GiB  a new file in /var/tmp, removed afterwards");
	s->target = 0;
	iob_scr_setup.resize(app);
	s->runs_due_ns = 0;
	s->nruns = 0;
}

/* Two kept runs, the newer one at half the depth and 10 % slower. */
static void keep_two(void)
{
	struct iob_result *r = calloc(1, sizeof(*r));
	struct iob_error err = {.code = 0};
	char path[IOB_PATH_MAX];

	cr_assert_not_null(r);
	setenv("TZ", "UTC0", 1);
	iob_sample_result(r);
	cr_assert_geq(iob_runs_keep(r, path, sizeof(path), &err), 0, "%s", err.text);
	r->started_s += 3600;
	for (size_t i = 0; i < r->nsegments; i++) {
		r->segment[i].figures.all.iops *= 0.9;
		r->segment[i].params.live.iodepth /= 2;
	}
	cr_assert_geq(iob_runs_keep(r, path, sizeof(path), &err), 0, "%s", err.text);
	iob_result_free(r);
	free(r);
}

/* Only what is on the screen, but for the version. */
static void read_back(void)
{
	wchar_t line[MOST_COLS + 1];

	for (int y = 0; y < app->rows; y++) {
		mvwinnwstr(curscr, y, 0, line, app->cols);
		memset(text[y], 0, sizeof(text[y]));
		wcstombs(text[y], line, sizeof(text[y]) - 1);
		size_t n = strlen(text[y]);
		while (n > 0 && text[y][n - 1] == ' ')
			text[y][--n] = '\0';
	}
	char *version = strstr(text[0], PACKAGE_VERSION);
	if (version)
		memset(version, 'v', strlen(PACKAGE_VERSION));
}

/* FNV-1a */
static void add(uint64_t *hash, uint64_t v)
{
	*hash = (*hash ^ v) * UINT64_C(0x100000001b3);
}

static uint64_t digest_of_screen(void)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (int y = 0; y < app->rows; y++) {
		for (const char *p = text[y]; *p; p++)
			add(&hash, (unsigned char)*p);
		for (int x = 0; x < app->cols; x++) {
			cchar_t cell;
			wchar_t ch[CCHARW_MAX + 1];
			attr_t attr = 0;
			short pair = 0;

			mvwin_wch(curscr, y, x, &cell);
			getcchar(&cell, ch, &attr, &pair, NULL);
			add(&hash, (attr & (A_BOLD | A_REVERSE | A_UNDERLINE | A_DIM)) >> 8);
			add(&hash, (uint64_t)pair);
		}
	}
	return hash;
}

static FILE *open_golden(const char *name, const char *mode)
{
	const char *dir = getenv("IOB_SRCDIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/ui/golden/%s", dir ? dir : ".", name);
	return fopen(path, mode);
}

static bool updating(void)
{
	return getenv("IOB_UPDATE_GOLDENS") != NULL;
}

static void complain(const char *name)
{
	fprintf(stderr,
		"%s is not as it was agreed upon.  If that is meant: IOB_UPDATE_GOLDENS=1 (see "
		"CONTRIBUTING.md).  It is now:\n",
		name);
	for (int y = 0; y < app->rows; y++)
		fprintf(stderr, "%2d|%s\n", y, text[y]);
	wrong++;
}

/* Of the plain screens of two sizes the text is there to be read. */
static void check_text(const char *screen)
{
	char name[64], line[MOST_COLS * 4 + 2];
	bool same = true;

	snprintf(name, sizeof(name), "%s-%dx%d.txt", screen, app->cols, app->rows);
	FILE *f = open_golden(name, updating() ? "w" : "r");
	if (!f) {
		complain(name);
		return;
	}
	for (int y = 0; y < app->rows; y++) {
		if (updating()) {
			fprintf(f, "%s\n", text[y]);
			continue;
		}
		line[0] = '\0';
		if (fgets(line, sizeof(line), f))
			line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, text[y]) != 0 && same)
			fprintf(stderr, "%s, row %d: agreed |%s\n", name, y, line);
		same = same && strcmp(line, text[y]) == 0;
	}
	fclose(f);
	if (!same)
		complain(name);
}

static bool is_agreed(const char *line)
{
	char buf[128];
	FILE *f = open_golden("digests", "r");
	bool found = false;

	while (f && !found && fgets(buf, sizeof(buf), f)) {
		buf[strcspn(buf, "\n")] = '\0';
		found = strcmp(buf, line) == 0;
	}
	if (f)
		fclose(f);
	return found;
}

static void check(const char *screen, bool color)
{
	const char *glyphs = iob_glyphs_name(app->canvas.glyphs);
	char *line = digest[ndigests++];

	read_back();
	if (app->canvas.glyphs == IOB_GLYPHS_ASCII && !color &&
		(app->cols == 80 || app->cols == 60))
		check_text(screen);
	snprintf(line, sizeof(digest[0]), "%s %dx%d %s %s %016llx", screen, app->cols, app->rows,
		glyphs, color ? "colour" : "mono", (unsigned long long)digest_of_screen());
	if (!updating() && !is_agreed(line))
		complain(line);
}

static void draw(const struct iob_scr *screen, int rows, int cols, bool color)
{
	PANEL *panel;

	resizeterm(rows, cols);
	iob_theme_init(color);
	app->rows = rows;
	app->cols = cols;
	app->canvas.win = newwin(rows, cols, 0, 0);
	panel = new_panel(app->canvas.win);
	app->scroll = 0;
	app->screen = screen;
	if (screen->enter)
		screen->enter(app);
	if (screen == &iob_scr_setup)
		set_up();
	werase(app->canvas.win);
	screen->draw(app);
	update_panels();
	doupdate();
	/* Pickers have windows of their own, which leave with the screen. */
	check(screen == &iob_scr_setup       ? "setup"
		: screen == &iob_scr_compare ? "compare"
		: screen == &iob_scr_run     ? "dashboard"
		: screen == &iob_scr_help    ? "help"
		: screen == &iob_scr_options ? "options"
					     : "summary",
		color);
	if (screen->leave)
		screen->leave(app);
	del_panel(panel);
	delwin(app->canvas.win);
}

static void draw_all(bool color)
{
	static const struct {
		int rows, cols;
	} sizes[] = {{24, 80}, {40, 120}, {60, 200}, {16, 60}, {10, 40}};
	static const enum iob_glyphs sets[] = {
		IOB_GLYPHS_ASCII, IOB_GLYPHS_CONSOLE, IOB_GLYPHS_BLOCK, IOB_GLYPHS_BRAILLE};
	const struct iob_scr *const screens[] = {&iob_scr_setup, &iob_scr_run, &iob_scr_help,
		&iob_scr_options, &iob_scr_compare, &iob_scr_summary};

	for (size_t g = 0; g < sizeof(sets) / sizeof(sets[0]); g++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			for (size_t s = 0; s < sizeof(screens) / sizeof(screens[0]); s++) {
				app->canvas.glyphs = app->caps.glyphs = sets[g];
				iob_model_set_zoom(&app->model, 1);
				memset(app->model.axis, 0, sizeof(app->model.axis));
				draw(screens[s], sizes[i].rows, sizes[i].cols, color);
			}
}

Test(golden, every_screen_is_as_it_was_agreed_upon)
{
	run();
	keep_two();
	app->below = &iob_scr_run;
	draw_all(false);
	draw_all(true);
	if (updating()) {
		FILE *f = open_golden("digests", "w");

		cr_assert_not_null(f);
		for (unsigned i = 0; i < ndigests; i++)
			fprintf(f, "%s\n", digest[i]);
		cr_assert_eq(fclose(f), 0);
	}
	cr_assert_eq(wrong, 0, "%u screens changed", wrong);
}
