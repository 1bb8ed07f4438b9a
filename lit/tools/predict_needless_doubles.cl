// What double precision for constants costs is promised as the same source in single precision is predicted: its divisions and roots are as
// the language and the flags have them. Where the arithmetic itself is as fast, what costs are the conversions and the longer functions.
// RUN: %gpuperf predict --device mi250x --local 256 %s | FileCheck %s --check-prefix=LOOSE
// RUN: %gpuperf predict --device mi250x --local 256 %s -- -cl-fp32-correctly-rounded-divide-sqrt | FileCheck %s --check-prefix=EXACT
// LOOSE-NOT: 1/1
// LOOSE: 2.1{{[0-9]}}x {{.*}}throughput: double precision, between floats and constants only: conversions, and longer divisions, roots and functions
// EXACT: 1.3{{[0-9]}}x {{.*}}throughput: double precision, between floats and constants only: conversions, and longer divisions, roots and functions
kernel void doubles(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float v = a[i];
    for (int k = 0; k < 64; k++)
        v = sqrt(v * 1.5 + 0.25) / 3.0;
    o[i] = v;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
