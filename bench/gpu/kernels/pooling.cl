/*
 * The largest of WINDOW x WINDOW points, every second one each way, of CHANNELS maps of SIZE x SIZE points in IMAGES images; TILE_X outputs per
 * work-item. The maps lie one behind the other, or point by point (POINTWISE).
 */
__kernel void pooling(__global float *restrict out, __global const float *restrict in)
{
    enum { HALF = SIZE / 2, COUNT = IMAGES * CHANNELS * HALF * HALF, BORDER = WINDOW - 2 };
    const int first = get_group_id(0) * (BLOCK_X * TILE_X) + get_local_id(0);
    #pragma unroll
    for (int k = 0; k < TILE_X; k++) {
        const int at = first + k * BLOCK_X;
        if (at < COUNT) {
#if POINTWISE
            const int map = at % CHANNELS, x = at / CHANNELS % HALF, y = at / CHANNELS / HALF % HALF, image = at / CHANNELS / HALF / HALF;
#else
            const int x = at % HALF, y = at / HALF % HALF, map = at / HALF / HALF;
#endif
            float largest = -1e30f;
            #pragma unroll
            for (int j = 0; j < WINDOW; j++)
                #pragma unroll
                for (int i = 0; i < WINDOW; i++) {
                    const int from_x = 2 * x + i - BORDER, from_y = 2 * y + j - BORDER;
                    if (from_x >= 0 && from_y >= 0)
#if POINTWISE
                        largest = fmax(largest, in[((image * SIZE + from_y) * SIZE + from_x) * CHANNELS + map]);
#else
                        largest = fmax(largest, in[(map * SIZE + from_y) * SIZE + from_x]);
#endif
                }
            out[at] = largest;
        }
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
