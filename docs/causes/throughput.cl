// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A filter step whose constants are doubles for want of an f, and one whose constants are floats. */
#define STEP(NAME, A, B) \
    kernel void NAME(global float *restrict out, global const float *restrict in) \
    { \
        int i = get_global_id(0); \
        float x = in[i]; \
        for (int k = 0; k < 64; k++) \
            x = x * A + B; \
        out[i] = x; \
    }
STEP(faulty, 0.999, 0.001)
STEP(repaired, 0.999f, 0.001f)
