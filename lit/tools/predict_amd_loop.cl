// A loop's counter and branch run on AMD's scalar unit, beside other waves' vector instructions: two FMAs in a loop take the time of two FMAs,
// and so does one, since counting and comparing take the scalar unit twice.
// RUN: %gpuperf predict --device w7800,mi250x,w6600 --global 1048576 --local 256 --arg n=4096 --json %s > %t.json
// RUN: %python -c "import json; lanes = {'w7800': 64 * 70 * 2525e-3, 'mi250x': 64 * 110 * 1700e-3, 'w6600': 64 * 28 * 2331e-3}; r = {p['device']: p['time_ns'] / (2 * 4096 * 1048576 / lanes[p['device']]) for p in json.load(open('%t.json')) if p['kernel'] == 'two_in_a_loop'}; print(r); exit(len(r) != 3 or any(not 0.9 < x < 1.15 for x in r.values()))"
// RUN: %python -c "import json; r = json.load(open('%t.json')); t = {(p['device'], p['kernel']): p['time_ns'] for p in r}; exit(any(not 0.95 < t[d, 'one_in_a_loop'] / t[d, 'two_in_a_loop'] < 1.05 for d, k in t))"
kernel void two_in_a_loop(global float *x, int n)
{
    float a = x[get_global_id(0)], b = a;
    for (int i = 0; i < n; i++) {
        a = fma(a, 1.001f, 0.5f);
        b = fma(b, 0.999f, 0.25f);
    }
    x[get_global_id(0)] = a + b;
}

kernel void one_in_a_loop(global float *x, int n)
{
    float a = x[get_global_id(0)];
    for (int i = 0; i < n; i++)
        a = fma(a, 1.001f, 0.5f);
    x[get_global_id(0)] = a;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
