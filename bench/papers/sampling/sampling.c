/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sampling simulate DEVICE [KERNEL]   times of k saturations of each kernel on a simulated GPU, as a table on standard
 *                                     output
 * sampling measure                    likewise on the first OpenCL device, measured
 * sampling [FILE...]                  what the paper reports beside what such tables say; default: results/
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/sampling/report.h"
#include "bench/papers/sampling/simulated.h"

#ifdef HAVE_OPENCL
#include "bench/papers/sampling/measured.h"
#else
static bool measure_device(const char *only, struct gp_error *error)
{
    (void)only;
    return gp_fail(error, "built without OpenCL");
}
#endif

static int fail(const struct gp_error *error)
{
    fprintf(stderr, "sampling: %s\n", error->text);
    return 1;
}

int main(int count, char **arguments)
{
    struct gp_error error = {0};
    if (count >= 3 && strcmp(arguments[1], "simulate") == 0) {
        print_header();
        return simulate_device(arguments[2], count > 3 ? arguments[3] : NULL, &error) ? 0 : fail(&error);
    }
    if (count >= 2 && strcmp(arguments[1], "measure") == 0) {
        print_header();
        return measure_device(count > 2 ? arguments[2] : NULL, &error) ? 0 : fail(&error);
    }
    return report(count - 1, (const char *const *)arguments + 1, &error) ? 0 : fail(&error);
}
