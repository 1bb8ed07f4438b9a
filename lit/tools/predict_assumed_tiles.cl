// What tells that an argument is small, or a mask, or as large as ever: overlapping tiles, sums that a loop carries along, doubled distances, masked places, what a group goes through together.
// RUN: %gpuperf predict --device a100 --local 16x16 --kernel overlapping --kernel tile_of_group %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --kernel pyramid --kernel carried --kernel doubling --kernel masked --kernel probing --kernel gathered_windows --kernel nearest --kernel merge %s | FileCheck %s --check-prefix=ONE
// RUN: %cl -c -o /dev/null -Rpass-analysis=gpuperf %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
// PLUGIN: kernel carried on a100, {{.*}}, r=4:
// PLUGIN: kernel merge on a100, {{.*}}, width=1024,

// Neighbouring groups compute the edges of their tiles twice: what is left of a tile is its inner part.
// CHECK: overlapping on
// CHECK-NEXT: launch     global 1024x1024, steps=4,
kernel void overlapping(global const float *in, global float *out, int steps, int pitch)
{
    local float tile[16][16];
    int tx = get_local_id(0), ty = get_local_id(1), inner = 16 - 2 * steps;
    int x = get_group_id(0) * inner + tx, y = get_group_id(1) * inner + ty;
    tile[ty][tx] = in[y * pitch + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < steps; i++) {
        float v = tile[ty][tx] + tile[ty][min(tx + 1, 15)];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[ty][tx] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * pitch + x] = tile[ty][tx];
}

// A tile that a group's work-items go through together is no window of each of them.
// CHECK: tile_of_group on
// CHECK-NEXT: launch     global 1024x1024, pitch={{[0-9]+}}, width=1024, height={{512|1024}}
kernel void tile_of_group(global const uchar *in, global uint *out, int pitch, int width, int height)
{
    local uint bins[256];
    int lane = get_local_id(1) * 16 + get_local_id(0);
    bins[lane] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = get_local_id(1); j < height; j += get_local_size(1))
        for (int i = get_local_id(0); i < width; i += get_local_size(0))
            atomic_inc(&bins[in[(get_group_id(1) * height + j) * pitch + get_group_id(0) * width + i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 256 + lane] = bins[lane];
}

// ONE: pyramid on
// ONE-NEXT: launch     global 1048576, steps=4, halo=4
kernel void pyramid(global const int *in, global int *out, int steps, int halo)
{
    int x = get_group_id(0) * (get_local_size(0) - steps * halo * 2) + get_local_id(0), v = in[x];
    for (int i = 0; i < steps; i++)
        v = v * v + i;
    out[x] = v;
}

// A sum over a window that a loop carries along keeps off both edges in branches of their own.
// ONE: carried on
// ONE-NEXT: launch     global 1048576, w=1048576, h=1024, r=4;
kernel void carried(global const float *in, global float *out, int w, int h, int r)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    float sum = 0;
    for (int y = 0; y < h; y++) {
        if (y + r < h)
            sum += in[(y + r) * w + x];
        out[y * w + x] = sum;
        if (y - r >= 0)
            sum -= in[(y - r) * w + x];
    }
}

// 1024 turns would double the distance beyond what an int holds.
// ONE: doubling on
// ONE-NEXT: launch     global 1048576, n=1048576, turns=10
kernel void doubling(global const float *in, global float *out, int n, int turns)
{
    int i = get_global_id(0), distance = 1;
    float sum = 0;
    for (int t = 0; t < turns; t++) {
        sum += in[min(i + distance, n - 1)];
        distance *= 2;
    }
    out[i] = sum;
}

// ONE: masked on
// ONE-NEXT: launch     global 1048576, mask=1023
kernel void masked(global const float *table, global float *out, int mask)
{
    int i = get_global_id(0);
    out[i] = table[i & mask];
}

// What collisions move on in a table is data's place, too.
// ONE: probing on
// ONE-NEXT: launch     global 1048576, slots=?
// ONE-NOT: contended
kernel void probing(global volatile uint *table, global const uint *keys, uint slots)
{
    uint key = keys[get_global_id(0)], slot = key * 2654435761u & (slots - 1);
    while (atomic_cmpxchg(&table[slot], 0u, key) != 0)
        slot = (slot + 1) & (slots - 1);
}

// Windows that an element lies in: what is taken from its place goes along with it, so that 1024 rows of 81 planes fit.
// ONE: gathered_windows on
// ONE-NEXT: launch     global 1048576, n={{[0-9]+}}, width=1024, height=1024, k=9, pad=4, step=1, rows=1024, columns=1024
kernel void gathered_windows(global const float *planes, global float *out, int n, int width, int height, int k,
                             int pad, int step, int rows, int columns)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int x = i % width + pad, y = (i / width) % height + pad, c = i / (width * height);
    int left = x < k ? 0 : (x - k) / step + 1, right = min(x / step + 1, columns);
    int top = y < k ? 0 : (y - k) / step + 1, bottom = min(y / step + 1, rows);
    float sum = 0;
    for (int v = top; v < bottom; v++)
        for (int u = left; u < right; u++)
            sum += planes[(((c * k + y - v * step) * k + x - u * step) * rows + v) * columns + u];
    out[i] = sum;
}

// -1 says that there is none; it is no place in a buffer.
// ONE: nearest on
// ONE-NEXT: launch     global 1048576, n=1024, steps=1024
kernel void nearest(global const float4 *points, global float4 *out, int n, int steps)
{
    float4 p = out[get_global_id(0)];
    for (int s = 0; s < steps; s++) {
        float least = 1e30f;
        int best = -1;
        for (int i = 0; i < n; i++) {
            float d = dot(p - points[i], p - points[i]);
            if (d < least) {
                least = d;
                best = i;
            }
        }
        if (best < 0)
            break;
        p = (p + points[best]) / 2;
    }
    out[get_global_id(0)] = p;
}

// Runs of 2 * width from a place on are no window around it.
// ONE: merge on
// ONE-NEXT: launch     global 1048576, width=1024,
kernel void merge(global const float *in, global float *out, int width, int n)
{
    int low = get_global_id(0) * 2 * width, middle = min(low + width, n), high = min(low + 2 * width, n);
    int i = low, j = middle;
    for (int k = low; k < high; k++)
        out[k] = i < middle && (j >= high || in[i] <= in[j]) ? in[i++] : in[j++];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
