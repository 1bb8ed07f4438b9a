/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels in which data decides how far loops go and where memory is asked (kernels/): their input and their checks. */
#ifndef GPUPERF_BENCH_IRREGULAR_H
#define GPUPERF_BENCH_IRREGULAR_H

#include "bench/gpu/cases.h"

bool irregular_make_mandelbrot(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_pagerank(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_bfs(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_gather(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_lennard_jones(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_probing(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_bisection(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_levenshtein(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_asian(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_aes(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_deposit(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_compaction(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_raymarch(const struct subject *subject, double stride, struct arrays *arrays);
bool irregular_make_segments(const struct subject *subject, double stride, struct arrays *arrays);

bool irregular_accepts_levenshtein(const struct subject *subject, const struct table *table, size_t row);

double irregular_mandelbrot_error(const struct subject *subject, const struct table *table, size_t row,
                                  const struct arrays *arrays);
double irregular_pagerank_error(const struct subject *subject, const struct table *table, size_t row,
                                const struct arrays *arrays);
double irregular_gather_error(const struct subject *subject, const struct table *table, size_t row,
                              const struct arrays *arrays);
double irregular_probing_error(const struct subject *subject, const struct table *table, size_t row,
                               const struct arrays *arrays);
double irregular_bisection_error(const struct subject *subject, const struct table *table, size_t row,
                                 const struct arrays *arrays);
double irregular_levenshtein_error(const struct subject *subject, const struct table *table, size_t row,
                                   const struct arrays *arrays);
double irregular_asian_error(const struct subject *subject, const struct table *table, size_t row,
                             const struct arrays *arrays);
double irregular_aes_error(const struct subject *subject, const struct table *table, size_t row,
                           const struct arrays *arrays);
double irregular_exact_error(const struct subject *subject, const struct table *table, size_t row,
                             const struct arrays *arrays);
double irregular_compaction_error(const struct subject *subject, const struct table *table, size_t row,
                                  const struct arrays *arrays);
double irregular_raymarch_error(const struct subject *subject, const struct table *table, size_t row,
                                const struct arrays *arrays);
double irregular_segments_error(const struct subject *subject, const struct table *table, size_t row,
                                const struct arrays *arrays);

#endif
