/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The proof: what the executor says of a launch, beside what the machine saw.
 *
 * Each memory operation and barrier comes out at one of these levels, the worst of all its executions:
 *
 *   exact    executions, lanes, transactions, bank passes are right
 *   symbol   executions, lanes and the distances between lanes are right; the address itself rests on what was loaded,
 * whose alignment nobody knows address  executions and lanes are right; addresses are reported as unknown count
 * executions or lanes are not right, or are said to be guessed wrong    something that was not reported as a guess is
 * not so
 *
 * A line of a corpus file that may be other than exact ends in a comment "expect: LEVEL". It must then be of that
 * level.
 */
#ifndef GPUPERF_TEST_ORACLE_COMPARE_H
#define GPUPERF_TEST_ORACLE_COMPARE_H

#include <stdio.h>

#include "hwdb/hwdb.h"
#include "model/profile/profile.h"
#include "test/oracle/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct oracle_subject {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    struct oracle_code code;
    const struct oracle_region *arrays; /* of the program */
    size_t array_count;
};

enum oracle_level { ORACLE_EXACT, ORACLE_SYMBOL, ORACLE_ADDRESS, ORACLE_COUNT, ORACLE_WRONG };

/* Sums over a launch, of the executor and of the machine. */
struct oracle_sums {
    double executions, lanes, transactions, passes;
};

struct oracle_result {
    uint8_t *level; /* [memory_count], then [inst_count] for barriers */
    uint64_t warps, events;
    bool wrong;
};

/* One "run" line on some devices. A sentence per wrong claim goes to `out`; `verbose`: a table of sums as well. */
bool oracle_compare(const struct oracle_subject *subject, const char *line, const struct gp_device *const *devices,
                    size_t device_count, bool verbose, FILE *out, struct oracle_result *result, struct gp_error *error);

/* Levels against the marks in the source text. Lines that are not as marked are printed; false if there are any. */
bool oracle_check_marks(const struct oracle_subject *subject, const char *text, const struct oracle_result *result,
                        FILE *out);

#ifdef __cplusplus
}
#endif
#endif
