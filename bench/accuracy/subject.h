/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernels that real GPUs' times are known of (bench/accuracy/measured, bench/gpu): how a row becomes macros and a
 * launch. */
#ifndef GPUPERF_BENCH_SUBJECT_H
#define GPUPERF_BENCH_SUBJECT_H

#include "bench/accuracy/table.h"
#include "model/launch/launch.h"

enum { MAX_MACROS = 16, MAX_ARGUMENTS = 4 };

struct macro {
    const char *name, *column; /* column NULL: the fixed value; a column that the file lacks: likewise */
    double fixed, small;       /* small: instead of `fixed` in a trial run; 0: the same */
    double (*computed)(const struct table *table, size_t row); /* instead of a column */
    bool nvidia_only;  /* the measured code for AMD is the same whatever the column says: the fixed value */
    bool spills_alike; /* code that spills has the same registers and spills as many whatever it is (docs/accuracy.md,
                          cost) */
};

struct subject {
    const char *file;   /* the measured files' name before "__" */
    const char *kernel; /* the function */
    const char *source; /* in bench/ */
    struct macro macros[MAX_MACROS];
    unsigned range[2];       /* outputs per dimension: a work-item makes tile_size of them, or `lanes` work-items one */
    unsigned small_range[2]; /* 0: the same */
    bool square_tile;        /* a group makes BLOCK_X x BLOCK_X outputs */
    bool group_each;         /* a group makes one output */
    bool small_body;         /* NVIDIA's compiler is done with it in a tenth of a second */
    bool zero_over_zero;     /* the measured run's data: each division of floats was 0/0 */
    const char *arguments[MAX_ARGUMENTS]; /* of clang */
    const char
        *assume[2]; /* per variant: what the host knows of its data, as gp_launch_assume() takes it; NULL: nothing */
};

/* NULL: no kernel here does what files of that name measured. */
const struct subject *subject_find(const char *file, size_t length);

/* The same kernel as it was measured on AMD's devices. */
struct subject subject_on_amd(const struct subject *subject);

/* The same kernel with its small sizes. */
struct subject subject_small(const struct subject *subject);

/* The fixed value of a macro. */
unsigned subject_size(const struct subject *subject, const char *macro);

/* "#define NAME VALUE" lines of a row. What makes no difference to the code is left out, so that equal text means equal
 * code. */
void subject_macros(const struct subject *subject, const struct table *table, size_t row, char *text, size_t size);

/* The same where the code spills: equal text means as many registers and spills. */
void subject_spill_macros(const struct subject *subject, const struct table *table, size_t row, char *text,
                          size_t size);

/* The same but for the block's shape and what follows from it. */
void subject_tile_macros(const struct subject *subject, const struct table *table, size_t row, char *text, size_t size);

/* Of a row: how many outputs a work-item has, with which the size of its code grows. */
unsigned subject_outputs(const struct subject *subject, const struct table *table, size_t row);

/* The kernel once per row, each with the row's macros and a name of its own, KERNEL_0 ...: a source to compile in one
 * go. free() it; NULL: no memory. */
char *subject_batch(const struct subject *subject, const struct table *table, const size_t *rows, size_t count);

/* The kernel's source file; free(). */
char *subject_path(const struct subject *subject);

/* NULL: nothing to be assumed of the row's launch. */
const char *subject_assume(const struct subject *subject, const struct table *table, size_t row);

/* The range and the block; argument values stay. */
void subject_launch(const struct subject *subject, const struct table *table, size_t row, struct gp_launch *launch);

#endif
