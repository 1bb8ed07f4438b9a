// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A scaled sum in groups of 16 work-items, or of 256. */
#define ADD(NAME, SIZE) \
    kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void NAME(global float *restrict y, \
                                                                       global const float *restrict x, float a) \
    { \
        int i = get_global_id(0); \
        y[i] = a * x[i] + y[i]; \
    }
ADD(faulty, 16)
ADD(repaired, 256)
