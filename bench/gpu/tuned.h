/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels with the parameters that tuners search (kernels/): their input, which rows are possible, and checks where
 * agreement.h has none. */
#ifndef GPUPERF_BENCH_TUNED_H
#define GPUPERF_BENCH_TUNED_H

#include "bench/gpu/cases.h"

bool tuned_make_gemm(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_coulomb(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_hotspot(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_sums(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_fir(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_stencil3d(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_bilateral(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_expdist(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_softmax(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_gemv(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_digest(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_lattice(const struct subject *subject, double stride, struct arrays *arrays);
bool tuned_make_bitonic(const struct subject *subject, double stride, struct arrays *arrays);

bool tuned_accepts_gemm(const struct subject *subject, const struct table *table, size_t row);
bool tuned_accepts_hotspot(const struct subject *subject, const struct table *table, size_t row);
bool tuned_accepts_stencil3d(const struct subject *subject, const struct table *table, size_t row);
bool tuned_accepts_expdist(const struct subject *subject, const struct table *table, size_t row);

double tuned_sums_error(const struct subject *subject, const struct table *table, size_t row,
                        const struct arrays *arrays);
double tuned_expdist_error(const struct subject *subject, const struct table *table, size_t row,
                           const struct arrays *arrays);
double tuned_bitonic_error(const struct subject *subject, const struct table *table, size_t row,
                           const struct arrays *arrays);

#endif
