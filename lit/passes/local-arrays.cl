// Arrays in work-group memory, read as ptxas reads them: short loops unrolled, neighbours at once where the array's start, aligned by who lays it out, makes their address a multiple of their size.
// RUN: %plain_cl -w -S %s -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s

// CHECK-LABEL: kernel "rows"
// CHECK-NOT: loop 0
// CHECK-COUNT-8: load i32 %{{[0-9]+}} in local 4x4
// CHECK-NOT: load {{.*}} in local
// CHECK: load i{{32|64}} {{.*}} in global
kernel void rows(global float *o, global const float *in)
{
    local float tile[32 * 8];
    uint y = get_local_id(1);
    for (uint i = 0; i < 8; i++)
        tile[y * 8 + i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum[4] = {0};
    for (uint d = 0; d < 8; d++)
        for (uint i = 0; i < 4; i++)
            sum[i] += tile[((y & 7) * 4 + i) * 8 + d];
    o[get_local_id(0)] = sum[0] * sum[1] + sum[2] * sum[3] + in[get_global_id(0)];
}

// One beside: two of the eight can be read together in the middle, four, and one at each end.
// CHECK-LABEL: kernel "shifted"
// CHECK-DAG: load i32 %{{[0-9]+}} in local 4x4
// CHECK-DAG: load i32 %{{[0-9]+}} in local 4x2
// CHECK: load i{{32|64}} {{.*}} in global
kernel void shifted(global float *o, global const float *in)
{
    local float tile[32 * 8 + 8];
    uint y = get_local_id(1);
    tile[y] = in[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint d = 0; d < 8; d++)
        sum += tile[y * 8 + d + 1];
    o[get_local_id(0)] = sum + in[get_global_id(0)];
}

// What a store may change between is not read before it.
// CHECK-LABEL: kernel "written"
// CHECK: load i32 %{{[0-9]+}} in local 4x1
// CHECK: store
// CHECK: load i32 %{{[0-9]+}} in local 4x1
kernel void written(global float *o, int at)
{
    local float tile[64];
    float first = tile[get_local_id(0) * 2];
    tile[at] = 1;
    o[get_global_id(0)] = first + tile[get_local_id(0) * 2 + 1];
}

// How a local argument is aligned is not known.
// CHECK-LABEL: kernel "argument"
// CHECK: load i32 %{{[0-9]+}} in local 4x1
// CHECK: load i32 %{{[0-9]+}} in local 4x1
kernel void argument(global float *o, local float *tile) { o[get_global_id(0)] = tile[get_local_id(0) * 2] * tile[get_local_id(0) * 2 + 1]; }
