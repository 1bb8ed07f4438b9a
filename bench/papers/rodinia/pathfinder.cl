/* Rodinia's PathFinder: the cheapest way down a grid; a group computes several rows of its stretch, whose valid part shrinks by a column at each side. */
#ifndef BLOCK
#define BLOCK 256
#endif
#define HALO 1

kernel void dynproc(int iteration, global const int *wall, global const int *source, global int *result, int columns, int rows, int start, int border, local int *previous, local int *now)
{
    int bx = get_group_id(0), tx = get_local_id(0);
    int small = BLOCK - iteration * HALO * 2;
    int block_x = small * bx - border, block_x_max = block_x + BLOCK - 1, x = block_x + tx;
    int valid_min = block_x < 0 ? -block_x : 0, valid_max = block_x_max > columns - 1 ? BLOCK - 1 - (block_x_max - columns + 1) : BLOCK - 1;
    int west = max(tx - 1, valid_min), east = min(tx + 1, valid_max);
    bool is_valid = tx >= valid_min && tx <= valid_max;
    if (x >= 0 && x <= columns - 1)
        previous[tx] = source[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (tx >= i + 1 && tx <= BLOCK - i - 2 && is_valid) {
            computed = true;
            int shortest = min(min(previous[west], previous[tx]), previous[east]);
            now[tx] = shortest + wall[columns * (start + i) + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1)
            break;
        if (computed)
            previous[tx] = now[tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        result[x] = now[tx];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
