/*
 * The size of a __local argument that nobody stated: as far as the group's addresses reach, per local size; 4 bytes per work-item where they are data.
 *
 * RUN: %gpuperf predict --device a100 --model throughput --json --kernel tile --local 16x16 %s | FileCheck %s --check-prefix=SMALL
 * RUN: %gpuperf predict --device a100 --model throughput --json --kernel tile --local 32x8 %s | FileCheck %s --check-prefix=FLAT
 * RUN: %gpuperf predict --device a100 --model throughput --json --kernel tile --local 32x8 --arg cells=20000 %s | FileCheck %s --check-prefix=STATED
 * RUN: %gpuperf predict --device a100 --model throughput --json --kernel scattered --local 128 %s | FileCheck %s --check-prefix=DATA
 * RUN: %gpuperf predict --device a100 --model throughput --kernel tile --local 32x8 %s | FileCheck %s --check-prefix=TEXT
 * SMALL: "local_memory": 1296
 * FLAT: "local_memory": 1360
 * STATED: "local_memory": 20000
 * DATA: "local_memory": 512
 * TEXT: launch
 * TEXT-NOT: cells=
 * TEXT: local memory 1360 B
 */
kernel void tile(global const float *in, global float *out, local float *cells, int pitch)
{
    int x = get_local_id(0), y = get_local_id(1), width = get_local_size(0) + 2;
    for (int row = y; row < get_local_size(1) + 2; row += get_local_size(1))
        for (int column = x; column < width; column += get_local_size(0))
            cells[row * width + column] = in[(get_group_id(1) * get_local_size(1) + row) * pitch + get_group_id(0) * get_local_size(0) + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * pitch + get_global_id(0)] = cells[(y + 2) * width + x + 1] - cells[y * width + x + 1];
}

kernel void scattered(global const int *in, global int *out, local int *bins)
{
    bins[in[get_global_id(0)]] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = bins[in[get_global_id(0) + 1]];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
