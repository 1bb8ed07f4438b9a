/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Outputs that no reference on the CPU checks: the kernel's variants compute the same, and the first that ran is the
 * reference of all. */
#ifndef GPUPERF_BENCH_AGREEMENT_H
#define GPUPERF_BENCH_AGREEMENT_H

#include "bench/accuracy/subject.h"
#include "bench/accuracy/table.h"
#include "bench/gpu/arrays.h"

/* The first argument, an output of `bytes`, and room for the reference. */
void *agreement_output(struct arrays *arrays, size_t bytes);

/* Whether there was memory for all, the reference too. */
bool agreement_complete(const struct arrays *arrays);

/* As gpu_case.error: floats and doubles up to rounding, words exactly; floats that depend on the group's size against
 * the first row of it. */
double agreement_floats(const struct subject *subject, const struct table *table, size_t row,
                        const struct arrays *arrays);
double agreement_doubles(const struct subject *subject, const struct table *table, size_t row,
                         const struct arrays *arrays);
double agreement_words(const struct subject *subject, const struct table *table, size_t row,
                       const struct arrays *arrays);
double agreement_of_group(const struct subject *subject, const struct table *table, size_t row,
                          const struct arrays *arrays);

#endif
