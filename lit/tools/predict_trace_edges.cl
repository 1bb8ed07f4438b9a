// A launch is what its inner groups do: half of this one's groups on begins a plane whose first row does nothing.
// RUN: %gpuperf predict --device mi250x,a100 --model trace --global 32768x64x2 --local 256 --json %s > %t.json
// RUN: %python -c "import json; t = [p['time_ns'] for p in json.load(open('%t.json'))]; print([t[i] / t[i + 1] for i in (0, 2)]); exit(any(not 0.9 < t[i] / t[i + 1] < 1.05 for i in (0, 2)))"
#define SMOOTH(NAME, GUARD)                                                                             \
    kernel void NAME(global const float *in, global float *out)                                         \
    {                                                                                                   \
        size_t x = get_global_id(0), y = get_global_id(1), at = x + 32768 * (y + 64 * get_global_id(2)); \
        if (GUARD)                                                                                      \
            return;                                                                                     \
        out[at] = in[at] * 0.25f + in[at + 32768] * 0.5f + in[at + 65536] * 0.25f;                      \
    }

SMOOTH(inner, y == 0)
SMOOTH(all, y == 64)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
