/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Twins: kernels as people write them, with a fault that gpuperf warns about (variant 0) and without it (variant 1);
 * twins/ says which. Both compute the same from the same input, so that each is the other's reference.
 */
#ifndef GPUPERF_BENCH_TWINS_H
#define GPUPERF_BENCH_TWINS_H

#include "bench/gpu/cases.h"

/* Their arguments; n is the subject's SIZE. */
bool twin_make_8(const struct subject *subject, double stride,
                 struct arrays *arrays); /* n floats out, an n x 8 matrix and its transposed one in */
bool twin_make_64(const struct subject *subject, double stride, struct arrays *arrays); /* likewise n x 64 */
bool twin_make_floats(const struct subject *subject, double stride,
                      struct arrays *arrays);                                              /* n floats out, n + 64 in */
bool twin_make_wide(const struct subject *subject, double stride, struct arrays *arrays);  /* 16 n floats out and in */
bool twin_make_quads(const struct subject *subject, double stride, struct arrays *arrays); /* 4 n floats out and in */
bool twin_make_rows(const struct subject *subject, double stride, struct arrays *arrays);  /* n floats out, 32 n in */
bool twin_make_tall(const struct subject *subject, double stride,
                    struct arrays *arrays); /* n floats out, 32 n floats in, a word that is 3 */
bool twin_make_counts(const struct subject *subject, double stride,
                      struct arrays *arrays); /* n floats out and in, n words in */
bool twin_make_bytes(const struct subject *subject, double stride,
                     struct arrays *arrays); /* n floats out, 32 n bytes in */
bool twin_make_bins(const struct subject *subject, double stride, struct arrays *arrays); /* 8 words out, 64 n in */
bool twin_make_links(const struct subject *subject, double stride,
                     struct arrays *arrays); /* n words out, each of n words once in, in any order */
bool twin_make_constant(const struct subject *subject, double stride,
                        struct arrays *arrays); /* n floats out, 1024 in that are the constant `table`, too */
bool twin_make_walks(const struct subject *subject, double stride,
                     struct arrays *arrays); /* n words out, 256 and n in */
bool twin_make_numbers(const struct subject *subject, double stride,
                       struct arrays *arrays); /* n words out and in, a word that is 64 */

#endif
