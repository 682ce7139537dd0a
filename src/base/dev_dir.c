/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/dev_dir.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

bool iob_is_dev_directory(const char *directory)
{
	IOB_FREE char *real = realpath(directory, NULL);
	struct stat here, dev, root;

	if (real && (strcmp(real, "/dev") == 0 || strncmp(real, "/dev/", 5) == 0))
		return true;
	if (stat(directory, &here) < 0 || stat("/dev", &dev) < 0 || here.st_dev != dev.st_dev)
		return false;
	/* The same file system mounted elsewhere; but /dev may also be a plain folder of /. */
	return here.st_ino == dev.st_ino || (stat("/", &root) == 0 && root.st_dev != dev.st_dev);
}
