/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the distance between neighbouring work-items' addresses comes from: which change of the source would mend it. */
#ifndef GPUPERF_MODEL_STRIDE_KIND_H
#define GPUPERF_MODEL_STRIDE_KIND_H

#include "model/observe/work.h"

/*
 * NONE: no distance is known. ELEMENTS: they ask for neighbouring elements. VECTOR: each goes to all of so few bytes
 * that one access could, in several; PACKED: the same, but no vector has as many, or they are not aligned as one.
 * RECORDS: of structs. CHUNKS: each goes through a stretch of its own, by a loop of so many iterations or by what the
 * compiler made of one. OTHER: none of these, such as rows of a matrix, or every second element.
 */
enum gp_stride_kind {
    GP_STRIDE_NONE,
    GP_STRIDE_ELEMENTS,
    GP_STRIDE_VECTOR,
    GP_STRIDE_PACKED,
    GP_STRIDE_RECORDS,
    GP_STRIDE_CHUNKS,
    GP_STRIDE_OTHER
};

/* Of memory operation `m`; `work` is as kernel->memory. */
enum gp_stride_kind gp_stride_kind(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m);

/* Bytes; what is further apart are rows. */
enum { GP_LARGEST_GAP = 256 };

/* What becomes of the bytes from one work-item's to the next one's, where these are no more than GP_LARGEST_GAP apart:
 * how many are accessed, by how many operations like `m`, and the offset of the first. Else 0. */
struct gp_stride_use {
    uint32_t bytes, accesses;
    uint64_t first;
};
struct gp_stride_use gp_stride_use(const struct gp_kernel *kernel, const struct gp_memory_work *work, uint32_t m);

/* Whether each work-item goes from one element to the next as the innermost loop around turns, or from some to the next
 * few where that is unrolled: through a row of its own where work-items are further apart. */
bool gp_walks_rows(const struct gp_kernel *kernel, uint32_t m);

#endif
