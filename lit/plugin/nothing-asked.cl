// With annotate=off and warn=none nothing is asked for, and nothing is done: not even what hinders the analysis is found.
// RUN: %cl -fplugin-arg-gpuperf-annotate=off -c %s -o %t.bc 2>&1 | FileCheck %s
// CHECK: no prediction: kernel 'many' has more than 256 parameters
// RUN: %cl -fplugin-arg-gpuperf-annotate=off -fplugin-arg-gpuperf-warn=none -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-annotate=off -fplugin-arg-gpuperf-warn=none -Rpass-analysis=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %plain_cl -c %s -o %t.1 && %cl -fplugin-arg-gpuperf-annotate=off -fplugin-arg-gpuperf-warn=none -c %s -o %t.2 && cmp %t.1 %t.2
// RUN: not %cl -fplugin-arg-gpuperf-annotate=off -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-device=nosuch -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: nosuch
#define TEN(x) int x##0, int x##1, int x##2, int x##3, int x##4, int x##5, int x##6, int x##7, int x##8, int x##9
kernel void many(global int *a, TEN(a), TEN(b), TEN(c), TEN(d), TEN(e), TEN(f), TEN(g), TEN(h), TEN(i), TEN(j), TEN(k), TEN(l), TEN(m),
                 TEN(n), TEN(o), TEN(p), TEN(q), TEN(r), TEN(s), TEN(t), TEN(u), TEN(v), TEN(w), TEN(x), TEN(y), TEN(z))
{
    a[0] = z9;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
