// CUDA's grids are of whole blocks: those at the end of a range have all their threads, whatever these do.
// RUN: %gpuperf predict --device a100 --local 256,768 %s | FileCheck %s
// CHECK: launch     global 1024x1024
// CHECK: {{^ +}}1 {{ *}}256x1 {{.*}} best
// CHECK-NOT: tied
#include <cuda_runtime.h>

__global__ void axpy(float a, const float *x, float *y)
{
    int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
    y[i] += a * x[i];
}
