// Loops up to a logarithm turn as often as it says, and those up to one of a constant are unrolled, as by nvcc 13.0; a power of the counter stays a divisor.
// RUN: %gpuperf predict --device a100 --global 16777216 --local 256 --arg n=16777216 %s | FileCheck %s
#define TURNS(name, end) __global__ void name(float *x, int n) { int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= n) return; float v = x[t]; for (int i = 1; i <= end; i++) v = v * v + 1.0f / (v + i); x[t] = v; }
// CHECK: by_four on
// CHECK: 256 [[FOUR:[0-9]+]]
TURNS(by_four, 4)
// CHECK: by_fast on
// CHECK: 256 [[FOUR]]
TURNS(by_fast, __log2f(16))
// CHECK: by_log2f on
// CHECK: 256 [[FOUR]]
TURNS(by_log2f, log2f(16.0f))
// CHECK: by_exp2f on
// CHECK: 256 [[FOUR]]
TURNS(by_exp2f, exp2f(2.0f))
// CHECK: by_pow on
// CHECK: 256 [[FOUR]]
TURNS(by_pow, __powf(2, 2))
// CHECK: of_the_group on
// CHECK: launch grid times block 16777216, n=16777216{{$}}
TURNS(of_the_group, log2f(blockDim.x))
// CHECK: of_the_group_fast on
// CHECK: launch grid times block 16777216, n=16777216{{$}}
TURNS(of_the_group_fast, __log2f((float)blockDim.x))
// CHECK: powers on
// CHECK: launch grid times block 16777216, n=16777216{{$}}
TURNS(powers, exp2f((float)(blockDim.x >> 6)))
// CHECK: doubles on
// CHECK: launch grid times block 16777216, n=16777216{{$}}
// CHECK: known 100%
// CHECK: 256 {{.*}} best
TURNS(doubles, log2((double)blockDim.x))
// CHECK: power_of_doubles on
// CHECK: known 100%
// CHECK: 256 {{.*}} best
TURNS(power_of_doubles, exp2((double)(blockDim.x >> 6)))
// CHECK: divisor on
// CHECK: integer divisions
__global__ void divisor(float *x, int n)
{
    float v = x[threadIdx.x];
    for (int i = 1; i <= __log2f(16); i++) {
        int p = __powf(2, i);
        if (threadIdx.x % p == 0)
            v = v * v + i;
        __syncthreads();
    }
    x[threadIdx.x] = v;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
