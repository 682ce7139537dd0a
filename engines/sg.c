/* SPDX-License-Identifier: MIT */
/* sg: SCSI commands by SG_IO, past the block layer; one at a time, the caller waits for each. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "engines/engines.h"
#include "engines/scsi.h"

#define TIMEOUT_MS    30000
#define OLDEST_DRIVER 30000 /* SG_IO came with 3.0 */
#define MAX_RETRIES   100

struct sg_state {
	const struct iob_target *targets;
	struct iob_req *queued;
	bool fua[2];                    /* reads and writes past the device's cache */
	struct iob_scsi_outcome failed; /* the last one */
	bool has_failed;
	char words[128];
};

static int sg_probe(struct iob_error *err)
{
	DIR *dir = opendir("/sys/class/scsi_device");
	struct dirent *entry = NULL;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			break;
	bool found = dir && entry;
	if (dir)
		closedir(dir);
	if (!found)
		return iob_fail(err, -ENODEV,
			"sg: there is no SCSI device here (SAS, SATA, USB: /dev/sgN, /dev/sdX); use "
			"--ioengine=psync");
	return 0;
}

static int sg_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct sg_state *s = state;

	s->fua[IOB_OP_READ] = env->job->readfua;
	s->fua[IOB_OP_WRITE] = env->job->writefua;
	for (unsigned i = 0; i < env->ntargets; i++) {
		const struct iob_target *t = &env->targets[i];
		int version = 0;

		if (ioctl(t->fd, SG_GET_VERSION_NUM, &version) < 0 || version < OLDEST_DRIVER ||
			t->block_size == 0)
			return iob_fail_usage(err,
				"ioengine=sg: %.200s takes no SCSI commands; name a SCSI device "
				"(/dev/sgN, /dev/sdX), or use ioengine=psync",
				t->path);
	}
	s->targets = env->targets;
	return 0;
}

static void sg_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct sg_state *s = state;

	if (n > 0)
		s->queued = reqs[0];
}

static void fill(struct sg_io_hdr *io, struct iob_scsi_command *cmd, const struct iob_req *req)
{
	io->interface_id = 'S';
	io->cmdp = cmd->cdb;
	io->cmd_len = (unsigned char)cmd->length;
	io->timeout = TIMEOUT_MS;
	io->dxfer_direction = SG_DXFER_NONE;
	if (req->op <= IOB_OP_WRITE) {
		io->dxfer_direction = req->op == IOB_OP_READ ? SG_DXFER_FROM_DEV : SG_DXFER_TO_DEV;
		io->dxferp = req->buf;
		io->dxfer_len = req->length;
	} else if (req->op == IOB_OP_TRIM) {
		io->dxfer_direction = SG_DXFER_TO_DEV;
		io->dxferp = cmd->unmap;
		io->dxfer_len = sizeof(cmd->unmap);
	}
}

static int64_t send_once(struct sg_state *s, struct iob_scsi_command *cmd, struct iob_req *req)
{
	struct iob_scsi_outcome *o = &s->failed;
	struct sg_io_hdr io = {.sbp = o->sense, .mx_sb_len = sizeof(o->sense)};

	fill(&io, cmd, req);
	s->has_failed = false;
	if (ioctl(s->targets[req->file].fd, SG_IO, &io) < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	o->status = io.status;
	o->host_status = io.host_status;
	o->driver_status = io.driver_status;
	o->sense_length = io.sb_len_wr;
	int code = iob_scsi_errno(o);
	if (code < 0) {
		s->has_failed = true;
		return code;
	}
	if (req->op >= IOB_OP_FSYNC)
		return 0;
	if (req->op == IOB_OP_TRIM)
		return req->length;
	return (int64_t)req->length - io.resid;
}

static int64_t perform(struct sg_state *s, struct iob_req *req)
{
	struct iob_scsi_command cmd;
	int64_t result = iob_scsi_build(&cmd, req, s->targets[req->file].block_size);

	if (result < 0)
		return result;
	if (req->op <= IOB_OP_WRITE && s->fua[req->op])
		iob_scsi_force_access(&cmd);
	for (unsigned i = 0; i < MAX_RETRIES; i++) {
		result = send_once(s, &cmd, req);
		if (result != -EAGAIN)
			break;
	}
	return result;
}

static int sg_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct sg_state *s = state;

	(void)min;
	(void)timeout_ns;
	if (!s->queued || max == 0)
		return 0;
	done[0] = s->queued;
	done[0]->result = perform(s, done[0]);
	s->queued = NULL;
	return 1;
}

static void sg_flags(const void *state, char *buf, size_t n)
{
	const struct sg_state *s = state;

	snprintf(buf, n, "blocking sg_io%s%s", s->fua[IOB_OP_READ] ? " readfua" : "",
		s->fua[IOB_OP_WRITE] ? " writefua" : "");
}

static const char *sg_explain(void *state, const struct iob_req *req)
{
	struct sg_state *s = state;

	if (s->has_failed) {
		iob_scsi_words(&s->failed, s->words, sizeof(s->words));
		return s->words;
	}
	if (req->result == -EPERM || req->result == -EACCES)
		return "commands to this device are for root";
	if (req->result == -EINVAL || req->result == -ENOMEM)
		return "more than the adapter takes at once, or no whole blocks; use a smaller bs";
	return NULL;
}

static void sg_close(void *state)
{
	(void)state;
}

static const char *const params[] = {"readfua", "writefua", NULL};

const struct iob_engine iob_engine_sg = {
	.name = "sg",
	.summary = "SCSI commands past the block layer, for /dev/sgN and SCSI disks",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_COMMANDS,
	.max_capacity = 1,
	.params = params,
	.state_size = sizeof(struct sg_state),
	.probe = sg_probe,
	.open = sg_open,
	.queue = sg_queue,
	.reap = sg_reap,
	.flags = sg_flags,
	.explain = sg_explain,
	.close = sg_close,
};
