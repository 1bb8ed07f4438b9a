/*
 * Local sizes that the global size is no multiple of: OpenCL refuses them before 2.0. CUDA has no such rule.
 *
 * RUN: %gpuperf predict --device a100 --global 1000 --local 256,250,96 %s | FileCheck %s --check-prefix=UNEVEN
 * UNEVEN:     note       the global size is no multiple of local {{(256, 96|96, 256)}}: OpenCL before 2.0 refuses such a launch (CL_INVALID_WORK_GROUP_SIZE)
 * UNEVEN-NOT: note
 * RUN: %gpuperf predict --device a100 --global 32 --local 64 %s | FileCheck %s --check-prefix=BEYOND
 * BEYOND:      note       the global size is no multiple of local 64: OpenCL before 2.0 refuses
 * BEYOND-NEXT: note       local 64: larger than the global size, only a part of the group is used
 * RUN: %gpuperf predict --device a100 --global 1000 --local 256 %s -- -cl-std=CL2.0 | FileCheck %s --check-prefix=NONE
 * RUN: %gpuperf predict --device a100 --global 32 --local 64 %s -- -cl-std=CL3.0 | FileCheck %s --check-prefix=PART
 * PART-NOT: no multiple
 * PART: note       local 64: larger than the global size, only a part of the group is used
 * RUN: %gpuperf predict --device a100 --global 1000 %s | FileCheck %s --check-prefix=NONE
 * RUN: %gpuperf predict --device a100 --global 1024 --local 256,32 %s | FileCheck %s --check-prefix=NONE
 * RUN: %gpuperf predict --device a100 --local 96 %s | FileCheck %s --check-prefix=NONE
 * RUN: echo '__global__ void twice(float *data) { data[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }' > %t.cu
 * RUN: %gpuperf predict --device a100 --global 1000 --local 256 %t.cu | FileCheck %s --check-prefix=NONE
 * NONE:     launch
 * NONE-NOT: note
 */
__kernel void twice(__global float *data)
{
    data[get_global_id(0)] *= 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
