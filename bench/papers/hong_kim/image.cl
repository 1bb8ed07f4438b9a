/* Sepia and Linear of Hong & Kim's Table 5: filters on interleaved RGB bytes, which no device of theirs coalesces fully. */

/* Ages a photograph: the sepia matrix, faded towards a paper tone. */
__kernel void sepia(__global const uchar *in, __global uchar *out, int width, int height, float fade)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int at = 3 * (y * width + x);
    float red = in[at], green = in[at + 1], blue = in[at + 2];
    float aged_red = 0.393f * red + 0.769f * green + 0.189f * blue;
    float aged_green = 0.349f * red + 0.686f * green + 0.168f * blue;
    float aged_blue = 0.272f * red + 0.534f * green + 0.131f * blue;
    out[at] = (uchar)fmin(255.0f, mix(aged_red, 240.0f, fade));
    out[at + 1] = (uchar)fmin(255.0f, mix(aged_green, 225.0f, fade));
    out[at + 2] = (uchar)fmin(255.0f, mix(aged_blue, 190.0f, fade));
}

/* The mean of nine pixels; the input has a border of one pixel. */
__kernel void linear(__global const uchar *in, __global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), pitch = 3 * (width + 2);
    if (x >= width || y >= height)
        return;
    int red = 0, green = 0, blue = 0;
#pragma unroll
    for (int dy = 0; dy < 3; dy++) {
#pragma unroll
        for (int dx = 0; dx < 3; dx++) {
            int at = (y + dy) * pitch + 3 * (x + dx);
            red += in[at];
            green += in[at + 1];
            blue += in[at + 2];
        }
    }
    int at = 3 * (y * width + x);
    out[at] = (uchar)(red * (1.0f / 9));
    out[at + 1] = (uchar)(green * (1.0f / 9));
    out[at + 2] = (uchar)(blue * (1.0f / 9));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
