/*
 * Registers of devices that ptxas makes no code for are those of a chip whose SM holds as many work-items: ptxas gives 32 independent loads 64 registers where it holds 1024, and 32 where it holds 2048. What
 * a launch bound asks for beyond what an SM holds (gtx580: 2048 work-items of 1536) is not heeded.
 *
 * REQUIRES: ptxas
 * RUN: %gpuperf predict --device v100,k20,940m,gtx580 --global 4096x1024 --local 256x1 --arg n=4096 %s | FileCheck %s
 * RUN: sed -e 's/__launch_bounds__/__attribute__((annotate("plain"))) BOUND/' -e '1i #define BOUND(...)' %s > %t.cu
 * RUN: %gpuperf predict --device v100,k20 --global 4096x1024 --local 256x1 --arg n=4096 %t.cu | FileCheck %s --check-prefix=FREE
 * CHECK: on v100
 * CHECK: registers 32 (ptxas){{.*}} no spills
 * CHECK: on k20
 * CHECK: registers 32 (ptxas){{.*}} no spills
 * CHECK: on 940m
 * CHECK: registers 32 (ptxas){{.*}} no spills
 * CHECK: on gtx580
 * CHECK: registers {{[0-9]+}} (ptxas){{.*}} no spills
 * FREE: on v100
 * FREE: registers 32 (ptxas){{.*}} no spills
 * FREE: on k20
 * FREE: registers 32 (ptxas){{.*}} no spills
 */
__global__ void __launch_bounds__(256, 8) sums(const float *a, const float *b, float *c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int i = 0; i < 32; i++)
        s += a[blockIdx.y * 32 + i] * b[i * n + column];
    c[blockIdx.y * n + column] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
