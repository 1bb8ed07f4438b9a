// Two sources of one result: the step of whichever is read, through a pointer that is one or the other.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// CHECK: launch grid times block 1048576, ne00=1048576, nb00=4, nb10=4, n=1048576
__global__ void joined(float *out, const char *a, const char *b, int ne00, long nb00, long nb10, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *x;
    if (i < ne00)
        x = (const float *)(a + i * nb00);
    else
        x = (const float *)(b + (i - ne00) * nb10);
    out[i] = *x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
