// Rows of doubles are padded by one double, although a warp takes them in two passes; on a wave of 64 rows of floats by one, too.
// RUN: %gpuperf predict --device a100,mi50 --kernel turn_again --local 32x8 %s | FileCheck %s
// CHECK: turn_again on a100
// CHECK: 16-way bank conflict in local-memory load: 32 passes per warp instead of 2
// CHECK-NEXT: pad the rows of 't' by one element
// CHECK: turn_again on mi50
// CHECK: bank conflict in local-memory load: 64 passes per wave instead of 4
// CHECK-NEXT: pad the rows of 't' by one element

// Where DRAM is busier than the load/store unit it is the limiter, not the conflicts, of which mending then gains nothing.
// RUN: %gpuperf predict --device a100,rtx3090 --kernel turn_once --global 4096x4096 --arg n=4096 --local 32x32 %s | FileCheck %s --check-prefix=DRAM
// DRAM: 32x32, at its roof
// DRAM: {{ 32x32 .* dram }}
// DRAM-NOT: bank conflict
// DRAM: {{ 32x32 .* dram }}
kernel void turn_again(global const double *a, global double *b, int n)
{
    local double t[32][32];
    int x = get_local_id(0), y = get_local_id(1);
    double v = a[get_global_id(1) * n + get_global_id(0)];
    for (int k = 0; k < n; k++) {
        t[y][x] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v += t[x][y];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[get_global_id(1) * n + get_global_id(0)] = v;
}

kernel void turn_once(global const double *a, global double *b, int n)
{
    local double t[32][32];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = a[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[(get_group_id(0) * 32 + y) * n + get_group_id(1) * 32 + x] = t[x][y];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
