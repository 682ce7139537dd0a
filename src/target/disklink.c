/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/disklink.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "target/sysfs.h"

/* Of ten (or 130) bits on the wire so many are data. */
#define CODE_8_10    0.8
#define CODE_128_130 (128.0 / 130)

/* The number that a text begins with; 0 = none.  Locale: numbers are in that of C. */
static double leading_number(const char *folder, const char *attribute)
{
	char text[64], *end = NULL;

	if (!iob_sysfs_text(folder, attribute, text, sizeof(text)))
		return 0;
	double value = strtod(text, &end);
	return end != text && isfinite(value) && value > 0 && value < 1e6 ? value : 0;
}

/* GT/s are gigabits on the wire. */
static uint64_t pcie_bps(double gts, double lanes)
{
	return (uint64_t)(gts * 1e9 * lanes / 8 * (gts > 5 ? CODE_128_130 : CODE_8_10));
}

static bool is_pcie(struct iob_diskfacts *f, const char *folder)
{
	double speed = leading_number(folder, "current_link_speed");
	double width = leading_number(folder, "current_link_width");

	if (speed <= 0 || width <= 0)
		return false;
	f->link_bps = pcie_bps(speed, width);
	f->link_max_bps = pcie_bps(
		leading_number(folder, "max_link_speed"), leading_number(folder, "max_link_width"));
	snprintf(f->link, sizeof(f->link), "PCIe %.1f GT/s x%.0f", speed, width);
	return true;
}

/* /sys/devices/.../ata1/link1/ata_link/link1/sata_spd */
static bool is_sata(struct iob_diskfacts *f, const char *folder)
{
	const char *name = strrchr(folder, '/');
	char path[PATH_MAX];
	const struct dirent *e = NULL;
	bool found = false;

	if (!name || strncmp(name, "/ata", 4) != 0)
		return false;
	DIR *d = opendir(folder);
	while (d && !found && (e = readdir(d))) {
		int n = snprintf(
			path, sizeof(path), "%s/%s/ata_link/%s", folder, e->d_name, e->d_name);

		if (strncmp(e->d_name, "link", 4) != 0 || n < 0 || (size_t)n >= sizeof(path))
			continue;
		double now = leading_number(path, "sata_spd");
		if (now <= 0)
			continue;
		found = true;
		f->link_bps = (uint64_t)(now * 1e9 / 8 * CODE_8_10);
		f->link_max_bps =
			(uint64_t)(leading_number(path, "hw_sata_spd_limit") * 1e9 / 8 * CODE_8_10);
		snprintf(f->link, sizeof(f->link), "SATA %.1f Gb/s", now);
	}
	if (d)
		closedir(d);
	return found;
}

/* What the device itself could do on a better port is not told. */
static bool is_usb(struct iob_diskfacts *f, const char *folder)
{
	double speed = leading_number(folder, "speed");

	if (speed <= 0 || !iob_sysfs_exists(folder, "bMaxPacketSize0"))
		return false;
	f->link_bps = (uint64_t)(speed * 1e6 / 8 * (speed >= 10000 ? CODE_128_130 : CODE_8_10));
	f->link_max_bps = f->link_bps;
	snprintf(f->link, sizeof(f->link), "USB %.0f Mb/s", speed);
	return true;
}

void iob_disklink_find(struct iob_diskfacts *f, const char *folder)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s", folder);

	if (n < 0 || (size_t)n >= sizeof(path))
		return;
	/* The nearest one counts: a SATA controller is itself on PCIe. */
	for (char *slash = strrchr(path, '/'); slash && slash != path; slash = strrchr(path, '/')) {
		*slash = '\0';
		if (strcmp(path + (strlen(path) > 4 ? strlen(path) - 4 : 0), "/sys") == 0)
			return;
		if (is_sata(f, path) || is_usb(f, path) || is_pcie(f, path))
			return;
	}
}
