// CUDA's siblings of predict_copies.cl.
// RUN: %gpuperf predict --device h100,a100 --kernel copy4 --groups 65536 --local 128,256,512,1024 --explain 128,256,512,1024 %s | FileCheck %s --check-prefix=FOUR --implicit-check-not=Bottlenecks
// FOUR-COUNT-2: at its roof
// RUN: %gpuperf predict --device h100,h200 --kernel copy --groups 65536 --local 512 %s | FileCheck %s --check-prefix=ONE --implicit-check-not=bandwidth:
// ONE: 1.4{{[0-9]}}x {{.*}}: latency: exposed latency: {{.*}} for memory
// ONE: more loads under way
// ONE: 1.{{[67][0-9]}}x {{.*}}: latency: exposed latency: {{.*}} for memory
__global__ void copy(float *to, const float *from)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

__global__ void copy4(float4 *to, const float4 *from)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
