/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What came and went between two looks at the same kernels. */
#ifndef GPUPERF_TOOLS_CHECK_CHANGES_H
#define GPUPERF_TOOLS_CHECK_CHANGES_H

#include "tools/check/outcome.h"

/*
 * Gives each row that is in `before`, too, `causes_came`, `causes_went` (names) and `base_confidence`, and notes the
 * rows that are only there. A cause that costs GP_TOLD_FROM or more has come where it cost less than half of it. After
 * gp_gate_judge(), which gives rows their times before.
 */
void gp_add_changes(struct gp_outcome *outcome, const json_t *before);

#endif
