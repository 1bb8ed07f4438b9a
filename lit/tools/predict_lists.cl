// Lists and ranges: one compile, a row for each combination, which is what the combination alone gets.
// RUN: %gpuperf predict --device a100 --global 1024,1048576 --arg k=1..8*2:100 --local 256 %s | FileCheck %s --match-full-lines --strict-whitespace
//      CHECK:sum on a100 (NVIDIA A100 40 GB, 1410 MHz), caches cold
// CHECK-NEXT:  launch     global 1024, k=1 first; the best local size of each combination
//CHECK-EMPTY:
// CHECK-NEXT:   global   k  local             time  occupancy  limiter   confidence
// CHECK-NEXT:     1024   1  256 {{.*}}
// CHECK-NEXT:     1024   2  256 {{.*}}
// CHECK-NEXT:     1024   4  256 {{.*}}
// CHECK-NEXT:     1024   8  256 {{.*}}
// CHECK-NEXT:     1024 100  256 {{.*}}
// CHECK-NEXT:  1048576   1  256 {{.*}}
//
// RUN: %gpuperf predict --device a100,pocl-cpu --local 64,256 --global 1024,1048576 --arg k=3:64 --json %s >%t.all
// RUN: for g in 1024 1048576; do for k in 3 64; do %gpuperf predict --device a100,pocl-cpu --local 64,256 --global $g --arg k=$k --json %s; done; done >%t.each
// RUN: %python %S/Inputs/same_rows.py %t.all %t.each | FileCheck %s --check-prefix=SAME
// SAME: as alone: {{[1-9][0-9]*}} rows
//
// The compiler runs as often as for one.
// RUN: echo '#!/bin/sh' >%t.clang && echo 'echo run >>%t.runs; exec %noplugin "$@"' >>%t.clang && chmod +x %t.clang
// RUN: rm -f %t.runs && env GPUPERF_CLANG=%t.clang %gpuperf predict --device a100 --arg k=1 --local 256 %s >%t.out && wc -l <%t.runs >%t.one
// RUN: rm -f %t.runs && env GPUPERF_CLANG=%t.clang %gpuperf predict --device a100 --arg k=1..500 --local 256 %s >%t.out && wc -l <%t.runs >%t.many
// RUN: cmp %t.one %t.many
//
// What a combination cannot do is left out, and named.
// RUN: not %gpuperf predict --device a100 --arg 'k=4:8' --global 64,1024 --local 2048 %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: gpuperf: k=4, global 64: kernel 'sum': a local size of 2048x1x1 is more than the 1024 work-items per group of a100
//
// RUN: not %gpuperf predict --arg k=1.. %s 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not %gpuperf predict --arg k=1..9%%2 %s 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not %gpuperf predict --arg k=0.5..2 %s 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: gpuperf: --arg k={{.*}}: a range is FROM..TO, FROM..TO*FACTOR or FROM..TO+STEP, of whole numbers
// RUN: not %gpuperf predict --arg k=4..1 %s 2>&1 | FileCheck %s --check-prefix=ENDS
// ENDS: gpuperf: --arg k=4..1: the range ends before it begins
// RUN: not %gpuperf predict --arg 'k=1..9*1' %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: gpuperf: --arg k=1..9*1: the factor is 2 at least
// RUN: not %gpuperf predict --arg k=1..9+0 %s 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: gpuperf: --arg k=1..9+0: the step is 1 at least
// RUN: not %gpuperf predict --arg 'k=0..9*3' %s 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: gpuperf: --arg k=0..9*3: a range by factors begins at 1 at least
// RUN: not %gpuperf predict --arg k=1:2: %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: gpuperf: --arg has an empty or too long item; items are separated by single colons
// RUN: not %gpuperf predict --arg k=1..9000000 %s 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: gpuperf: --arg k: more than 1000000 values
// RUN: not %gpuperf predict --arg k=1..2000 --global 1,2,3,4,5,6,7,8,9,10 --groups 1 %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: gpuperf: --global and --groups both say how large the launch is; leave one of them out
// RUN: not %gpuperf predict --arg k=1..200000 --global 1,2,3,4,5,6 %s 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: gpuperf: 1200000 combinations of values are more than 1000000; ask for fewer values
// A value that is none is found before anything is printed.
// RUN: not %gpuperf predict --arg k=1:x %s 2>%t.complaint >%t.out
// RUN: FileCheck %s --check-prefix=VALUE <%t.complaint && not grep . %t.out
// VALUE: gpuperf: 'x' is no integer of 32 bits for argument 'k'
__kernel void sum(__global float *y, __global const float *x, int k)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < k; j++)
        s += x[i * k + j];
    y[i] = s;
}
