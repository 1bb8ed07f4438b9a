/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * hong_kim
 *
 * The experiments of Hong & Kim, ISCA 2009: the worked example of Table 2, the micro-benchmarks of Table 4 and Figure
 * 14, the applications of Table 5 with the cycles per instruction, CWP, MWP and occupancy of Figures 17 to 20, and
 * SVM's three versions of Figure 3. The kernels are written from the paper's descriptions and compiled for a stand-in
 * target (sm_75); registers and work-group memory are Table 5's. Each statement of the paper is checked; the exit
 * status is 1 if one fails.
 */
#include <stdio.h>

#include "bench/papers/hong_kim/measure.h"

int main(void)
{
    struct gp_error error = {{0}};
    bool done = report_table_2(&error) && report_micro(&error) && report_merge(&error) && report_svm(&error);
    if (!done)
        fprintf(stderr, "hong_kim: %s\n", error.text);
    else if (failed_statements() > 0)
        fprintf(stderr, "hong_kim: %u statements fail\n", failed_statements());
    return !done || failed_statements() > 0;
}
