/* SPDX-License-Identifier: MIT */
/*
 * fault_fs BACKING-DIRECTORY MOUNT-POINT [FUSE-OPTION...]: shows the files of a directory, and goes
 * wrong as it is told.  A rule is a line written into the file `.fault`:
 *	OPERATION ACTION [ARGUMENT [FROM [TO [TIMES]]]]
 * Operations: read write fsync open flush unlink create.  Actions: err (an errno), delay (in
 * microseconds), hang (until the line `clear`, or until the mount is aborted), short (bytes), drop
 * (say done, and write nothing).  FROM and TO are offsets; TIMES is how often the rule applies, and
 * "+N" there means that it is asleep for the first N times.  FAULT_FS_DIRECT=1: no page cache.
 */
#include <config.h>

#define FUSE_USE_VERSION 35
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_RULES 16
#define CONTROL    "/.fault"

struct rule {
	char operation[8], action[8];
	long argument;
	long long from, to;
	long times; /* left; negative: for ever */
	long sleeps;
};

static struct {
	int directory;
	bool direct;
	pthread_mutex_t lock;
	pthread_cond_t cleared;
	unsigned count;
	struct rule rule[MOST_RULES];
} fs = {.lock = PTHREAD_MUTEX_INITIALIZER, .cleared = PTHREAD_COND_INITIALIZER};

/* What is to happen to one operation. */
struct fate {
	int error;
	long delay_us, cut; /* cut: bytes, -1 = none */
	bool drop;
};

static bool is_for(struct rule *r, const char *operation, long long at, size_t n)
{
	if (strcmp(r->operation, operation) != 0 || at >= r->to || at + (long long)n <= r->from)
		return false;
	if (r->sleeps > 0) {
		r->sleeps--;
		return false;
	}
	if (r->times == 0)
		return false;
	if (r->times > 0)
		r->times--;
	return true;
}

static struct fate fate_of(const char *operation, long long at, size_t n)
{
	struct fate f = {.cut = -1};

	pthread_mutex_lock(&fs.lock);
	for (unsigned i = 0; i < fs.count; i++) {
		struct rule *r = &fs.rule[i];

		if (!is_for(r, operation, at, n))
			continue;
		if (strcmp(r->action, "err") == 0)
			f.error = -(int)r->argument;
		else if (strcmp(r->action, "delay") == 0)
			f.delay_us = r->argument;
		else if (strcmp(r->action, "short") == 0)
			f.cut = r->argument;
		else if (strcmp(r->action, "drop") == 0)
			f.drop = true;
		while (i < fs.count && strcmp(r->action, "hang") == 0)
			pthread_cond_wait(&fs.cleared, &fs.lock);
	}
	pthread_mutex_unlock(&fs.lock);
	if (f.delay_us)
		usleep((unsigned)f.delay_us);
	return f;
}

static int take_rule(const char *text, size_t n)
{
	struct rule r = {.to = INT64_MAX, .times = -1};
	char line[200], times[24] = "";

	snprintf(line, sizeof(line), "%.*s", (int)(n < sizeof(line) ? n : sizeof(line) - 1), text);
	pthread_mutex_lock(&fs.lock);
	int rc = (int)n;
	if (strncmp(line, "clear", 5) == 0) {
		fs.count = 0;
		pthread_cond_broadcast(&fs.cleared);
	} else if (fs.count == MOST_RULES ||
		   sscanf(line, "%7s %7s %ld %lld %lld %23s", r.operation, r.action, &r.argument,
			   &r.from, &r.to, times) < 2) {
		rc = -EINVAL;
	} else {
		if (times[0] == '+')
			r.sleeps = strtol(times + 1, NULL, 10);
		else if (times[0])
			r.times = strtol(times, NULL, 10);
		fs.rule[fs.count++] = r;
	}
	pthread_mutex_unlock(&fs.lock);
	return rc;
}

static bool is_control(const char *path)
{
	return strcmp(path, CONTROL) == 0;
}

/* As seen from the backing directory. */
static const char *inside(const char *path)
{
	return path[1] ? path + 1 : ".";
}

static int result_of(int rc)
{
	return rc < 0 ? -errno : 0;
}

static int do_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	if (is_control(path)) {
		*st = (struct stat){.st_mode = S_IFREG | 0600, .st_nlink = 1};
		return 0;
	}
	if (fi)
		return result_of(fstat((int)fi->fh, st));
	return result_of(fstatat(fs.directory, inside(path), st, AT_SYMLINK_NOFOLLOW));
}

