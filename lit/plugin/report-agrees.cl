/*
 * A report has the times of `gpuperf predict`, whichever size the warnings assume.
 *
 * RUN: %clang -x cl -O2 -w -emit-llvm -c -target spir64 -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-report=%t.report -fplugin-arg-gpuperf-profile=%t.gpuperf %s -o %t.bc
 * RUN: %gpuperf predict --json --device a100 %t.gpuperf > %t.predicted
 * RUN: grep -h '"cycles"' %t.report | sort > %t.1; grep -h '"cycles"' %t.predicted | sort > %t.2; test -s %t.1 && diff %t.1 %t.2
 */
kernel void transpose(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < n && y < n)
        out[x * n + y] = in[y * n + x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
