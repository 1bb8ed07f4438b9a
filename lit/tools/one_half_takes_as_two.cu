// An instruction with one half takes as long as one with two: a V100 and an RTX 3080 have lanes for 64 of them, as for
// 128 halfs. 80 and 68 SMs make 2^20 x 4096 in 609 us at 1380 MHz and 575 us at 1710 MHz, and more with the loop.
// RUN: %gpuperf predict --device v100 --global 1048576 --local 256 --arg n=4096 %s | FileCheck %s --check-prefix=V100
// RUN: %gpuperf predict --device rtx3080 --global 1048576 --local 256 --arg n=4096 %s | FileCheck %s --check-prefix=RTX3080
// V100: one on v100
// V100: time 6{{[0-9][0-9]}} us
// V100: two on v100
// V100: time 6{{[0-9][0-9]}} us
// V100: vectors on v100
// V100: time 6{{[0-9][0-9]}} us
// RTX3080: one on rtx3080
// RTX3080: time 6{{[0-9][0-9]}} us
// RTX3080: two on rtx3080
// RTX3080: time 6{{[0-9][0-9]}} us
// RTX3080: vectors on rtx3080
// RTX3080: time 6{{[0-9][0-9]}} us
typedef _Float16 half2v __attribute__((ext_vector_type(2)));

__global__ void one(_Float16 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    _Float16 a = i, b = i | 7, c = 3;
    for (int k = 0; k < n; k++)
        a = a * b + c;
    out[i] = a;
}

__global__ void two(unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = i, b = i | 7, c = 3;
    for (int k = 0; k < n; k++)
        asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
    out[i] = a;
}

__global__ void vectors(half2v *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half2v a = (_Float16)i, b = (_Float16)(i | 7), c = (_Float16)3;
    for (int k = 0; k < n; k++)
        a = a * b + c;
    out[i] = a;
}
