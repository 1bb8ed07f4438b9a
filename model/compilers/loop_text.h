/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is said of a loop: its trip count, or what of the data decides it, as a person would write it. Bounds that were
 * found are expressions of arguments, sizes and ids; where loaded data decides, the number is not known, but often its
 * formula is: `row[...] - row[...]` of a row of a sparse matrix (Wang et al., section III.A: end and start value).
 */
#ifndef GPUPERF_MODEL_LOOP_TEXT_H
#define GPUPERF_MODEL_LOOP_TEXT_H

#include "model/profile/profile.h"
#include "support/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the loop's bound was found and what it is. assumed_trip_count: of loops that depend on data, before division by
 * the unroll factor. Appended to `text`, which the caller frees. */
void gp_describe_loop(const struct gp_kernel *kernel, uint32_t loop, uint32_t assumed_trip_count, struct gp_text *text);

/*
 * Of a loop whose bound is ASSUMED, the number of iterations as a formula with loaded values in it: end less start, by
 * the step. A load is named by the buffer that it reads, its place is not. Loads of the condition are taken to be the
 * same in all iterations, as the source's author does, though stores of the loop may be to the same buffer. False: no
 * exit compares a counter of the loop with something else; nothing is appended then.
 */
bool gp_loop_formula(const struct gp_kernel *kernel, uint32_t loop, struct gp_text *text);

/* The buffers that its number of iterations is loaded from: "'row'", "'first' and 'count'". False: as above, or they
 * have no names. */
bool gp_loop_decided_by(const struct gp_kernel *kernel, uint32_t loop, struct gp_text *text);

#ifdef __cplusplus
}
#endif
#endif
