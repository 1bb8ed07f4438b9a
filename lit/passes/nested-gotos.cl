// Cycles with several entries inside each other: each phi has a value for each way to it, whatever the graph (a profile that is not valid is an error).
// RUN: %plain_cl -w -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %clang -x cl -w -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S %s -o %t.s 2>&1 | count 0

// CHECK-LABEL: kernel "four"
// CHECK-NOT: truncated
// CHECK: loop 0: {{.*}} bound assumed data
// CHECK: loop 1: {{.*}} irreducible
kernel void four(global int *a)
{
    int i = get_global_id(0), x = a[i];
L0: x = x * 3 + a[x & 1023]; if (x & 1) goto L3; if (x > 0) goto L2;
L1: x = x * 4 + a[x & 1023]; if (x & 2) goto L0; if (x > 100) goto L3;
L2: x = x * 5 + a[x & 1023]; if (x & 4) goto L0; if (x > 200) goto L2;
L3: x = x * 6 + a[x & 1023]; if (x & 8) goto L2; if (x > 300) goto L1;
    a[i] = x;
}

// A switch with two cases for one label, and the way past them to another.
// CHECK-LABEL: kernel "switches"
// CHECK-NOT: truncated
// CHECK: loop 0: {{.*}} irreducible
kernel void switches(global int *a, int n)
{
    int i = get_global_id(0), x = n;
    switch (n & 7) { case 1: case 4: goto L1; case 2: case 5: goto L2; default: break; }
L0: a[x & 63] += x; x++;
    switch (x & 7) { case 0: case 3: goto L2; case 1: goto done; default: break; }
L1: a[x & 31] += x; x += 2;
L2: a[x & 15] += x; x += 3;
    switch (x & 15) { case 0: case 3: goto L1; case 1: goto L2; case 5: case 7: goto L0; default: break; }
done:
    a[i] = x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
