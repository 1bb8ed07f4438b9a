// Nothing is wrong with a copy and with a transpose through padded local memory.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | count 0
// RUN: %clang -x cl -O2 -target spirv64 -fplugin-arg-gpuperf-device=a100 -c %s -o %t.spv 2>&1 | count 0

#define TILE 32

kernel void copy(global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = in[i];
}

kernel void copy2d(global const float *in, global float *out, int width, int height)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (col < width && row < height)
        out[row * width + col] = in[row * width + col];
}

__attribute__((reqd_work_group_size(TILE, 8, 1)))
kernel void transpose_padded(global const float *in, global float *out, int width, int height)
{
    local float tile[TILE][TILE + 1];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
    for (int i = 0; i < TILE; i += 8)
        tile[ly + i][lx] = in[(y + i) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    for (int i = 0; i < TILE; i += 8)
        out[(y + i) * height + x] = tile[lx][ly + i];
}
