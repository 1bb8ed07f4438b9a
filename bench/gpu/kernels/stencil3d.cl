/*
 * A star of RADIUS points each way in a cube of SIZE points, whose border of RADIUS points is read alone. A work-item walks through DEPTH planes.
 * VARIANT 0: all from global memory; 1: the plane in local memory, the points before and behind it in registers. DOUBLE: of doubles.
 */
#undef REAL
#if DOUBLE
#define REAL double
#else
#define REAL float
#endif
__kernel void stencil3d(__global REAL *restrict out, __global const REAL *restrict in)
{
    enum { PITCH = SIZE + 2 * RADIUS, PLANE = PITCH * PITCH, DEPTH = SIZE / CHUNKS, ROWS = SIZE / BLOCK_Y };
    const int tx = get_local_id(0), ty = get_local_id(1), x = get_group_id(0) * BLOCK_X + tx, y = get_group_id(1) % ROWS * BLOCK_Y + ty;
    const int z0 = get_group_id(1) / ROWS * DEPTH;
    const REAL centre = (REAL)0.4, near = (REAL)0.1 / RADIUS;
    int at = ((z0 + RADIUS) * PITCH + y + RADIUS) * PITCH + x + RADIUS;
#if VARIANT == 0
    for (int z = z0; z < z0 + DEPTH; z++, at += PLANE) {
        REAL sum = centre * in[at];
        #pragma unroll
        for (int r = 1; r <= RADIUS; r++)
            sum += near * (in[at - r] + in[at + r] + in[at - r * PITCH] + in[at + r * PITCH] + in[at - r * PLANE] + in[at + r * PLANE]);
        out[(z * SIZE + y) * SIZE + x] = sum;
    }
#else
    __local REAL plane[BLOCK_Y + 2 * RADIUS][BLOCK_X + 2 * RADIUS];
    REAL line[2 * RADIUS + 1];
    #pragma unroll
    for (int r = 0; r < 2 * RADIUS; r++)
        line[r + 1] = in[at + (r - RADIUS) * PLANE];
    for (int z = z0; z < z0 + DEPTH; z++, at += PLANE) {
        #pragma unroll
        for (int r = 0; r < 2 * RADIUS; r++)
            line[r] = line[r + 1];
        line[2 * RADIUS] = in[at + RADIUS * PLANE];
        plane[ty + RADIUS][tx + RADIUS] = line[RADIUS];
        for (int r = ty; r < RADIUS; r += BLOCK_Y) {
            plane[r][tx + RADIUS] = in[at + (r - ty - RADIUS) * PITCH];
            plane[r + BLOCK_Y + RADIUS][tx + RADIUS] = in[at + (r - ty + BLOCK_Y) * PITCH];
        }
        for (int r = tx; r < RADIUS; r += BLOCK_X) {
            plane[ty + RADIUS][r] = in[at + r - tx - RADIUS];
            plane[ty + RADIUS][r + BLOCK_X + RADIUS] = in[at + r - tx + BLOCK_X];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL sum = centre * line[RADIUS];
        #pragma unroll
        for (int r = 1; r <= RADIUS; r++)
            sum += near * (plane[ty + RADIUS][tx + RADIUS - r] + plane[ty + RADIUS][tx + RADIUS + r] + plane[ty + RADIUS - r][tx + RADIUS] +
                           plane[ty + RADIUS + r][tx + RADIUS] + line[RADIUS - r] + line[RADIUS + r]);
        out[(z * SIZE + y) * SIZE + x] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
