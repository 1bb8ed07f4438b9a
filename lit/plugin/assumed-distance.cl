// A distance between neighbours that nobody states is taken to be 1; what accesses cost where it is not is told as that. Who states it gets no warning, or one of the launch itself.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %gpuperf predict --device a100 --local 256 --kernel spread --json %s | FileCheck %s --check-prefix=JSON
// RUN: %gpuperf predict --device a100 --local 256 --kernel spread --arg n=1024 %s | FileCheck %s --check-prefix=STATED --implicit-check-not='as assumed'
// RUN: %gpuperf predict --device a100 --local 256 --kernel spread --arg n=1 %s | FileCheck %s --check-prefix=ONE --implicit-check-not=uncoalesced

// CHECK: assumed-distance.cl:[[#@LINE+12]]:{{[0-9]+}}: warning: uncoalesced global store if 'n' is 1024, not 1 as assumed: 32 transactions per warp, stride 4096 bytes along dimension 0; on a100 {{[2-5]\.[0-9]}}x faster if coalesced [gpuperf-uncoalesced]
// CHECK: note: then work-items next to each other in dimension 0 are 4096 bytes apart in 'out'
// CHECK: note: predicted for global 1048576, local 256, n=1 (set with -fplugin-arg-gpuperf-assume=spread:...); all of it assumed{{$}}

// JSON: "speedup": 1.0
// JSON: "speedup_beside": {{[2-5]\.}}
// JSON: "beside": "if 'n' is 1024, not 1 as assumed"

// STATED: {{[0-9]+}}% {{[2-5]\.[0-9]+}}x {{.*}}: uncoalesced global store: 32 transactions
// ONE: headroom 1.0{{[0-9]}}x with local 256, at its roof
kernel void spread(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n] = in[get_global_id(0)] * 2.0f;
}

// Each alone.
// CHECK: assumed-distance.cl:[[#@LINE+6]]:{{[0-9]+}}: warning: uncoalesced global {{load|store}} if 'incy' is 1024, not 1 as assumed: 32 transactions
// CHECK: assumed-distance.cl:[[#@LINE+6]]:{{[0-9]+}}: warning: uncoalesced global load if 'incx' is 1024, not 1 as assumed: 32 transactions
kernel void axpy(int n, float alpha, global const float *x, int incx, global float *y, int incy)
{
    int i = get_global_id(0);
    if (i < n)
        y[i * incy] +=
            alpha * x[i * incx];
}

__attribute__((annotate("gpuperf: n=1"))) kernel void stated(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n] = in[get_global_id(0)] * 2.0f;
}

// Rows are uncoalesced in any case, and told as such.
// CHECK: assumed-distance.cl:[[#@LINE+6]]:{{[0-9]+}}: warning: uncoalesced global load: {{.*}} stride 4096 bytes along dimension 0; {{[0-9]+}}% of predicted time on a100 ({{[0-9.]+}}x faster if coalesced) [gpuperf-uncoalesced]
kernel void rows(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[i * n + k];
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
