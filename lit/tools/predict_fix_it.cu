/*
 * The same of CUDA: a mask for a division by a power of two that only the source knows to be one, constants in single precision, launch bounds.
 *
 * RUN: %gpuperf predict --device a100 --kernel reduce --fix-it %s | FileCheck %s --check-prefix=MASK
 * MASK: a mask instead of 'tid % (2 * s)', whose divisor is a power of two (same results)
 * MASK: reduce on a100, block 256 {{.*}} predicted again 1.{{[2-9]}}
 * MASK: -        if (tid % (2 * s) == 0)
 * MASK-NEXT: +        if ((tid & (2 * s - 1)) == 0)
 *
 * RUN: %gpuperf predict --device a100 --kernel scale --fix-it %s | FileCheck %s --check-prefix=SUFFIX
 * SUFFIX: single-precision constants in scale (changes rounding)
 * SUFFIX: | +        x = x * 0.5f + 1.25f * x * x;
 *
 * A hint to the compiler that does not help is tried and not offered.
 * RUN: %if ptxas %{ %gpuperf predict --device a100 --kernel many --local 256 --fix-it %s | FileCheck %s --check-prefix=BOUNDS %}
 * BOUNDS: Tried and not offered:
 * BOUNDS: tell the compiler of many's groups: __launch_bounds__(256, 5) ({{.*}}): predicted again
 */
__global__ void reduce(const int *in, int *out)
{
    __shared__ int part[1024];
    unsigned int tid = threadIdx.x;
    part[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = part[0];
}

__global__ void scale(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 16; k++)
        x = x * 0.5 + 1.25 * x * x;
    out[i] = x;
}

__global__ void many(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[44], s = 0;
    for (int k = 0; k < 44; k++)
        a[k] = in[i + k * n];
    for (int r = 0; r < 8; r++)
        for (int k = 0; k < 44; k++)
            a[k] = a[k] * a[(k + 1) % 44] + a[(k + 7) % 44];
    for (int k = 0; k < 44; k++)
        s += a[k];
    out[i] = s;
}
