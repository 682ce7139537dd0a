/* SPDX-License-Identifier: MIT */
/* Everything a key can ask for. */
#ifndef IOB_UI_ACTION_H
#define IOB_UI_ACTION_H

enum iob_action {
	IOB_ACT_NONE,
	IOB_ACT_DEPTH_DOWN,
	IOB_ACT_DEPTH_UP,
	IOB_ACT_BS_DOWN,
	IOB_ACT_BS_UP,
	IOB_ACT_READ_DOWN,
	IOB_ACT_READ_UP,
	IOB_ACT_PAUSE,
	IOB_ACT_VIEW_NEXT,
	IOB_ACT_VIEW_PREVIOUS,
	IOB_ACT_ZOOM_OUT,
	IOB_ACT_ZOOM_IN,
	IOB_ACT_FREEZE,
	IOB_ACT_BASELINE,
	IOB_ACT_SAVE,
	IOB_ACT_STOP,
	IOB_ACT_HELP,
	IOB_ACT_CANCEL, /* Esc: one level back; never quits */
	IOB_ACT_QUIT,
	IOB_ACT_INTERRUPT,
	IOB_ACT_REPAINT,
	IOB_ACT_SUSPEND,
	IOB_ACT_UP,
	IOB_ACT_DOWN,
	IOB_ACT_PAGE_UP,
	IOB_ACT_PAGE_DOWN,
	IOB_ACT_FIRST,
	IOB_ACT_LAST,
	IOB_ACT_NEXT_FIELD,
	IOB_ACT_PREVIOUS_FIELD,
	IOB_ACT_PATH,
	IOB_ACT_RESCAN,
	IOB_ACT_START,
	IOB_NACTIONS,
};

/* Turns a parameter: staged, guarded against pastes. */
static inline int iob_action_is_tuning(enum iob_action action)
{
	return action >= IOB_ACT_DEPTH_DOWN && action <= IOB_ACT_PAUSE;
}

#endif
