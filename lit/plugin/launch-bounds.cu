// Registers end where the launch bound says that so many groups must fit; what exceeds it is spilled.
// RUN: %clang -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -Wno-unknown-cuda-version -nocudainc -nocudalib -O2 -fplugin-arg-gpuperf-report=%t.json -S -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
#define BODY                                                                                                                     \
    {                                                                                                                            \
        int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();                   \
        float v[96], sum = 0;                                                                                                    \
        _Pragma("unroll") for (int k = 0; k < 96; k++) v[k] = in[i + k * n];                                                     \
        _Pragma("unroll") for (int k = 0; k < 96; k++) sum += v[k] * v[(k * 7 + 3) % 96];                                        \
        out[i] = sum;                                                                                                            \
    }

// JSON: "kernel": "tight",
// JSON: "registers": 32,
// CHECK: launch-bounds.cu:[[@LINE+1]]:{{[0-9]+}}: warning: registers may spill: about {{[0-9]+}} are wanted, the launch bound leaves 32 per thread; {{.*}} [gpuperf-spill]
__attribute__((global, launch_bounds(1024, 2))) void tight(const float *in, float *out, int n) BODY

// JSON: "kernel": "loose",
// JSON: "registers": {{9[0-9]|1[0-9][0-9]}},
// JSON: "spill_bytes": 0,
__attribute__((global, launch_bounds(256))) void loose(const float *in, float *out, int n) BODY

// A loop's values are stored and loaded in each of its iterations: more than a hundred times what exceeds the bound.
// JSON: "kernel": "in_a_loop",
// JSON: "registers": 32,
// JSON: "spill_bytes": {{[1-9][0-9][0-9][0-9][0-9]}},
// CHECK: launch-bounds.cu:[[@LINE+1]]:{{[0-9]+}}: warning: registers may spill: about {{[0-9]+}} are wanted, the launch bound leaves 32 per thread; 9{{[0-9]}}% of predicted time on a100 {{.*}} [gpuperf-spill]
__attribute__((global, launch_bounds(1024, 2))) void in_a_loop(const float *in, float *out, int n)
{
    int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
    float v[64], sum = 0;
    _Pragma("unroll") for (int k = 0; k < 64; k++) v[k] = in[i + k * n];
    _Pragma("unroll 1") for (int t = 0; t < 64; t++) {
        _Pragma("unroll") for (int k = 0; k < 64; k++) v[k] = v[k] * v[(k + 1) % 64] + v[(k + 7) % 64];
    }
    _Pragma("unroll") for (int k = 0; k < 64; k++) sum += v[k];
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
