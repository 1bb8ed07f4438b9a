// Registers of OpenCL kernels come from NVRTC where there is one, also of kernels that call functions and have pointers to local and constant memory, for which CUDA has no words. The caller's macros stand behind what OpenCL's names are made of: they may be called T or V.
// RUN: %noplugin -shared -fPIC -w -o %t.so %S/Inputs/nvrtc_knows.c
// RUN: env GPUPERF_NVRTC=%t.so NVRTC_OPTIONS=%t.options %gpuperf predict --device a100 --local 64 %s -- -DT=3 -D V -I %S -cl-fast-relaxed-math -cl-std=CL2.0 | FileCheck --check-prefix=KNOWS %s
// RUN: FileCheck --check-prefix=OPTIONS --input-file=%t.options %s
// RUN: sed s/two/refused/ %s > %t.refused.cl
// RUN: env GPUPERF_NVRTC=%t.so NVRTC_OPTIONS=%t.options %gpuperf predict --device a100 --local 64 %t.refused.cl -- -DT=3 -DV | FileCheck --check-prefix=OTHERS %s
// RUN: env GPUPERF_NVRTC=%t.missing.so %gpuperf predict --device a100 --local 64 %s -- -DT=3 -DV | FileCheck --check-prefix=OTHERS %s
// RUN: env GPUPERF_NVRTC= GPUPERF_NVCC= %gpuperf predict --device a100 --local 64 %s -- -DT=3 -DV | FileCheck --check-prefix=OTHERS %s

// KNOWS: registers 79 (ptxas); local memory 256 B; 8 bytes spilled per work-item
// OTHERS-NOT: registers 79

// OPTIONS: -std=c++17 -default-device --ptxas-options=-v -w -lineinfo -arch=sm_80 -include={{.*}}nvcc_prelude.h -prec-div=false -prec-sqrt=false -I{{[^ ]*}} -use_fast_math -I
// OPTIONS: template <class T, class V>
// OPTIONS: #define T 3
// OPTIONS-NEXT: #define V 1
float two(float x) { return x * T; }
kernel void one(global float *a, constant float *scale, __local float *tile)
{
    local float row[4];
    tile[get_local_id(0)] = row[0] = scale[0];
    a[get_global_id(0)] = two(a[get_global_id(0)]) + tile[0] + row[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
