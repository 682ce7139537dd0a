/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/thermometer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/target_fixture.h"

TestSuite(thermometer, .init = fixture_open, .fini = fixture_close, .timeout = 60);

#define SENSOR "sys/devices/nvme0n1/device/hwmon0/temp1_input"

static _Atomic int32_t hottest;

static void sensor(const char *value)
{
	fixture_write(SENSOR, value);
	fixture_link("sys/dev/block/259:0", "../../devices/nvme0n1");
}

static struct iob_thermometer *start(void)
{
	return iob_thermometer_start(fixture_dir, 259, 0, IOB_NS_PER_MS, &hottest);
}

static void wait_for(int32_t value)
{
	uint64_t until = iob_monotonic_ns() + 20 * IOB_NS_PER_S;

	while (atomic_load(&hottest) != value && iob_monotonic_ns() < until)
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
	cr_assert_eq(atomic_load(&hottest), value);
}

/* The heat of the middle, of which neither the begin nor the end knows. */
Test(thermometer, keeps_the_hottest)
{
	sensor("40000\n");
	struct iob_thermometer *t = start();
	cr_assert_not_null(t);
	wait_for(40000);
	fixture_write(SENSOR, "90000\n");
	wait_for(90000);
	fixture_write(SENSOR, "50000\n");
	iob_thermometer_stop(t);
	iob_thermometer_look(fixture_dir, 259, 0, &hottest);
	cr_assert_eq(atomic_load(&hottest), 90000);
}

Test(thermometer, a_sensor_that_vanishes_changes_nothing)
{
	char path[600];

	sensor("40000\n");
	struct iob_thermometer *t = start();
	wait_for(40000);
	snprintf(path, sizeof(path), "%s/" SENSOR, fixture_dir);
	cr_assert_eq(unlink(path), 0);
	iob_thermometer_look(fixture_dir, 259, 0, &hottest);
	iob_thermometer_stop(t);
	cr_assert_eq(atomic_load(&hottest), 40000);
}

/* A named pipe that nobody writes stands for a disk that never answers. */
Test(thermometer, nobody_waits_for_one_that_hangs)
{
	char path[600];

	sensor("40000\n");
	snprintf(path, sizeof(path), "%s/" SENSOR, fixture_dir);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(mkfifo(path, 0600), 0);
	struct iob_thermometer *t = start();
	uint64_t begin = iob_monotonic_ns();
	iob_sleep_until(iob_now_ns() + 50 * IOB_NS_PER_MS);
	iob_thermometer_stop(t);
	cr_assert_lt(iob_monotonic_ns() - begin, 20 * IOB_NS_PER_S);
	cr_assert_eq(atomic_load(&hottest), 0);
	iob_thermometer_stop(NULL);
}
