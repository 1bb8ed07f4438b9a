/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * `predict --fix-it`: changes of the source that gain. Each is made on a copy in memory, compiled and predicted again,
 * with the local size of the launch and with the best one, and is offered where one of these takes less time and none
 * takes more. Nothing is written.
 *
 *   1 of 2 changes gains. Each was made on a copy, compiled and predicted again; nothing is written.
 *
 *   1  pad the rows of 'tile' (same results)
 *      transpose on a100, local 32x32 (your launch): 25.5 us -> 9.44 us; promised 2.90x, predicted again 2.70x
 *   --- a/transpose.cl
 *   +++ b/transpose.cl
 *   ...
 *
 *   Tried and not offered:
 *      single-precision constants in scale (transpose.cl:31): predicted again 1.00x
 */
#ifndef GPUPERF_TOOLS_FIXIT_OFFER_H
#define GPUPERF_TOOLS_FIXIT_OFFER_H

#include "tools/session.h"

struct gp_offer;

/* NULL: a sentence; changes are not to be had of such an input, or not to be printed as asked for. */
struct gp_offer *gp_offer_begin(const struct gp_session *session, struct gp_error *error);

/* Notes what the source takes as it is: a session's `take`. False: a sentence. */
bool gp_offer_take(void *taker, const struct gp_result *result, struct gp_error *error);

/* Tries the changes that the session's compiles told, and prints those that gain. False: a sentence. */
bool gp_offer_fixes(struct gp_offer *offer, struct gp_session *session, struct gp_text *out, struct gp_error *error);

void gp_offer_free(struct gp_offer *offer);

#endif
