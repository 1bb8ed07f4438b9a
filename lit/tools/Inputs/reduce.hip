#include <hip/hip_runtime.h>
__global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    part[t] = i < n ? sinf(in[i]) + exp(in[i]) : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}
