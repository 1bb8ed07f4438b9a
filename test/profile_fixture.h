/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the tests of the profile's forms share: golden profiles, and one that uses every field. */
#ifndef GPUPERF_TEST_PROFILE_FIXTURE_H
#define GPUPERF_TEST_PROFILE_FIXTURE_H

#include "model/profile/profile_binary.h"
#include "test/golden.h"

static const char *const golden_names[] = {"vector_add",      "transpose_naive",  "transpose_tiled", "transpose_padded",
                                           "matrix_multiply", "divergent_branch", "data_loop",       "every_field"};
enum { GOLDEN_COUNT = sizeof golden_names / sizeof *golden_names };

#endif
