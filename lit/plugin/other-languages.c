// Other languages are passed over, wrong arguments and all.
// RUN: %clang -O2 -c %s -o %t.with.o -fplugin-arg-gpuperf-device=a999 2>&1 | count 0
// RUN: %noplugin -O2 -c %s -o %t.without.o
// RUN: cmp %t.with.o %t.without.o
void transpose(const float *in, float *out, int n)
{
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
            out[col * n + row] = in[row * n + col];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
