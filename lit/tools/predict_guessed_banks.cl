// Look-ups in a table of local memory that data indexes may be in other banks than they are taken to be, also where a chain limits that they are part of: their share is a doubt.
// RUN: %gpuperf predict --device a100 --global 4096 --local 8 --arg n=4096 --json %s > %t.json
// RUN: %python -c "import json; c = {k['kernel']: k['known_share'] for k in json.load(open('%t.json'))}; print(c); exit(not (c['boxes'] < 0.95 and c['rows'] > c['boxes']))"
#define ROUNDS(NAME, AT)                                                                   \
    kernel __attribute__((reqd_work_group_size(8, 1, 1))) void NAME(global uint *x, int n) \
    {                                                                                      \
        local uint all[8][256];                                                            \
        local uint *s = all[get_local_id(0)];                                              \
        uint a = x[get_global_id(0)], b = a * 7;                                           \
        for (int k = 0; k < 256; k++)                                                      \
            s[k] = a ^ k * 77;                                                             \
        for (int k = 0; k < n; k++) {                                                      \
            uint t = b ^ s[AT];                                                            \
            b = a + t, a = t;                                                              \
        }                                                                                  \
        x[get_global_id(0)] = a + b;                                                       \
    }
ROUNDS(boxes, a >> 24)
ROUNDS(rows, k & 255)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
