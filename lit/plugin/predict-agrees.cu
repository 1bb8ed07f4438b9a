// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * CUDA, too: what clang has unrolled by two or four NVIDIA's compilers unroll by four or sixteen, and the plugin tells of their code, as predict does.
 * What clang leaves as a loop they unroll as well. A profile that the plugin writes says so.
 *
 * RUN: %clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -nocudainc -nocudalib -O2 -emit-llvm -c -o /dev/null -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=h100 '-fplugin-arg-gpuperf-assume=*:global=65536:local=256:n=1024' -fplugin-arg-gpuperf-assume=product:global=1024x1024:local=32x8:n=1024 %s > %t.plugin 2>&1
 * RUN: %gpuperf predict --device h100 --global 65536 --local 256 --arg n=1024 --kernel softmax %s > %t.predict
 * RUN: %gpuperf predict --device h100 --global 65536 --local 256 --kernel sparse %s >> %t.predict
 * RUN: %gpuperf predict --device h100 --global 1024x1024 --local 32x8 --arg n=1024 --kernel product %s >> %t.predict
 * RUN: awk -v within=0.1 -f %S/../tools/Inputs/gains.awk %t.plugin %t.predict | count 0
 * With a small L1, from which lines are lost between turns.
 * RUN: %clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_86 -Wno-unknown-cuda-version -nocudainc -nocudalib -O2 -emit-llvm -c -o /dev/null -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=rtx3080 '-fplugin-arg-gpuperf-assume=*:global=65536:local=256:n=1024' %s > %t.small 2>&1
 * RUN: %gpuperf predict --device rtx3080 --global 65536 --local 256 --kernel sparse %s > %t.small_predict
 * RUN: sed -n '/kernel sparse on/,/kernel product on/p' %t.small > %t.small_plugin; awk -v within=0.1 -f %S/../tools/Inputs/gains.awk %t.small_plugin %t.small_predict | count 0
 * RUN: FileCheck %s --input-file=%t.plugin
 * CHECK-DAG: remark: uncoalesced global store: {{.*}}x faster
 * CHECK-DAG: remark: loads: each element of 'a' is loaded by 1024 threads; {{.*}} ({{1.9|2.0}}x faster with a tile
 *
 * RUN: %clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -nocudainc -nocudalib -O2 -emit-llvm -c -o /dev/null -w -fplugin-arg-gpuperf-device=h100 -fplugin-arg-gpuperf-profile=%t.profile %s
 * RUN: %gpuperf dis %t.profile > %t.text; FileCheck %s --check-prefix=PROFILE --input-file=%t.text
 * PROFILE: opt 2 left-to-drivers
 * RUN: %gpuperf predict --device h100 --global 1024x1024 --local 32x8 --arg n=1024 --kernel product %t.text | FileCheck %s --check-prefix=TEXT
 * TEXT: {{(1.9|2.0).}}x {{.*}}: throughput: loads: each element of 'a' is loaded by 1024 threads
 * REQUIRES: gpuperf
 */
#ifndef __global__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#endif
#define ROWS for (int i = 0; i < n; i++)
#define ITEM(D) int(__nvvm_read_ptx_sreg_ctaid_##D() * __nvvm_read_ptx_sreg_ntid_##D() + __nvvm_read_ptx_sreg_tid_##D())

extern "C" __global__ void softmax(const float *in, float *out, int n)
{
    int row = ITEM(x);
    float most = in[row * n], sum = 0;
    ROWS
        most = __builtin_fmaxf(most, in[row * n + i]);
    ROWS
        sum += __nvvm_ex2_approx_f(in[row * n + i] - most);
    ROWS
        out[row * n + i] = __nvvm_ex2_approx_f(in[row * n + i] - most) / sum;
}

extern "C" __global__ void sparse(const int *starts, const int *columns, const float *values, const float *x, float *y,
                                  int rows)
{
    int row = ITEM(x);
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

extern "C" __global__ void product(const float *a, const float *b, float *c, int n)
{
    int column = ITEM(x), row = ITEM(y);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
