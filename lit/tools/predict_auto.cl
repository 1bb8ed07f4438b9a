/*
 * Where addresses go over the DRAM channels in turn `auto` is the simulation: of tiles that are written one below the other all groups that run at once write
 * to a few of the GTX 280's eight channels (Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009: four times the time of tiles taken diagonally).
 *
 * RUN: %gpuperf predict --device gtx280 --global 2048x512 --local 32x8 --arg size=2048 %s | FileCheck %s
 * CHECK: straight on gtx280
 * CHECK: {{ [3-9]\.[0-9]+}}x {{.*}}channel-skew: some of the 8 DRAM channels take more than their part
 * CHECK: diagonal on gtx280
 * CHECK-NOT: {{ [2-9]\.[0-9]+x .*channel-skew}}
 *
 * RUN: %gpuperf predict --json --device gtx280,a100 --kernel straight --global 2048x512 --local 32x8 --arg size=2048 %s | FileCheck %s --check-prefix=JSON
 * JSON: "device": "gtx280"
 * JSON: "limiter": "dram"
 * JSON: "model": "trace"
 * JSON: "device": "a100"
 * JSON: "model": "throughput"
 */
void transpose(__global const float *in, __global float *out, int size, __local float (*tile)[33], int column, int row)
{
    int x = get_local_id(0), y = get_local_id(1);
    for (int i = 0; i < 32; i += 8)
        tile[y + i][x] = in[(row * 32 + y + i) * size + column * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; i += 8)
        out[(column * 32 + y + i) * size + row * 32 + x] = tile[x][y + i];
}

__kernel void straight(__global const float *in, __global float *out, int size)
{
    __local float tile[32][33];
    transpose(in, out, size, tile, get_group_id(0), get_group_id(1));
}

__kernel void diagonal(__global const float *in, __global float *out, int size)
{
    __local float tile[32][33];
    transpose(in, out, size, tile, (get_group_id(0) + get_group_id(1)) % get_num_groups(0), get_group_id(0));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
