/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The launch that a corpus file asks for, a line per run:
 *
 *     // run KERNEL: global=96x2 local=32x2 n=37 rows=ramp:3 data=mod:100
 *
 * Sizes and scalar arguments are as in `assume`; of a local pointer the number is its bytes. What a buffer (or a
 * structure passed by value) holds is FILL:NUMBER: mod (words by chance, below the number), ramp (word i is i x
 * number), const, float (by chance, below the number), long (64 bits, by chance, below), byte. Without a word a buffer
 * is mod:1000. targets=spir,amdgcn: the run is for IR of these only.
 */
#ifndef GPUPERF_TEST_ORACLE_INPUTS_H
#define GPUPERF_TEST_ORACLE_INPUTS_H

#include "model/launch/launch.h"
#include "test/oracle/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct oracle_inputs {
    struct gp_launch launch;
    unsigned char *arguments;         /* a slot of ORACLE_ARGUMENT_BYTES per parameter */
    uint64_t start[GP_MAX_ARGUMENTS]; /* of what a pointer argument points to; else 0 */
    size_t region_count;
    struct oracle_region regions[GP_MAX_ARGUMENTS + 1];
};

/* The launch alone. */
bool oracle_launch(const struct gp_kernel *kernel, const char *line, bool whole_groups, struct gp_launch *launch,
                   struct gp_error *error);

/*
 * The text behind "// run NAME:". `whole_groups`: the global size is rounded up to groups, as on targets that know no
 * partial ones. On failure nothing is to be freed.
 */
bool oracle_inputs_make(const struct gp_kernel *kernel, const char *line, bool whole_groups,
                        struct oracle_inputs *inputs, struct gp_error *error);
/* Everything as it was before the first run. */
void oracle_inputs_reset(const struct gp_kernel *kernel, const char *line, struct oracle_inputs *inputs);
void oracle_inputs_free(struct oracle_inputs *inputs);

#ifdef __cplusplus
}
#endif
#endif
