/*
 * A step of a lattice Boltzmann fluid in two dimensions: nine populations per cell of SIZE x SIZE come from its neighbours and relax. They lie cell
 * by cell (VARIANT 0) or in nine planes (1); what is written lies in planes.
 */
__kernel void lattice(__global float *restrict out, __global const float *restrict cells, __global const float *restrict planes)
{
    enum { COUNT = SIZE * SIZE };
    const int x = get_group_id(0) * BLOCK_X + get_local_id(0), y = get_group_id(1) * BLOCK_Y + get_local_id(1);
    const int west = (x + SIZE - 1) % SIZE, east = (x + 1) % SIZE, south = (y + SIZE - 1) % SIZE, north = (y + 1) % SIZE;
    const int from[9] = {y * SIZE + x, y * SIZE + west, y * SIZE + east, south * SIZE + x, north * SIZE + x, south * SIZE + west, south * SIZE + east, north * SIZE + west, north * SIZE + east};
    float f[9];
    #pragma unroll
    for (int q = 0; q < 9; q++)
#if VARIANT == 0
        f[q] = cells[from[q] * 9 + q];
#else
        f[q] = planes[q * COUNT + from[q]];
#endif
    float density = 0.0f;
    #pragma unroll
    for (int q = 0; q < 9; q++)
        density += f[q];
    const float inverse = 1.0f / density, u = (f[1] - f[2] + f[5] - f[6] + f[7] - f[8]) * inverse, v = (f[3] - f[4] + f[5] + f[6] - f[7] - f[8]) * inverse;
    const float square = 1.5f * (u * u + v * v);
    const float along[9] = {0.0f, u, -u, v, -v, u + v, v - u, u - v, -u - v};
    #pragma unroll
    for (int q = 0; q < 9; q++) {
        const float weight = q == 0 ? 4.0f / 9.0f : q < 5 ? 1.0f / 9.0f : 1.0f / 36.0f, c = 3.0f * along[q];
        const float rest = weight * density * (1.0f + c + 0.5f * c * c - square);
        out[q * COUNT + y * SIZE + x] = f[q] + 0.6f * (rest - f[q]);
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
