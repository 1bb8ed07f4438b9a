// Arrays that are alive together and need more registers than a work-item can have spill; those that are never alive together share registers.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-report=%t.json -c %s -o %t.bc 2> %t.warnings
// RUN: %python -c "import json; p = {k['kernel']: k for k in json.load(open('%t.json'))}; print({n: (k['registers'], k['spill_bytes']) for n, k in p.items()}); exit(not (p['apart']['registers'] < 100 and p['apart']['spill_bytes'] == 0 and p['together']['registers'] == 255 and p['together']['spill_bytes'] > 400))"
#define FILL(A, N) for (int k = 0; k < N; k++) A[k] = in[i + k * 1024 + sizeof(A)];
#define SUM(A, N) for (int k = 0; k < N; k++) s = s * 0.5f + A[N - 1 - k];
kernel void apart(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float s = 0;
    { float a[40]; FILL(a, 40) SUM(a, 40) }
    { float b[41]; FILL(b, 41) SUM(b, 41) }
    { float c[42]; FILL(c, 42) SUM(c, 42) }
    { float d[43]; FILL(d, 43) SUM(d, 43) }
    { float e[44]; FILL(e, 44) SUM(e, 44) }
    { float f[45]; FILL(f, 45) SUM(f, 45) }
    out[i] = s;
}
kernel void together(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float s = 0, a[60], b[61], c[62], d[63], e[64], f[65];
    FILL(a, 60) FILL(b, 61) FILL(c, 62) FILL(d, 63) FILL(e, 64) FILL(f, 65)
    SUM(a, 60) SUM(b, 61) SUM(c, 62) SUM(d, 63) SUM(e, 64) SUM(f, 65)
    out[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
