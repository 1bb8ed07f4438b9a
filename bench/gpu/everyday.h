/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Everyday work on images, networks and small systems of equations (kernels/): input, which rows are possible, and
 * references on the CPU. */
#ifndef GPUPERF_BENCH_EVERYDAY_H
#define GPUPERF_BENCH_EVERYDAY_H

#include "bench/gpu/cases.h"

#define EVERYDAY(name) \
    bool everyday_make_##name(const struct subject *subject, double stride, struct arrays *arrays); \
    double everyday_error_##name(const struct subject *subject, const struct table *table, size_t row, \
                                 const struct arrays *arrays)

EVERYDAY(conv2d);
EVERYDAY(layernorm);
EVERYDAY(q4_gemv);
EVERYDAY(blur);
EVERYDAY(median);
EVERYDAY(resize);
EVERYDAY(dct);
EVERYDAY(fft);
EVERYDAY(attention);
EVERYDAY(tridiagonal);
EVERYDAY(cholesky);
EVERYDAY(yuv);
EVERYDAY(im2col);
EVERYDAY(pooling);
EVERYDAY(geglu);
EVERYDAY(d3q19);

#undef EVERYDAY

/* Groups of 64 to 512 work-items, at least 16 wide, that fill a line of SIZE outputs. */
bool everyday_accepts_planes(const struct subject *subject, const struct table *table, size_t row);
/* `lanes` divide the group. */
bool everyday_accepts_lanes(const struct subject *subject, const struct table *table, size_t row);

/* Whole vectors. */
bool everyday_accepts_vectors(const struct subject *subject, const struct table *table, size_t row);

bool everyday_accepts_dct(const struct subject *subject, const struct table *table, size_t row);
bool everyday_accepts_fft(const struct subject *subject, const struct table *table, size_t row);
bool everyday_accepts_cholesky(const struct subject *subject, const struct table *table, size_t row);

#endif
