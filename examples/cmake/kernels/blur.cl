/* Neighbouring work-items read neighbouring pixels, in both passes. */
__kernel void blur_rows(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || x >= width - 1 || y >= height)
        return;
    int at = y * width + x;
    out[at] = 0.25f * in[at - 1] + 0.5f * in[at] + 0.25f * in[at + 1];
}

__kernel void blur_columns(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y < 1 || y >= height - 1)
        return;
    int at = y * width + x;
    out[at] = 0.25f * in[at - width] + 0.5f * in[at] + 0.25f * in[at + width];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
