/* y = a * x + y */
#ifdef BROKEN
#error broken
#endif
__kernel void saxpy(__global float *y, __global const float *x, float a, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] += a * x[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
