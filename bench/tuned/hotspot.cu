/*
 * Heat spreads over a chip (Rodinia's "hotspot"), several steps of it in a launch: a block brings its tile of BX * TILE_X x BY * TILE_Y cells and STEPS cells around it to shared memory
 * and lets the rim shrink by a cell with each step. The names of Kernel Tuner's parameters are in the comments; written after its description. 2.0 is a double, and so all around it is, as
 * there.
 */
#ifndef BX
#define BX 32      /* block_size_x */
#define BY 8       /* block_size_y */
#define TILE_X 2   /* tile_size_x */
#define TILE_Y 2   /* tile_size_y */
#define STEPS 2    /* temporal_tiling_factor */
#define UNROLL 1
#define SH_POWER 0 /* sh_power: the power in shared memory as well */
#define BLOCKS 0   /* blocks_per_sm, for the compiler */
#endif

enum { SIDE = 4096, RIM = 10, PITCH = SIDE + 2 * RIM, WIDTH = BX * TILE_X, HEIGHT = BY * TILE_Y, WIDE = WIDTH + 2 * STEPS, HIGH = HEIGHT + 2 * STEPS };

#if BLOCKS > 0
#define BOUNDS __launch_bounds__(BX * BY, BLOCKS)
#else
#define BOUNDS
#endif

extern "C" __global__ void BOUNDS hotspot(const float *power, const float *heat, float *out, float by_x, float by_y, float by_z, float step)
{
    __shared__ float now[2][HIGH][WIDE];
#if SH_POWER
    __shared__ float source[HIGH][WIDE];
#endif
    const int left = blockIdx.x * WIDTH, top = blockIdx.y * HEIGHT, begin = (RIM - STEPS) * PITCH + RIM - STEPS;
    int from = 1;
#pragma unroll
    for (int y = threadIdx.y; y < HIGH; y += BY)
#pragma unroll
        for (int x = threadIdx.x; x < WIDE; x += BX) {
            const bool inside = left + x < PITCH && top + y < PITCH;
            const int cell = begin + (top + y) * PITCH + left + x;
            if (inside) {
                now[from][y][x] = heat[cell];
            } else {
                now[from][y][x] = 0;
                now[1 - from][y][x] = 0;
            }
#if SH_POWER
            source[y][x] = inside ? power[cell] : 0;
#endif
        }
    __syncthreads();
#pragma unroll UNROLL
    for (int s = 1; s <= STEPS; s++) {
#pragma unroll
        for (int y = threadIdx.y + s; y < HIGH - s; y += BY)
#pragma unroll
            for (int x = threadIdx.x + s; x < WIDE - s; x += BX) {
#if SH_POWER
                const float given = source[y][x];
#else
                float given = 0;
                if (left + x < PITCH && top + y < PITCH)
                    given = power[begin + (top + y) * PITCH + left + x];
#endif
                const float here = now[from][y][x];
                now[1 - from][y][x] = here + step * (given + (now[from][y + 1][x] + now[from][y - 1][x] - 2.0 * here) * by_y +
                                                     (now[from][y][x + 1] + now[from][y][x - 1] - 2.0 * here) * by_x + (80.0f - here) * by_z);
            }
        __syncthreads();
        from = 1 - from;
    }
#pragma unroll
    for (int j = 0; j < TILE_Y; j++)
#pragma unroll
        for (int i = 0; i < TILE_X; i++) {
            const int x = i * BX + threadIdx.x, y = j * BY + threadIdx.y;
            if (left + x < SIDE && top + y < SIDE)
                out[(top + y) * SIDE + left + x] = now[from][y + STEPS][x + STEPS];
        }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
