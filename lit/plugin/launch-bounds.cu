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
// CHECK: launch-bounds.cu:[[@LINE+1]]:{{[0-9]+}}: warning: registers may spill: about {{[0-9]+}} are wanted, the launch bound leaves 32 per work-item; {{.*}} [gpuperf-spill]
__attribute__((global, launch_bounds(1024, 2))) void tight(const float *in, float *out, int n) BODY

// JSON: "kernel": "loose",
// JSON: "registers": {{9[0-9]|1[0-9][0-9]}},
// JSON: "spill_bytes": 0,
__attribute__((global, launch_bounds(256))) void loose(const float *in, float *out, int n) BODY
