/* SPDX-License-Identifier: MIT */
#include "job/fio_foreign.h"

#include <string.h>
#include <strings.h>

#include "base/nearest.h"

#define NOTE(name_, words_)                                                                        \
	{                                                                                          \
		name_, IOB_FOREIGN_NOTE, NULL, words_, false                                       \
	}
#define NOT_YET(name_, off_, words_)                                                               \
	{                                                                                          \
		name_, IOB_FOREIGN_NOT_YET, off_, words_, false                                    \
	}
#define NEVER(name_, off_, words_)                                                                 \
	{                                                                                          \
		name_, IOB_FOREIGN_NEVER, off_, words_, false                                      \
	}
#define COMMAND(name_, off_, words_)                                                               \
	{                                                                                          \
		name_, IOB_FOREIGN_COMMAND, off_, words_, false                                    \
	}
#define VERIFY            "verification comes later; leave it out"
#define WITHOUT_VERIFY    "no effect without verify"
#define WITHOUT_THINKTIME "no effect without thinktime"
#define WITHOUT_TARGET    "no effect without latency_target"
#define STEADY            "detecting a steady state comes later; use runtime and ramp_time"
#define WITHOUT_STEADY    "no effect without steadystate"
#define ZONES             "zones come later; use offset and size"
#define WITHOUT_ZONES     "no effect without zonemode"
#define REPLAY            "replaying a log comes later"
#define WITHOUT_IOLOG     "no effect without read_iolog"
#define WITHOUT_FLOW      "no effect without flow"
#define PRIORITIES        "hints with priorities come later; use cmdprio_class and cmdprio"
#define LATER             "comes later; leave it out"
#define COMMAND_LINE      "it belongs on the command line, not in a job file"

