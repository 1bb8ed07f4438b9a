// What functions as exact as the standard asks cost beside the hardware's approximations. (Twins on an H200: sines 4.0, powers 5.5 times faster.)
// RUN: %gpuperf predict --device h200 --global 4194304 --local 256 --kernel sines %s | FileCheck %s --check-prefix=SINES
// RUN: %gpuperf predict --device h200 --global 4194304 --local 256 --kernel powers %s | FileCheck %s --check-prefix=POWERS
// RUN: %gpuperf predict --device h200 --global 4194304 --local 256 --kernel approximate %s | FileCheck %s --check-prefix=NONE
// SINES: {{[34]\.[0-9]+}}x {{.*}}throughput: functions, divisions and roots that are exact to the last places
// SINES-NEXT: native_ functions, or -cl-fast-relaxed-math
// POWERS: {{[5-7]\.[0-9]+}}x {{.*}}throughput: functions, divisions and roots that are exact
// NONE-NOT: exact to the last places
kernel void sines(global float *out, global const float *in)
{
    float x = in[get_global_id(0)], sum = 0;
    for (int k = 0; k < 32; k++) sum += sin(x * (0.1f * k));
    out[get_global_id(0)] = sum;
}

kernel void powers(global float *out, global const float *in)
{
    float x = in[get_global_id(0)], sum = 0;
    for (int k = 0; k < 32; k++) sum += pow(x + 0.1f * k, 2.5f);
    out[get_global_id(0)] = sum;
}

kernel void approximate(global float *out, global const float *in)
{
    float x = in[get_global_id(0)], sum = 0;
    for (int k = 0; k < 32; k++) sum += native_sin(x * (0.1f * k));
    out[get_global_id(0)] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
