// What nobody states leaves no loop empty: where a loop begins is 0, and what is taken from its end as well as from its beginning, or is the length of another, is a window's radius.
// RUN: %gpuperf predict --device a100 --local 256 --kernel range --kernel chunk --kernel lanes --kernel down --kernel box --kernel steps --kernel rest %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --kernel range --arg start=512 %s | FileCheck %s --check-prefix=STATED
// CHECK: launch     global 1048576, start=0, end=1024
// STATED: launch     global 1048576, start=512, end=1024
kernel void range(global const float *in, global float *out, int start, int end)
{
    float s = 0;
    for (int j = start; j < end; j++)
        s += in[j];
    out[get_global_id(0)] = s;
}

// CHECK: launch     global 1048576, n=1024, first=0
kernel void chunk(global const float *in, global float *out, int n, int first)
{
    float s = 0;
    int k = 0;
    if (n % 2) {
        s = in[0];
        k++;
        first++;
    }
    for (; k < 1024 && first < n; k += 2, first += 2)
        s += in[k] * in[k + 1];
    out[get_global_id(0)] = s;
}

// A group's lanes begin side by side.
// CHECK: launch     global 1048576, start=0, end=1024
kernel void lanes(global const float *in, global float *out, int start, int end)
{
    float s = 0;
    for (int j = start + get_local_id(0); j < min(end, start + 4096); j += get_local_size(0))
        s += in[j];
    out[get_global_id(0)] = s;
}

// CHECK: launch     global 1048576, top=1024, bottom=0
kernel void down(global const float *in, global float *out, int top, int bottom)
{
    float s = 0;
    for (int j = top; j > bottom; j--)
        s = s * 0.5f + in[j];
    out[get_global_id(0)] = s;
}

// CHECK: launch     global 1048576, w=1024, h=1048576, r=4
kernel void box(global const float *in, global float *out, int w, int h, int r)
{
    int y = get_global_id(0);
    if (y >= h)
        return;
    in += y * w;
    out += y * w;
    float t = 0;
    for (int x = 0; x < r + 1; x++)
        t += in[x];
    for (int x = r + 1; x < w - r; x++) {
        t += in[x + r] - in[x - r - 1];
        out[x] = t;
    }
    for (int x = w - r; x < w; x++) {
        t += in[w - 1] - in[x - r - 1];
        out[x] = t;
    }
}

// What a counter is advanced by is not 0.
// CHECK: launch     global 1048576, n=1024, step=1
kernel void steps(global const float *in, global float *out, int n, int step)
{
    float s = 0;
    for (int j = 0; j < n - step; j += step)
        s += in[j] * in[j + step];
    out[get_global_id(0)] = s;
}

// A loop that begins at a work-item's place and steps by all of them: all pass, and go round it 16 times.
// CHECK: launch     global 1048576, n=16777216
kernel void rest(global const float *in, global float *out, int n)
{
    float s = 0;
    int i = get_global_id(0);
    for (int j = i; j < n; j += get_global_size(0))
        s += in[j];
    out[i] = s;
}

// RUN: %gpuperf predict --device a100 --local 256 --kernel window %s | FileCheck %s --check-prefix=WINDOW
// A window around a place begins by as much before it as it ends behind it.
// WINDOW: launch     global 1048576, w={{[0-9]+}}, radius=4
kernel void window(global const float *in, global float *out, int w, int radius)
{
    int x = get_global_id(0);
    float s = 0;
    for (int xx = max(0, x - radius); xx < min(x + radius + 1, w); xx++)
        s += in[xx];
    out[x] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