const struct iob_fio_foreign iob_fio_foreign[] = {
	NOT_YET("verify", "0,none", VERIFY),
	NOTE("do_verify", WITHOUT_VERIFY),
	NOTE("verify_interval", WITHOUT_VERIFY),
	NOTE("verify_offset", WITHOUT_VERIFY),
	NOTE("verify_pattern", WITHOUT_VERIFY),
	NOTE("verify_fatal", WITHOUT_VERIFY),
	NOTE("verify_dump", WITHOUT_VERIFY),
	NOTE("verify_async", WITHOUT_VERIFY),
	NOTE("verify_async_cpus", WITHOUT_VERIFY),
	NOTE("verify_backlog", WITHOUT_VERIFY),
	NOTE("verify_backlog_batch", WITHOUT_VERIFY),
	NOTE("experimental_verify", WITHOUT_VERIFY),
	NOTE("verify_state_load", WITHOUT_VERIFY),
	NOTE("verify_state_save", WITHOUT_VERIFY),
	NOTE("verify_header_seed", WITHOUT_VERIFY),
	NOTE("verify_write_sequence", WITHOUT_VERIFY),
	NOTE("verify_pattern_interval", WITHOUT_VERIFY),
	NOTE("verify_table", WITHOUT_VERIFY),
	NOTE("verifysort", WITHOUT_VERIFY),
	NOTE("verifysort_nr", WITHOUT_VERIFY),
	NOTE("trim_verify_zero", WITHOUT_VERIFY),
	NOTE("trim_backlog", WITHOUT_VERIFY),
	NOTE("trim_backlog_batch", WITHOUT_VERIFY),
	NOT_YET("verify_only", "0", VERIFY),
	NOT_YET("trim_percentage", "0", VERIFY),
	NOT_YET("block_error_percentiles", "0", VERIFY),
	NOT_YET("thinktime", "0", "think time comes later; rate_iops spaces requests evenly"),
	NOT_YET("thinkcycles", "0", "think time comes later; rate_iops spaces requests evenly"),
	NOTE("thinktime_spin", WITHOUT_THINKTIME),
	NOTE("thinktime_blocks", WITHOUT_THINKTIME),
	NOTE("thinktime_blocks_type", WITHOUT_THINKTIME),
	NOTE("thinktime_iotime", WITHOUT_THINKTIME),
	NOTE("rate_ignore_thinktime", WITHOUT_THINKTIME),
	NOT_YET("rate_min", "0", "a lower limit comes later; \"run --min-bw\" checks the mean"),
	NOT_YET("ratemin", "0", "a lower limit comes later; \"run --min-bw\" checks the mean"),
	NOT_YET("rate_iops_min", "0",
		"a lower limit comes later; \"run --min-iops\" checks the mean"),
	NOTE("rate_cycle", "no effect without rate_min or rate_iops_min"),
	NOTE("ratecycle", "no effect without rate_min or rate_iops_min"),
	NOT_YET("latency_target", "0",
		"a target comes later; \"run --sweep=iodepth=1..256 --sweep-p99=TIME\" finds the depth"),
	NOT_YET("max_latency", "0", "a limit comes later; \"run --max-p99=TIME\" checks one"),
	NOTE("latency_window", WITHOUT_TARGET),
	NOTE("latency_percentile", WITHOUT_TARGET),
	NOTE("latency_run", WITHOUT_TARGET),
	NOT_YET("steadystate", NULL, STEADY),
	NOT_YET("ss", NULL, STEADY),
	NOT_YET("steadystate_duration", "0", STEADY),
	NOT_YET("ss_dur", "0", STEADY),
	NOTE("steadystate_ramp_time", WITHOUT_STEADY),
	NOTE("ss_ramp", WITHOUT_STEADY),
	NOTE("ss_interval", WITHOUT_STEADY),
	NOTE("steadystate_check_interval", WITHOUT_STEADY),
	NOT_YET("zonemode", "none", ZONES),
	NOT_YET("zonesize", "0", ZONES),
	NOT_YET("zonerange", "0", ZONES),
	NOT_YET("zoneskip", "0", ZONES),
	NOTE("zonecapacity", WITHOUT_ZONES),
	NOTE("read_beyond_wp", WITHOUT_ZONES),
	NOTE("max_open_zones", WITHOUT_ZONES),
	NOTE("job_max_open_zones", WITHOUT_ZONES),
	NOTE("ignore_zone_limits", WITHOUT_ZONES),
	NOTE("zone_reset_threshold", WITHOUT_ZONES),
	NOTE("zone_reset_frequency", WITHOUT_ZONES),
	NOTE("recover_zbd_write_error", WITHOUT_ZONES),
	NOT_YET("read_iolog", NULL, REPLAY),
	NOT_YET("merge_blktrace_file", NULL, REPLAY),
	NOT_YET("write_iolog", NULL,
		"recording the requests comes later; write_lat_log with log_offset=1 has a line for each"),
	NOTE("read_iolog_chunked", WITHOUT_IOLOG),
	NOTE("replay_no_stall", WITHOUT_IOLOG),
	NOTE("replay_redirect", WITHOUT_IOLOG),
	NOTE("replay_scale", WITHOUT_IOLOG),
	NOTE("replay_align", WITHOUT_IOLOG),
	NOTE("replay_time_scale", WITHOUT_IOLOG),
	NOTE("replay_skip", WITHOUT_IOLOG),
	NOTE("merge_blktrace_scalars", WITHOUT_IOLOG),
	NOTE("merge_blktrace_iters", WITHOUT_IOLOG),
	NOT_YET("flow", "0", "balancing jobs comes later; use rate_iops"),
	NOTE("flow_id", WITHOUT_FLOW),
	NOTE("flow_sleep", WITHOUT_FLOW),
	NOTE("flow_watermark", WITHOUT_FLOW),
	NOT_YET("cmdprio_hint", "0", PRIORITIES),
	NOT_YET("priohint", "0", PRIORITIES),
	NOT_YET("end_syncfs", "0", LATER),
	NOT_YET("log_issue_time", "0", LATER),
	NOT_YET("md_per_io_size", "0", LATER),
	NOT_YET("pi_act", "0", LATER),
	NOT_YET("fdp", "0", LATER),
	NOT_YET("sprandom", "0", LATER),
	NOT_YET("num_range", "0", LATER),
	NOT_YET("ramp_size", "0", LATER),
	NOT_YET("random_sequence_stride", "0", LATER),
	NOT_YET("dataplacement", "none", LATER),
	NOT_YET("filetype", "none,all", LATER),
	NEVER("io_submit_mode", "inline",
		"each worker submits its own requests; numjobs makes more of them, and latency from the times that rate_iops intends needs no others"),
	NEVER("write_barrier", "0",
		"Linux has no barriers any more; use fdatasync=N, or sync=dsync for each write"),
	NEVER("lockfile", "none",
		"workers do not lock files; stonewall and wait_for let jobs run one after the other"),
	NEVER("fill_device", "0",
		"a file system is never filled up; on a device size=100% (the default) ends at its end"),
	NEVER("fill_fs", "0",
		"a file system is never filled up; on a device size=100% (the default) ends at its end"),
	NEVER("log_store_compressed", "0", "logs are text; compress them afterwards"),
	NEVER("sg_write_mode", "write", "only the commands READ, WRITE and UNMAP are sent"),
	NEVER("stream_id", "0", "only the commands READ, WRITE and UNMAP are sent"),
	NOT_YET("atomic", "0", "atomic writes come later; sync=dsync makes each write durable"),
	NEVER("cmd_type", "nvme", "only NVMe commands are sent"),
	NEVER("percentage_sequential", NULL, "write percentage_random, which is 100 less it"),
	{"cpumask", IOB_FOREIGN_CPUMASK, NULL,
		"CPUs as the bits of a number, 0xf for the first four; cpus_allowed=0-3 says the same",
		false},
	NOTE("clocksource",
		"the clock is chosen by the program: the CPU's, where the kernel trusts it"),
	NOTE("gtod_cpu",
		"the clock is chosen by the program: the CPU's, where the kernel trusts it"),
	NOTE("clat_clocksource",
		"the clock is chosen by the program: the CPU's, where the kernel trusts it"),
	NOTE("log_entries", "logs are written while the job runs"),
	NOTE("log_compression", "logs are not compressed"),
	NOTE("log_compression_cpus", "logs are not compressed"),
	NOTE("iomem_align", "buffers are aligned to pages"),
	NOTE("mem_align", "buffers are aligned to pages"),
	NOTE("hugepage-size", "mem=mmaphuge takes huge pages of the size that the system has"),
	{"userspace_reap", IOB_FOREIGN_NOTE, NULL,
		"completions are always taken where they are cheapest", true},
	NOTE("rwmixcycle", "the mix is kept at all times"),
	NEVER("allow_mounted_write", "0",
		"a device that is mounted is never written to; unmount it"),
	NEVER("profile", NULL,
		"write the options of the profile out, or see \"iotop-bench profiles\""),
	NEVER("cgroup", NULL,
		"start the program in the control group: systemd-run --scope -p IOWeight=N iotop-bench ..."),
	NEVER("cgroup_weight", NULL,
		"start the program in the control group: systemd-run --scope -p IOWeight=N iotop-bench ..."),
	NOTE("cgroup_nodelete", "no effect without cgroup"),
	NEVER("uid", NULL, "start the program as that user"),
	NEVER("gid", NULL, "start the program as that user"),
	NEVER("client", NULL, "one program, one machine: start it on each"),
	NEVER("server", NULL, "one program, one machine: start it on each"),
	NEVER("output", NULL, COMMAND_LINE),
	NEVER("output-format", NULL, COMMAND_LINE),
	NEVER("minimal", NULL, COMMAND_LINE),
	NEVER("eta", NULL, COMMAND_LINE),
	NEVER("section", NULL, COMMAND_LINE),
	NEVER("readonly", NULL, COMMAND_LINE),
	NEVER("showcmd", NULL, COMMAND_LINE),
	NEVER("parse-only", NULL, COMMAND_LINE),
	NEVER("status-interval", NULL, COMMAND_LINE),
	NEVER("terse-version", NULL, COMMAND_LINE),
	NEVER("append-terse", NULL, COMMAND_LINE),
	NEVER("bandwidth-log", NULL, COMMAND_LINE),
	NEVER("warnings-fatal", NULL, COMMAND_LINE),
	NEVER("max-jobs", NULL, COMMAND_LINE),
	NEVER("idle-prof", NULL, COMMAND_LINE),
	NEVER("debug", NULL, COMMAND_LINE),
	COMMAND("exec_prerun", NULL,
		"it runs a command; leave it out, or run the command before the program"),
	COMMAND("exec_postrun", NULL,
		"it runs a command; leave it out, or run the command after the program"),
	{NULL, IOB_FOREIGN_NOTE, NULL, NULL, false},
};

