// Registers come from nvcc where it takes the source and knows all of its kernels; it is told what of clang's arguments it understands. Else as without it.
// RUN: env GPUPERF_NVCC=%S/Inputs/nvcc_knows.sh NVCC_ARGUMENTS=%t.arguments %gpuperf predict --device a100 --local 64 %s -- -DN=3 -I %S -cl-fast-relaxed-math -cl-std=CL2.0 -mllvm -unroll-threshold=7 | FileCheck --check-prefix=KNOWS %s
// RUN: FileCheck --check-prefix=ARGUMENTS --input-file=%t.arguments %s
// RUN: env GPUPERF_NVCC=%S/Inputs/nvcc_knows_one.sh %gpuperf predict --device a100 --local 64 %s -- -DN=3 | FileCheck --check-prefix=OTHERS %s
// RUN: env GPUPERF_NVCC=%S/Inputs/nvcc_refuses.sh %gpuperf predict --device a100 --local 64 %s -- -DN=3 | FileCheck --check-prefix=OTHERS %s
// RUN: env GPUPERF_NVCC= %gpuperf predict --device a100 --local 64 %s -- -DN=3 | FileCheck --check-prefix=OTHERS %s

// KNOWS: registers 77 (ptxas); local memory 0 B; 8 bytes spilled per work-item
// KNOWS: registers 78 (ptxas)
// OTHERS-NOT: registers 7{{[78]}}

// ARGUMENTS: -cubin
// ARGUMENTS-SAME: -arch=sm_80 -include={{.*}}nvcc_prelude.h -prec-div=false -prec-sqrt=false -I{{[^ ]*}} -use_fast_math -x cu -o
// ARGUMENTS-NOT: mllvm
kernel void one(global float *a) { a[get_global_id(0)] *= N; }
kernel void two(global float *a) { a[get_global_id(0)] += N; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
