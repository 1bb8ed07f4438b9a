/*
 * SIZE particles give their weight to the four corners of a cell each, in a grid of GRID x GRID; weights are whole numbers, for atomics. TILE_X
 * particles per work-item. VARIANT 0: atomics on global memory; 1: on the group's copy of the grid in local memory first.
 */
__kernel void deposit(__global int *restrict grid, __global const float2 *restrict particles)
{
    const int t = get_local_id(0), first = get_group_id(0) * (BLOCK_X * TILE_X) + t;
#if VARIANT == 1
    __local int cells[GRID * GRID];
    for (int i = t; i < GRID * GRID; i += BLOCK_X)
        cells[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#define CELLS cells
#else
#define CELLS grid
#endif
    for (int k = 0; k < TILE_X; k++) {
        const int i = first + k * BLOCK_X;
        if (i < SIZE) {
            const float2 particle = particles[i];
            const int x = (int)particle.x, y = (int)particle.y, at = y * GRID + x;
            const float right = particle.x - x, left = 1.0f - right, below = particle.y - y, above = 1.0f - below;
            atomic_add(&CELLS[at], (int)(left * above * 4096.0f));
            atomic_add(&CELLS[at + 1], (int)(right * above * 4096.0f));
            atomic_add(&CELLS[at + GRID], (int)(left * below * 4096.0f));
            atomic_add(&CELLS[at + GRID + 1], (int)(right * below * 4096.0f));
        }
    }
#if VARIANT == 1
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < GRID * GRID; i += BLOCK_X)
        if (cells[i] != 0)
            atomic_add(&grid[i], cells[i]);
#endif
#undef CELLS
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
