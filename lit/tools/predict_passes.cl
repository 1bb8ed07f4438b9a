// A row that is gone through twice comes from DRAM twice, coalesced or not, unless L2 holds what all bring in between: what is told is what the repair brings.
// RUN: %gpuperf predict --device a100,rtx3090 --global 1048576 --local 256 --arg n=1024 --arg rows=1048576 --json %s > %t.json
// RUN: %python %S/Inputs/told_gain.py %t.json twice twice_mended 0.05 uncoalesced
// RUN: %gpuperf predict --device a100 --global 16384 --local 256 --arg n=64 --arg rows=16384 --json %s > %t.small.json
// RUN: %python %S/Inputs/told_gain.py %t.small.json twice twice_mended 0.2 uncoalesced

#define TWICE(NAME, AT)                                                                       \
    kernel void NAME(global const float *restrict x, global float *restrict y, int n, int rows) \
    {                                                                                         \
        int r = get_global_id(0);                                                             \
        float most = -1e30f, sum = 0;                                                         \
        for (int k = 0; k < n; k++)                                                           \
            most = fmax(most, x[AT]);                                                         \
        for (int k = 0; k < n; k++)                                                           \
            sum += x[AT] * most;                                                              \
        y[r] = sum;                                                                           \
    }

TWICE(twice, r * n + k)
TWICE(twice_mended, k * rows + r)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
