/*
 * CUDA, with NVIDIA's toolkit or without it.
 *
 * RUN: %gpuperf predict --device a100 --local 32x8 %s | FileCheck %s
 * CHECK: transpose on a100
 * CHECK: registers  {{[0-9]+}} ({{ptxas|estimate}})
 * CHECK: 32x8 {{.*}}best
 *
 * RUN: not %gpuperf predict --device mi250x %s 2>&1 | FileCheck %s --check-prefix=AMD
 * AMD: gpuperf: {{.*}}predict_cuda.cu is CUDA, which AMD {{.*}} does not run; choose an NVIDIA device
 */
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height)
        out[column * height + row] = in[row * width + column];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
