/* SPDX-License-Identifier: MIT */
/*
 * deny ERRNO-NAME SYSTEM-CALL[:N>=VALUE][,...] COMMAND...: run the command where these system calls
 * answer with the error, as the filters of containers do; with ":3>=65536" only those whose fourth
 * argument (below 4 GiB) is not less than that.  Exit status 77: no filter can be set here.
 */
#include <config.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST     16
#define PER_CALL 5

struct call {
	const char *name;
	long number;
};

static const struct call calls[] = {
	{"io_uring_setup", SYS_io_uring_setup},
	{"io_uring_enter", SYS_io_uring_enter},
	{"io_uring_register", SYS_io_uring_register},
	{"io_setup", SYS_io_setup},
	{"io_submit", SYS_io_submit},
	{"io_getevents", SYS_io_getevents},
	{"pread64", SYS_pread64},
	{"pwrite64", SYS_pwrite64},
	{"read", SYS_read},
	{"write", SYS_write},
	{"preadv", SYS_preadv},
	{"pwritev", SYS_pwritev},
	{"preadv2", SYS_preadv2},
	{"pwritev2", SYS_pwritev2},
	{"splice", SYS_splice},
	{"fsync", SYS_fsync},
	{"fdatasync", SYS_fdatasync},
	{"msync", SYS_msync},
	{"fallocate", SYS_fallocate},
	{"linkat", SYS_linkat},
	{"renameat", SYS_renameat},
	{"memfd_create", SYS_memfd_create},
	{"signalfd4", SYS_signalfd4},
	{"clone", SYS_clone},
	{"clone3", SYS_clone3},
	{"execve", SYS_execve},
	{"sched_setaffinity", SYS_sched_setaffinity},
	{"ioctl", SYS_ioctl},
	{"statx", SYS_statx},
	{"getrandom", SYS_getrandom},
	{"ftruncate", SYS_ftruncate},
#ifdef SYS_rename
	{"rename", SYS_rename},
	{"unlink", SYS_unlink},
#endif
};

static int find_errno(const char *name)
{
	for (int code = 1; code < 200; code++) {
		const char *known = strerrorname_np(code);

		if (known && strcmp(known, name) == 0)
			return code;
	}
	return -1;
}

static long find_call(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strlen(calls[i].name) == n && memcmp(calls[i].name, name, n) == 0)
			return calls[i].number;
	return -1;
}

static struct sock_filter load(size_t at)
{
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)at);
}

/* One call and its condition.  How many instructions, 0 = a word that is not understood. */
static int add_call(struct sock_filter *f, const char *word, size_t length, int code)
{
	size_t name = strcspn(word, ":,");
	long number = find_call(word, name < length ? name : length);
	unsigned argument = 0;
	unsigned long least = 0;
	bool conditional = name < length;
	int n = 0;

	if (number < 0 || (conditional && sscanf(word + name, ":%u>=%lu", &argument, &least) != 2))
		return 0;
	f[n++] = load(offsetof(struct seccomp_data, nr));
	f[n++] = (struct sock_filter)BPF_JUMP(
		BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, conditional ? 3 : 1);
	if (conditional) {
		/* The lower half; this machine's order of bytes is looked at by none of the tests.
		 */
		f[n++] = load(offsetof(struct seccomp_data, args) + argument % 6 * 8);
		f[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JGE | BPF_K, (unsigned)least, 0, 1);
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code);
	return n;
}

/* Load the number; a denied one answers with the error; all else goes on. */
static int make_filter(struct sock_filter *f, const char *list, int code)
{
	int n = 0;

	while (*list && n < PER_CALL * MOST) {
		size_t length = strcspn(list, ",");
		int more = add_call(f + n, list, length, code);

		if (more == 0)
			return -1;
		n += more;
		list += length + (list[length] == ',');
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return n;
}

int main(int argc, char **argv)
{
	struct sock_filter filter[PER_CALL * MOST + 2];
	int code = argc > 3 ? find_errno(argv[1]) : -1;
	int n = code > 0 ? make_filter(filter, argv[2], code) : -1;

	if (n < 0) {
		fprintf(stderr, "usage: deny ERRNO-NAME SYSTEM-CALL[,...] COMMAND...\n");
		return 2;
	}
	struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		fprintf(stderr, "deny: no filter: %m\n");
		return 77;
	}
	execvp(argv[3], argv + 3);
	fprintf(stderr, "deny: %s: %m\n", argv[3]);
	return 127;
}
