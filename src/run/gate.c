/* SPDX-License-Identifier: MIT */
/* How a run is held, and let go on: two words in the shared memory, one for each direction. */
#include <config.h>

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/shared.h"

/* A load process that waits still shows that it lives. */
#define BEAT_NS (100 * IOB_NS_PER_MS)

/* Until the word is no longer `seen`, at most so long.  The processes share the memory, so the
 * futex is not a private one. */
static void wait_for_change(_Atomic uint32_t *word, uint32_t seen, uint64_t ns)
{
	struct timespec ts = {(time_t)(ns / IOB_NS_PER_S), (long)(ns % IOB_NS_PER_S)};

	syscall(SYS_futex, word, FUTEX_WAIT, seen, &ts, NULL, 0);
}

/* Never back. */
static void raise_to(_Atomic uint32_t *word, uint32_t value)
{
	if (atomic_load(word) >= value)
		return;
	atomic_store(word, value);
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void iob_gate_note(struct iob_shared *sh, enum iob_gate gate)
{
	raise_to(&sh->reached, gate);
}

void iob_gate_pass(struct iob_shared *sh, enum iob_gate gate)
{
	iob_gate_note(sh, gate);
	for (;;) {
		uint32_t open = atomic_load(&sh->gate);

		if (open >= (uint32_t)gate)
			return;
		atomic_store(&sh->heartbeat_ns, iob_now_ns());
		wait_for_change(&sh->gate, open, BEAT_NS);
	}
}

void iob_gate_open(struct iob_shared *sh, enum iob_gate gate)
{
	raise_to(&sh->gate, gate);
}

bool iob_gate_is_reached(struct iob_shared *sh, enum iob_gate gate, int timeout_ms)
{
	uint64_t until = iob_now_ns() + (uint64_t)timeout_ms * IOB_NS_PER_MS;

	for (;;) {
		uint32_t at = atomic_load(&sh->reached);
		uint64_t now = iob_now_ns();

		if (at >= (uint32_t)gate || now >= until)
			return at >= (uint32_t)gate;
		wait_for_change(&sh->reached, at, until - now);
	}
}
