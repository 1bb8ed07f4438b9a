/*
 * A step of a lattice Boltzmann fluid in three dimensions: 19 populations per cell of a cube of SIZE cells, periodic. They lie cell by cell, or in a
 * volume each (VOLUMES). VARIANT 0: a cell gathers its neighbours' and relaxes them; 1: it relaxes its own and sends them out.
 */
#undef PLACE
#if VOLUMES
#define PLACE(q, cell) ((q) * CELLS + (cell))
#else
#define PLACE(q, cell) ((cell) * 19 + (q))
#endif
__kernel void d3q19(__global float *restrict out, __global const float *restrict in)
{
    enum { CELLS = SIZE * SIZE * SIZE };
    const int dx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    const int dy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    const int dz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    const int x = get_group_id(0) * BLOCK_X + get_local_id(0), line = get_group_id(1) * BLOCK_Y + get_local_id(1);
    const int y = line % SIZE, z = line / SIZE, cell = line * SIZE + x;
    /* the neighbours before, here and behind */
    const int columns[3] = {(x + SIZE - 1) % SIZE, x, (x + 1) % SIZE};
    const int rows[3] = {(y + SIZE - 1) % SIZE * SIZE, y * SIZE, (y + 1) % SIZE * SIZE};
    const int planes[3] = {(z + SIZE - 1) % SIZE * (SIZE * SIZE), z * (SIZE * SIZE), (z + 1) % SIZE * (SIZE * SIZE)};
    float f[19], density = 0.0f, u = 0.0f, v = 0.0f, w = 0.0f;
    #pragma unroll
    for (int q = 0; q < 19; q++) {
#if VARIANT == 0
        f[q] = in[PLACE(q, planes[1 - dz[q]] + rows[1 - dy[q]] + columns[1 - dx[q]])];
#else
        f[q] = in[PLACE(q, cell)];
#endif
        density += f[q];
        u += dx[q] * f[q];
        v += dy[q] * f[q];
        w += dz[q] * f[q];
    }
    const float inverse = 1.0f / density;
    u *= inverse;
    v *= inverse;
    w *= inverse;
    const float square = 1.5f * (u * u + v * v + w * w);
    #pragma unroll
    for (int q = 0; q < 19; q++) {
        const float weight = q == 0 ? 1.0f / 3.0f : q < 7 ? 1.0f / 18.0f : 1.0f / 36.0f, c = 3.0f * (dx[q] * u + dy[q] * v + dz[q] * w);
        const float rest = weight * density * (1.0f + c + 0.5f * c * c - square), relaxed = f[q] + 0.8f * (rest - f[q]);
#if VARIANT == 0
        out[PLACE(q, cell)] = relaxed;
#else
        out[PLACE(q, planes[1 + dz[q]] + rows[1 + dy[q]] + columns[1 + dx[q]])] = relaxed;
#endif
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
