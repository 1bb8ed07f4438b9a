/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A file of measured times, KERNEL__DEVICE.csv, with all that is needed to predict its rows. */
#ifndef GPUPERF_BENCH_MEASURED_H
#define GPUPERF_BENCH_MEASURED_H

#include "bench/accuracy/profiles.h"
#include "bench/accuracy/subject.h"
#include "bench/accuracy/table.h"
#include "model/predict.h"

enum { MAX_FILES = 256 };

struct measured {
    char name[128];                /* KERNEL__DEVICE */
    const struct subject *subject; /* `amd`, of AMD's devices */
    struct subject amd;
    struct gp_device *device, *sibling; /* sibling: see struct profiles; of one of the other files, or NULL */
    struct table table;
    size_t *slice; /* per row: rows of one number agree in everything but the block shape */
    struct profiles profiles;
};

/* Which rows, and where their profiles are. */
struct measured_options {
    const char *directory, *cache, *maker; /* maker: see struct profiles */
    char *const *others;                   /* NULL, or files that will be opened later, NULL-terminated */
    enum nvcc_use nvcc;
    bool each_row;  /* see struct profiles */
    unsigned batch; /* rows per run of clang */
    unsigned every; /* takes every n-th slice */
};

/* The names in the directory that contain one of the wanted (NULL-terminated; none: all), sorted; free() each. -1: no
 * such directory. */
int measured_find(const char *directory, char *const *wanted, char *files[MAX_FILES]);

/* Do two rows, of one file or of two files of one kernel, agree in everything but the block shape? */
bool measured_same_slice(const struct table *a, size_t row_a, const struct table *b, size_t row_b);

/* Close it in either case. */
bool measured_open(struct measured *measured, const char *file, const struct measured_options *options,
                   struct gp_error *error);
void measured_close(struct measured *measured);

/* A row's range, block and what its host knows of the arguments. */
bool measured_launch(const struct measured *measured, size_t row, const struct gp_kernel *kernel,
                     struct gp_launch *launch, struct gp_error *error);

/* A row's launch on the file's device, with what its host knows. False and a sentence, also where the device cannot run
 * it. */
bool measured_predict(const struct measured *measured, size_t row, const struct gp_predict_options *options,
                      struct gp_prediction *prediction, struct gp_error *error);

#endif
