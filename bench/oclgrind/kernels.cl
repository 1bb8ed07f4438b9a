/* Kernels whose loads and stores are counted twice: by oclgrind, which interprets its own compile, and by the executor. */
kernel void add(global const float *a, global const float *b, global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}

kernel void strided(global const float *a, global float *c, int n, int stride)
{
    for (int i = get_global_id(0); i < n; i += stride)
        c[i] = 2 * a[i];
}

kernel void vectors(global const float *a, global float *c)
{
    size_t i = get_global_id(0);
    vstore4(vload4(i, a) * 2.0f, i, c);
}

struct particle { float3 position; float mass; int kind; };
kernel void structures(global struct particle *p, float dt)
{
    size_t i = get_global_id(0);
    p[i].position.x += dt;
    p[i].mass *= 0.5f;
}

kernel void transpose(global const float *a, global float *c, int n)
{
    local float tile[8][9];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = a[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    c[(get_group_id(0) * 8 + y) * n + get_group_id(1) * 8 + x] = tile[x][y];
}

kernel void multiply(global const float *a, global const float *b, global float *c, int n)
{
    local float left[8][8], right[8][8];
    int x = get_local_id(0), y = get_local_id(1), row = get_global_id(1), col = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k += 8) {
        left[y][x] = a[row * n + k + x];
        right[y][x] = b[(k + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 8; i++)
            sum += left[y][i] * right[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}

kernel void reduce(global const float *a, global float *c, local float *part)
{
    int t = get_local_id(0);
    part[t] = a[get_global_id(0)];
    for (int step = get_local_size(0) / 2; step > 0; step >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < step)
            part[t] += part[t + step];
    }
    if (t == 0)
        c[get_group_id(0)] = part[0];
}

kernel void triangle(global const float *a, global float *c, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = 0; k <= row; k++)
        sum += a[row * n + k];
    c[row] = sum;
}

constant float taps[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
kernel void convolve(global const float *a, global float *c, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = -2; k <= 2; k++) {
        int at = clamp(i + k, 0, n - 1);
        sum += taps[k + 2] * a[at];
    }
    c[i] = sum;
}

kernel void histogram(global const uint *a, global uint *c)
{
    local uint bins[64];
    int t = get_local_id(0);
    if (t < 64)
        bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[a[get_global_id(0)] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 64)
        atomic_add(&c[t], bins[t]);
}

kernel void rows(global const int *first, global const float *a, global float *c)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = first[row]; k < first[row + 1]; k++)
        sum += a[k];
    c[row] = sum;
}

kernel void privates(global const int *a, global int *c)
{
    int table[16];
    for (int i = 0; i < 16; i++)
        table[i] = i * i;
    size_t i = get_global_id(0);
    c[i] = table[a[i] & 15];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
