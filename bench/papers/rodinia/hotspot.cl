/* Rodinia's HotSpot: a thermal stencil; a group computes several time steps of its tile, whose valid part shrinks by a cell each. */
#ifndef BLOCK
#define BLOCK 16
#endif
#define AMBIENT 80.0f

kernel void hotspot(int iteration, global const float *power, global const float *source, global float *target, int columns, int rows, int border_columns, int border_rows, float cap,
                    float rx, float ry, float rz, float step)
{
    local float now[BLOCK][BLOCK], heat[BLOCK][BLOCK], next[BLOCK][BLOCK];
    int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    float step_div_cap = step / cap, rx_1 = 1 / rx, ry_1 = 1 / ry, rz_1 = 1 / rz;
    int small_rows = BLOCK - iteration * 2, small_columns = BLOCK - iteration * 2;
    int block_y = small_rows * by - border_rows, block_x = small_columns * bx - border_columns;
    int block_y_max = block_y + BLOCK - 1, block_x_max = block_x + BLOCK - 1;
    int y = block_y + ty, x = block_x + tx, index = columns * y + x;
    if (y >= 0 && y <= rows - 1 && x >= 0 && x <= columns - 1) {
        now[ty][tx] = source[index];
        heat[ty][tx] = power[index];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int valid_y_min = block_y < 0 ? -block_y : 0, valid_y_max = block_y_max > rows - 1 ? BLOCK - 1 - (block_y_max - rows + 1) : BLOCK - 1;
    int valid_x_min = block_x < 0 ? -block_x : 0, valid_x_max = block_x_max > columns - 1 ? BLOCK - 1 - (block_x_max - columns + 1) : BLOCK - 1;
    int n = max(ty - 1, valid_y_min), s = min(ty + 1, valid_y_max), w = max(tx - 1, valid_x_min), e = min(tx + 1, valid_x_max);
    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (tx >= i + 1 && tx <= BLOCK - i - 2 && ty >= i + 1 && ty <= BLOCK - i - 2 && tx >= valid_x_min && tx <= valid_x_max && ty >= valid_y_min && ty <= valid_y_max) {
            computed = true;
            next[ty][tx] = now[ty][tx] + step_div_cap * (heat[ty][tx] + (now[s][tx] + now[n][tx] - 2.0f * now[ty][tx]) * ry_1 +
                                                         (now[ty][e] + now[ty][w] - 2.0f * now[ty][tx]) * rx_1 + (AMBIENT - now[ty][tx]) * rz_1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1)
            break;
        if (computed)
            now[ty][tx] = next[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        target[index] = next[ty][tx];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
