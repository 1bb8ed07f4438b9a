/* The kernels of the measured files: how a row becomes macros and a launch. */
#ifndef GPUPERF_BENCH_SUBJECT_H
#define GPUPERF_BENCH_SUBJECT_H

#include "bench/accuracy/table.h"
#include "model/launch.h"

enum { MAX_MACROS = 16, MAX_ARGUMENTS = 4 };

struct macro {
    const char *name, *column; /* column NULL: the fixed value; a column that the file lacks: likewise */
    double fixed;
    double (*computed)(const struct table *table, size_t row); /* instead of a column */
};

struct subject {
    const char *file;           /* the measured files' name before "__" */
    const char *kernel;         /* the function, and kernels/NAME.cl */
    struct macro macros[MAX_MACROS];
    unsigned range[2];          /* outputs per dimension */
    const char *arguments[MAX_ARGUMENTS]; /* of clang */
};

/* NULL: no kernel here does what files of that name measured. */
const struct subject *subject_find(const char *file, size_t length);

/* "#define NAME VALUE" lines of a row. What makes no difference to the code is left out, so that equal text means equal code. */
void subject_macros(const struct subject *subject, const struct table *table, size_t row, char *text, size_t size);

/* The range and the block; argument values stay. */
void subject_launch(const struct subject *subject, const struct table *table, size_t row, struct gp_launch *launch);

#endif