static const struct {
	const char *names;
	const char *words;
} engines[] = {
	{"cpuio", "it measures no disk; use another program for load on the CPUs"},
	{"net,netsplice,rdma", "it measures a network, not a disk"},
	{"ftruncate,filecreate,filestat,filedelete,dircreate,dirstat,dirdelete,falloc,e4defrag",
		"it measures a file system's own calls, which is not supported yet"},
	{"exec", "it runs commands"},
	{"gfapi,gfapi_async,rados,rbd,nbd,http,libhdfs,libiscsi,libnfs",
		"it talks to a server past the kernel; mount or attach the volume and use io_uring"},
	{"mtd", "flash without a block layer is not supported; use psync on /dev/mtdblockN"},
	{"pmemblk,dev-dax,libpmem", "persistent memory past the kernel is not supported; use mmap"},
	{"libzbc,libblkio,xnvme,spdk,spdk_bdev",
		"it goes past the kernel, or needs a library that is not used here; use io_uring or io_uring_cmd"},
	{"guasi,solarisaio,windowsaio,syslet-rw",
		"it does not exist on this system; use io_uring or libaio"},
};

/* Is it one of the comma separated words? */
static bool listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	while (list && *list != '\0') {
		size_t length = strcspn(list, ",");

		if (length == n && strncasecmp(list, word, n) == 0)
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

const struct iob_fio_foreign *iob_fio_foreign_find(const char *name)
{
	for (const struct iob_fio_foreign *f = iob_fio_foreign; f->name; f++) {
		if (iob_name_is(f->name, strlen(f->name), name))
			return f;
	}
	return NULL;
}

bool iob_fio_foreign_is_off(const struct iob_fio_foreign *f, const char *value)
{
	return value && f->off && listed(f->off, value);
}

const char *iob_fio_foreign_engine(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (listed(engines[i].names, name))
			return engines[i].words;
	}
	if (strncmp(name, "external:", strlen("external:")) == 0 || strstr(name, ".so"))
		return "engines cannot be loaded from files; \"iotop-bench engines\" lists those "
		       "that there are";
	return NULL;
}

const char *iob_fio_engine_alias(const char *name)
{
	if (strcmp(name, "aio") == 0 || strcmp(name, "linuxaio") == 0)
		return "libaio";
	return NULL;
}
