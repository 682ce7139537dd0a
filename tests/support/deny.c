/* SPDX-License-Identifier: MIT */
/*
 * deny ERRNO-NAME SYSTEM-CALL[,...] COMMAND...: run the command where these system calls answer
 * with the error, as the filters of containers do.  Exit status 77: no filter can be set here.
 */
#include <config.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 16

struct call {
	const char *name;
	long number;
};

static const struct call calls[] = {
	{"io_uring_setup", SYS_io_uring_setup},
	{"io_uring_enter", SYS_io_uring_enter},
	{"io_uring_register", SYS_io_uring_register},
	{"io_setup", SYS_io_setup},
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

/* Load the number; a denied one answers with the error; all else goes on. */
static int make_filter(struct sock_filter *f, const char *list, int code)
{
	int n = 0;

	f[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	while (*list && n < 2 * MOST) {
		size_t length = strcspn(list, ",");
		long number = find_call(list, length);

		if (number < 0)
			return -1;
		f[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
		f[n++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code);
		list += length + (list[length] == ',');
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return n;
}

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * MOST + 2];
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
