/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A point of a kernel's design space: an input and a local size, with data that the kernel can run on. */
#ifndef GPUPERF_BENCH_PAPERS_REAL_POINT_H
#define GPUPERF_BENCH_PAPERS_REAL_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind {
    /* Buffers of `count` elements. */
    FLOATS, /* from 0 to 1 */
    SORTED, /* floats, from 0 to 1, in order */
    ROAD,   /* a frame of 512 columns, grey with two bright markings and noise */
    INTS,   /* below `value`, by chance */
    STEPS,  /* pairs of ints: `value` times the place, and `value` */
    LONGS,  /* zeros */
    BYTES,  /* `value` each */
    NODES,  /* a B+ tree's of 256 keys: all keys in order, children below `value` by chance */
    /* Scalars, of `value`. */
    INT,
    LONG,
    CHAR,
    FLOAT,
    LOCAL /* `count` bytes of local memory */
};

struct value {
    enum value_kind kind;
    const char *name; /* the parameter's; NULL: nobody needs to know its value */
    double count, value;
    bool anew; /* the kernel changes it so that another launch would do something else */
};

enum { MOST_VALUES = 16 };
struct point {
    uint64_t global[2];
    uint32_t local[2];
    struct value values[MOST_VALUES];
    size_t count;
    const char *also; /* of the launch: what only data say; NULL: nothing */
};

static inline void add_value(struct point *point, struct value value) { point->values[point->count++] = value; }

/* Kernels of a paper's table. */
struct subspace {
    const char *application, *file, *kernel; /* of bench/papers */
    void (*make)(int input, uint32_t local, struct point *point);
    int inputs;
    const uint32_t *locals; /* ends with 0; NULL: the kernel's own */
    double paper[4];        /* percent off on the GPUs of the paper, or one mean; 0: not printed */
};

extern const struct subspace rodinia_spaces[], lane_spaces[]; /* end with a NULL */

#endif