static int do_open_as(
	const char *operation, const char *path, mode_t mode, struct fuse_file_info *fi)
{
	if (is_control(path)) {
		fi->direct_io = 1;
		return 0;
	}
	struct fate f = fate_of(operation, 0, 1);
	if (f.error)
		return f.error;
	int flags = fi->flags & ~(O_DIRECT | O_APPEND | O_NOATIME);
	int fd = openat(fs.directory, inside(path), flags | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	fi->fh = (uint64_t)fd;
	fi->direct_io = fs.direct;
	return 0;
}

static int do_open(const char *path, struct fuse_file_info *fi)
{
	return do_open_as("open", path, 0, fi);
}

static int do_create(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	fi->flags |= O_CREAT;
	return do_open_as("create", path, mode, fi);
}

static int do_read(const char *path, char *buf, size_t n, off_t at, struct fuse_file_info *fi)
{
	if (is_control(path))
		return 0;
	struct fate f = fate_of("read", at, n);
	if (f.error)
		return f.error;
	ssize_t done =
		pread((int)fi->fh, buf, f.cut >= 0 && (size_t)f.cut < n ? (size_t)f.cut : n, at);
	return done < 0 ? -errno : (int)done;
}

static int do_write(
	const char *path, const char *buf, size_t n, off_t at, struct fuse_file_info *fi)
{
	if (is_control(path))
		return take_rule(buf, n);
	struct fate f = fate_of("write", at, n);
	if (f.error)
		return f.error;
	if (f.drop)
		return (int)n;
	ssize_t done =
		pwrite((int)fi->fh, buf, f.cut >= 0 && (size_t)f.cut < n ? (size_t)f.cut : n, at);
	return done < 0 ? -errno : (int)done;
}

static int do_fsync(const char *path, int data, struct fuse_file_info *fi)
{
	struct fate f = is_control(path) ? (struct fate){0} : fate_of("fsync", 0, 1);

	if (f.error || is_control(path))
		return f.error;
	return result_of(data ? fdatasync((int)fi->fh) : fsync((int)fi->fh));
}

static int do_flush(const char *path, struct fuse_file_info *fi)
{
	(void)fi;
	return is_control(path) ? 0 : fate_of("flush", 0, 1).error;
}

static int do_release(const char *path, struct fuse_file_info *fi)
{
	return is_control(path) ? 0 : result_of(close((int)fi->fh));
}

static int do_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	if (is_control(path))
		return 0;
	if (fi)
		return result_of(ftruncate((int)fi->fh, size));
	int fd = openat(fs.directory, inside(path), O_WRONLY | O_CLOEXEC);
	int rc = fd < 0 ? -errno : result_of(ftruncate(fd, size));
	if (fd >= 0)
		close(fd);
	return rc;
}

static int do_unlink(const char *path)
{
	struct fate f = fate_of("unlink", 0, 1);

	return f.error ? f.error : result_of(unlinkat(fs.directory, inside(path), 0));
}

static int do_rename(const char *from, const char *to, unsigned flags)
{
	return result_of(renameat2(fs.directory, inside(from), fs.directory, inside(to), flags));
}

static int do_fallocate(const char *path, int mode, off_t at, off_t n, struct fuse_file_info *fi)
{
	(void)path;
	return result_of(fallocate((int)fi->fh, mode, at, n));
}

static void *do_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)connection;
	config->use_ino = 1;
	/* Else a file that is open would be renamed, and its removal never asked for. */
	config->hard_remove = 1;
	return &fs;
}

static const struct fuse_operations operations = {
	.init = do_init,
	.getattr = do_getattr,
	.open = do_open,
	.create = do_create,
	.read = do_read,
	.write = do_write,
	.fsync = do_fsync,
	.flush = do_flush,
	.release = do_release,
	.truncate = do_truncate,
	.unlink = do_unlink,
	.rename = do_rename,
	.fallocate = do_fallocate,
};

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: fault_fs BACKING-DIRECTORY MOUNT-POINT [OPTION...]\n");
		return 2;
	}
	fs.directory = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fs.direct = getenv("FAULT_FS_DIRECT") != NULL;
	if (fs.directory < 0) {
		fprintf(stderr, "fault_fs: %s: %m\n", argv[1]);
		return 1;
	}
	argv[1] = argv[0];
	return fuse_main(argc - 1, argv + 1, &operations, NULL);
}
