// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// config=FILE is check's gpuperf.yaml: devices, launches, ignored causes; arguments go before it.
// RUN: printf 'devices: [v100]\nkernels:\n  "turn*":\n    global: 2048x512\n    local: 64x4\n    args: {n: 2048, nothere: 3}\n  "quiet":\n    ignore: [uncoalesced]\n' > %t.yaml
// RUN: env -u GPUPERF_DEVICE %cl -fplugin-arg-gpuperf-config=%t.yaml -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %cl -fplugin-arg-gpuperf-config=%t.yaml -fplugin-arg-gpuperf-assume=turn_round:local=16x16 -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: printf 'kernels:\n  "turn_round":\n    launches:\n      - {global: 64x64, local: 8x8, args: {n: 64}}\n      - {global: 4096x4096, local: 32x8, args: {"2": 0x1000, n: 4096}, count: 9}\n' > %t2.yaml
// RUN: %cl -fplugin-arg-gpuperf-config=%t2.yaml -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=RECORDED
// RUN: printf 'kernels:\n  "turn*":\n    globl: 4\n' > %t3.yaml
// RUN: not %cl -fplugin-arg-gpuperf-config=%t3.yaml -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %cl -fplugin-arg-gpuperf-config=%t.none -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: printf 'kernels:\n  "turn*":\n    local: 4096\n    args: {n: x}\n' > %t4.yaml
// RUN: not %cl -fplugin-arg-gpuperf-config=%t4.yaml -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=BAD
// CHECK: warning: uncoalesced global store{{.*}} on v100
// CHECK: note: predicted for global 2048x512, local 64x4, n=2048
// OVER: on a100
// OVER: note: predicted for global 2048x512, local 16x16, n=2048
// RECORDED: note: predicted for global 4096x4096, local 32x8, n=4096
// WRONG: error: gpuperf: {{.*}}.yaml:3: unknown key 'globl'
// NONE: error: gpuperf: cannot read {{.*}}.none
// BAD: error: gpuperf: in '{{.*}}.yaml' for kernel 'turn_round':
kernel void turn_round(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    out[col * n + row] = in[row * n + col];
}
kernel void quiet(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    out[col * n + row] = in[row * n + col];
}
