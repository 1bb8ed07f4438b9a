/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The text form of a profile: what `gpuperf dis` prints, golden tests compare and tests of the models are written in.
 * docs/profile.md has the grammar. gp_profile_parse(gp_profile_print(p)) gives p again.
 */
#ifndef GPUPERF_MODEL_PROFILE_TEXT_H
#define GPUPERF_MODEL_PROFILE_TEXT_H

#include "model/profile/profile.h"
#include "support/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Appends the text form. */
/* Within an operation (support/operation.h), or where memory does not matter. */
void gp_profile_print(const struct gp_profile *profile, struct gp_text *out);

/* Reads the text form. NULL and a sentence with the line number on error. Free with gp_profile_free(). */
struct gp_profile *gp_profile_parse(const char *text, size_t length, struct gp_error *error);

#ifdef __cplusplus
}
#endif
#endif
