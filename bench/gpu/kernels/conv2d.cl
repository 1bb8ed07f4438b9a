/*
 * A layer of a convolutional network: CHANNELS maps of SIZE x SIZE points with a border of one (NCHW), 3x3 weights, as many maps out. A work-item
 * makes TILE_X neighbours of a row in TILE_Y maps.
 */
__kernel void conv2d(__global float *restrict out, __global const float *restrict in, __global const float *restrict weights,
                     __global const float *restrict bias)
{
    enum { PITCH = SIZE + 2, MAP = PITCH * PITCH, MAPS_IN_PARTS = CHANNELS / TILE_Y };
    const int x = (get_group_id(0) * BLOCK_X + get_local_id(0)) * TILE_X, line = get_group_id(1) * BLOCK_Y + get_local_id(1);
    const int y = line % SIZE, first = line / SIZE % MAPS_IN_PARTS * TILE_Y, image = line / SIZE / MAPS_IN_PARTS;
    float sums[TILE_Y][TILE_X];
    #pragma unroll
    for (int m = 0; m < TILE_Y; m++)
        #pragma unroll
        for (int i = 0; i < TILE_X; i++)
            sums[m][i] = bias[first + m];
    for (int c = 0; c < CHANNELS; c++) {
        const int at = (image * CHANNELS + c) * MAP + y * PITCH + x;
        float near[3][TILE_X + 2];
        #pragma unroll
        for (int j = 0; j < 3; j++)
            #pragma unroll
            for (int i = 0; i < TILE_X + 2; i++)
                near[j][i] = in[at + j * PITCH + i];
        #pragma unroll
        for (int m = 0; m < TILE_Y; m++)
            #pragma unroll
            for (int k = 0; k < 9; k++) {
                const float weight = weights[((first + m) * CHANNELS + c) * 9 + k];
                #pragma unroll
                for (int i = 0; i < TILE_X; i++)
                    sums[m][i] += weight * near[k / 3][i + k % 3];
            }
    }
    #pragma unroll
    for (int m = 0; m < TILE_Y; m++)
        #pragma unroll
        for (int i = 0; i < TILE_X; i++)
            out[((image * CHANNELS + first + m) * SIZE + y) * SIZE + x + i] = fmax(sums[m][i], 0.0f);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
