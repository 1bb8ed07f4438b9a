/*
 * A picture of FROM x FROM pixels of four channels made SIZE x SIZE, clamped at its edges: bytes (BYTES) or floats; by two (VARIANT 0, bilinear) or
 * four (1, bicubic) neighbours each way.
 */
#undef PIXEL
#undef TAPS
#if BYTES
#define PIXEL uchar4
#else
#define PIXEL float4
#endif
#define TAPS (VARIANT == 0 ? 2 : 4)
__kernel void resize(__global PIXEL *restrict out, __global const uchar4 *restrict bytes, __global const float4 *restrict floats)
{
    const int x = get_group_id(0) * BLOCK_X + get_local_id(0), y = get_group_id(1) * BLOCK_Y + get_local_id(1);
    const float step = (float)FROM / SIZE, from_x = (x + 0.5f) * step - 0.5f, from_y = (y + 0.5f) * step - 0.5f;
    const float near_x = floor(from_x), near_y = floor(from_y), parts[2] = {from_x - near_x, from_y - near_y};
    const int left = (int)near_x + 1 - TAPS / 2, top = (int)near_y + 1 - TAPS / 2;
    float weights[2][TAPS], red = 0.0f, green = 0.0f, blue = 0.0f, alpha = 0.0f;
    #pragma unroll
    for (int d = 0; d < 2; d++) {
        const float t = parts[d];
#if VARIANT == 0
        weights[d][0] = 1.0f - t;
        weights[d][1] = t;
#else
        weights[d][0] = ((-0.5f * t + 1.0f) * t - 0.5f) * t;
        weights[d][1] = (1.5f * t - 2.5f) * t * t + 1.0f;
        weights[d][2] = ((-1.5f * t + 2.0f) * t + 0.5f) * t;
        weights[d][3] = (0.5f * t - 0.5f) * t * t;
#endif
    }
    #pragma unroll
    for (int j = 0; j < TAPS; j++) {
        const int row = min(max(top + j, 0), FROM - 1) * FROM;
        #pragma unroll
        for (int i = 0; i < TAPS; i++) {
            const int at = row + min(max(left + i, 0), FROM - 1);
#if BYTES
            const uchar4 pixel = bytes[at];
#else
            const float4 pixel = floats[at];
#endif
            const float weight = weights[0][i] * weights[1][j];
            red += weight * pixel.x;
            green += weight * pixel.y;
            blue += weight * pixel.z;
            alpha += weight * pixel.w;
        }
    }
    PIXEL result;
#if BYTES
    result.x = (uchar)(fmin(fmax(red, 0.0f), 255.0f) + 0.5f);
    result.y = (uchar)(fmin(fmax(green, 0.0f), 255.0f) + 0.5f);
    result.z = (uchar)(fmin(fmax(blue, 0.0f), 255.0f) + 0.5f);
    result.w = (uchar)(fmin(fmax(alpha, 0.0f), 255.0f) + 0.5f);
#else
    result.x = red;
    result.y = green;
    result.z = blue;
    result.w = alpha;
#endif
    out[y * SIZE + x] = result;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
