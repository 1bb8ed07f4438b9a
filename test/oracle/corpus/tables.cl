/* Program-scope constants that decide addresses, branches and trip counts. */

constant int lengths[8] = {3, 1, 4, 1, 5, 9, 2, 6};
constant uchar order[16] = {3, 7, 1, 15, 0, 2, 4, 6, 8, 10, 12, 14, 5, 9, 11, 13};
constant int2 around[4] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
constant short transposed[4][4] = {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}};
constant float thresholds[4] = {0.5f, 8.0f, 20.0f, 100.0f};
constant long strides[3] = {1, -2, 4};
struct entry { int start; float weight; };
constant struct entry entries[4] = {{0, 1.0f}, {64, 2.0f}, {128, 3.0f}, {192, 4.0f}};

// run table_of_lengths: global=128 local=64 pitch=128
kernel void table_of_lengths(global const float *a, global float *o, int pitch)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < lengths[i & 7]; k++)
        s += a[i + k * pitch];
    o[i] = s;
}

// run permutation: global=128 local=32
kernel void permutation(global const float *a, global float *o)
{
    int i = get_global_id(0);
    o[i] = a[(i & ~15) | order[i & 15]];
}

// run neighbours_by_table: global=32x8 local=16x4 width=40 m=4
kernel void neighbours_by_table(global const float *a, global float *o, int width, int m)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    float s = 0;
    for (int k = 0; k < m; k++)
        s += a[(y + around[k].y) * width + x + around[k].x];
    o[y * width + x] = s;
}

// run table_of_two: global=128 local=64
kernel void table_of_two(global const float *a, global float *o)
{
    int i = get_global_id(0);
    o[i] = a[(i & ~15) + transposed[i & 3][i >> 2 & 3]];
}

// run table_of_structs: global=128 local=64
kernel void table_of_structs(global const float *a, global float *o)
{
    int i = get_global_id(0);
    o[i] = a[entries[i & 3].start + i] * entries[i & 3].weight;
}

// A branch, and a number in floating point as an index.
// run table_in_branch: global=128 local=64
kernel void table_in_branch(global const float *a, global float *o)
{
    int i = get_global_id(0);
    if (lengths[i >> 4] > 2)
        o[i] = a[(int)(thresholds[i & 3] * 2.0f) + i];
}

// Tables in tables, of the group's number; 64-bit numbers with a sign.
// run chained_tables: global=192 local=32
kernel void chained_tables(global const float *a, global float *o)
{
    int i = get_global_id(0);
    long step = strides[get_group_id(0) % 3];
    o[i] = a[500 + step * lengths[order[i & 7] & 7]];
}

// A loop within one, both from tables.
// run nested_lengths: global=64 local=32
kernel void nested_lengths(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < lengths[i & 3]; j++)
        for (int k = 0; k < lengths[j + 2]; k++)
            s += a[i * 4 + j * 16 + k];
    o[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
