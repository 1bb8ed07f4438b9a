/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The binary form of a profile: 32-bit little-endian words, so that a compiler can carry it as an array of i32.
 *
 *   word 0  GP_PROFILE_MAGIC
 *   word 1  GP_PROFILE_VERSION
 *   word 2  words in all, this header included
 *   word 3  CRC-32 of the words from 4 on
 *   word 4  ... the profile
 *
 * A reader takes any byte sequence and returns either a profile that passes gp_profile_check() or an error.
 */
#ifndef GPUPERF_MODEL_PROFILE_BINARY_H
#define GPUPERF_MODEL_PROFILE_BINARY_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GP_PROFILE_MAGIC   0x46505047u /* "GPPF" in a file */
#define GP_PROFILE_VERSION 1u

/* Writes the profile. *words is the caller's, free with free(). False: the profile breaks an invariant. */
bool gp_profile_encode(const struct gp_profile *profile, uint32_t **words, size_t *word_count, struct gp_error *error);

/* Reads it back. NULL and a sentence on anything that is not a whole, valid profile. Free with gp_profile_free(). */
struct gp_profile *gp_profile_decode(const void *bytes, size_t byte_count, struct gp_error *error);

/* The same of words that gp_profile_encode() has just made, which need no checks: of no others. */
struct gp_profile *gp_profile_decode_encoded(const uint32_t *words, size_t word_count, struct gp_error *error);

/* Whether the bytes start like a profile (used to tell profile files from sources). */
bool gp_profile_has_magic(const void *bytes, size_t byte_count);

/* By gp_write_file() (support/text.h): nobody sees half a profile. */
bool gp_profile_write_file(const struct gp_profile *profile, const char *path, struct gp_error *error);
struct gp_profile *gp_profile_read_file(const char *path, struct gp_error *error);

#ifdef __cplusplus
}
#endif
#endif
