/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory operations that ask for the same bytes, as a load and a store of one place do. */
#ifndef GPUPERF_MODEL_SAME_PLACE_H
#define GPUPERF_MODEL_SAME_PLACE_H

#include "model/observe/work.h"
#include "model/value/value.h"

/* Places that nobody knows are one where a walk comes by twice. */
static inline bool gp_is_at_one_place(const struct gp_memory_work *a, const struct gp_memory_work *b)
{
    bool known = a->shape.first_symbol != GP_SYMBOL_UNKNOWN,
         same = known
                    ? a->shape.first_offset == b->shape.first_offset
                    : a->shape.walk != GP_NONE && a->shape.walk == b->shape.walk && a->shape.walked == b->shape.walked;
    return same && a->buffer == b->buffer && a->shape.first_symbol == b->shape.first_symbol &&
           a->shape.stride == b->shape.stride;
}

/* For qsort() of pointers to operations of one array: those at one place side by side, in the order of the kernel. */
static inline int gp_by_place(const void *left, const void *right)
{
    const struct gp_memory_work *a = *(const struct gp_memory_work *const *)left,
                                *b = *(const struct gp_memory_work *const *)right;
    if (a->buffer != b->buffer)
        return a->buffer < b->buffer ? -1 : 1;
    if (a->shape.first_symbol != b->shape.first_symbol)
        return a->shape.first_symbol < b->shape.first_symbol ? -1 : 1;
    if (a->shape.first_offset != b->shape.first_offset)
        return a->shape.first_offset < b->shape.first_offset ? -1 : 1;
    if (a->shape.walk != b->shape.walk)
        return a->shape.walk < b->shape.walk ? -1 : 1;
    if (a->shape.walked != b->shape.walked)
        return a->shape.walked < b->shape.walked ? -1 : 1;
    if (a->shape.stride != b->shape.stride)
        return a->shape.stride < b->shape.stride ? -1 : 1;
    return a < b ? -1 : a > b;
}

#endif
