// Standard input, languages by name, and what is not read.
// RUN: %gpuperf predict --device a100 --local 256 - -x cl <%s | FileCheck %s
// RUN: cat %s | %gpuperf predict --device a100 --local 256 -x clcpp - | FileCheck %s
// RUN: cp %s %t.txt && %gpuperf predict --device a100 --local 256 -x cl %t.txt | FileCheck %s
// CHECK: twice on a100
// RUN: %gpuperf predict --device a100 --local 256 --json - -x cl <%s | FileCheck %s --check-prefix=PLACE
// PLACE: "file": "<stdin>"
// RUN: printf '__global__ void up(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }' | %gpuperf predict --device a100 --local 256 -x cuda - | FileCheck %s --check-prefix=CUDA
//      CUDA: up on a100
//      CUDA: launch     grid times block 1048576
//      CUDA: headroom {{[0-9.]+}}x with block 256
//      CUDA: block  
// RUN: not %gpuperf predict - <%s 2>&1 | FileCheck %s --check-prefix=SAY
// SAY: gpuperf: standard input is a source; say in which language: -x cl, clcpp, cuda, hip or ir
// RUN: not %gpuperf predict -x cl - </dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: gpuperf: standard input is empty
// RUN: not %gpuperf predict -x fortran %s 2>&1 | FileCheck %s --check-prefix=LANGUAGE
// LANGUAGE: gpuperf: -x takes cl, clcpp, cuda, hip or ir, not 'fortran'
// RUN: %noplugin -x cl -O1 -target nvptx64 -S %s -o %t.ptx && not %gpuperf predict %t.ptx 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: gpuperf: {{.*}}.ptx is PTX without a profile, which is not read; name the source
// RUN: %cl -S %s -o %t.annotated.ll && %gpuperf predict --device a100 --local 256 %t.annotated.ll | FileCheck %s
__kernel void twice(__global float *p) { p[get_global_id(0)] *= 2; }
