// The launch behind the numbers: the default, the kernel's own attribute, and the command line over both.
// RUN: %cl -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: %cl -fplugin-arg-gpuperf-assume=transpose:global=2048x512:local=64x4:n=2048 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ASSUMED
// RUN: %cl '-fplugin-arg-gpuperf-assume=*:local=16x16' '-fplugin-arg-gpuperf-assume=*:nothere=3:n=512' -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=EVERY
// RUN: not %cl -fplugin-arg-gpuperf-assume=transpose:local=2048 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=IMPOSSIBLE
// RUN: %cl -fplugin-arg-gpuperf-assume=elsewhere:n=3 '-fplugin-arg-gpuperf-assume=*:nothere=3:n=512' -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %cl -fplugin-arg-gpuperf-assume=trnspose:n=3 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=SLIP
// SHARED: remark: gpuperf: 'assume' names kernel 'elsewhere', which is not here; there are transpose
// SHARED: remark: gpuperf: 'assume' of '*' states 'nothere', which no kernel here has
// SLIP: error: gpuperf: 'assume' names kernel 'trnspose', which is not here; there are transpose
// IMPOSSIBLE: error: gpuperf: {{.*}}local size of 2048x1x1 is more than the 1024 work-items per group of a100
// ATTRIBUTE: note: predicted for global 4096x4096, local 32x8, n=4096 {{.*}}; all but global, n assumed{{$}}
// ASSUMED: note: predicted for global 2048x512, local 64x4, n=2048 (set with -fplugin-arg-gpuperf-assume=transpose:...){{$}}
// EVERY: note: predicted for global 4096x4096, local 16x16, n=512
__attribute__((annotate("gpuperf: global=4096x4096 n=4096")))
kernel void transpose(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    out[col * n + row] = in[row * n + col];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
