/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The profile of each row: compiled with the row's tunables for the device's own target, and kept on disk.
 *
 * NVIDIA's registers and spills are nvcc's, as gpuperf predict takes them, or ptxas' on clang's code: clang orders
 * instructions otherwise, and of kernels with many values every third spills with one of the two only. NVIDIA's
 * compiler takes one to two seconds a row of the convolution, of large tiles more, so that it can be asked only where
 * the other code spills, or the body is small (0.1 s a row), and there once for rows that differ in the block's shape
 * only and of which ptxas says the same to the byte. ptxas itself is asked once of rows whose code is alike.
 *
 * A file in the cache is named by what its content depends on: the kernel's source, the row's tunables, the target, the
 * compilers; its directory by the code of passes/ and compile/ that made it. A change of the models leaves it valid.
 */
#ifndef GPUPERF_BENCH_PROFILES_H
#define GPUPERF_BENCH_PROFILES_H

#include "bench/accuracy/subject.h"
#include "hwdb/hwdb.h"
#include "model/profile/profile.h"

enum nvcc_use { NVCC_ALWAYS, NVCC_WHERE_SPILLED, NVCC_NEVER };

/* Whose registers a profile has. */
enum profiles_maker { OF_PTXAS, OF_NVCC, PROFILES_MAKERS }; /* of AMD's devices: the first */

/* All but the tunables that a profile depends on. */
struct profiles_key {
    const struct gp_device *device;
    uint64_t hash;
};

struct profiles {
    const char *cache; /* directory, which has one for each state of the code that makes profiles */
    const char *maker; /* that one's name; NULL: of the code built with this program */
    const struct subject *subject;
    const struct gp_device *device;
    const struct gp_device *sibling; /* NULL, or another one (gp_compile_siblings()) whose profiles of these rows will
                                        be wanted: they are made beside */
    const struct table *table;
    unsigned batch; /* rows per run of clang */
    enum nvcc_use nvcc;
    bool each_row; /* the backend is asked of each row, though its code differs from another's in numbers only
                      (compile/alike.h) */
    struct profiles_key keys[PROFILES_MAKERS], sibling_keys[PROFILES_MAKERS];
    char *nvcc_path; /* NULL: there is none, or it is never asked */
    char *source_path, *directory;
    size_t *first;           /* per row: the first row with the same code */
    struct gp_error *errors; /* per first row: why it has no profile; "" where it has */
};

bool profiles_open(struct profiles *profiles, struct gp_error *error);
void profiles_close(struct profiles *profiles);

/* Compiles what the cache lacks in `workers` threads, each row's code once. Returns how many profiles it made. */
size_t profiles_compile(struct profiles *profiles, int workers);

/* NULL and a sentence: the row did not compile, or the cache lacks it. Free with gp_profile_free(). */
struct gp_profile *profiles_read(const struct profiles *profiles, size_t row, struct gp_error *error);

#endif
