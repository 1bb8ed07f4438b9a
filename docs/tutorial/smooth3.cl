/* The mean of nine neighbours along a row. */
kernel void smooth(global float *restrict out, global const float *restrict in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int d = -4; d <= 4; d++)
        sum += in[y * width + clamp(x + d, 0, width - 1)];
    out[y * width + x] = sum * 0.1111f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
