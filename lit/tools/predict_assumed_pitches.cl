// Rows that nobody says the length of lie side by side, however many ids stand beside them in an address. Where fewer do than are usually assumed, it is the usual number.
// RUN: %gpuperf predict --device a100 --local 256 --kernel columns --kernel planes --kernel padded --kernel image --kernel square --kernel fan --kernel wavefront --kernel tiles --kernel stretch %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel scale --kernel pyramid --kernel pixels %s | FileCheck %s --check-prefix=TWO
// RUN: %gpuperf predict --device a100 --local 32x8 --global 4096x4096 --kernel scale %s | FileCheck %s --check-prefix=LARGE
// CHECK: launch     global 1048576, n=1024, rows=1048576
kernel void columns(global const float *x, global float *y, int n, int rows)
{
    float m = 0;
    for (int k = 0; k < n; k++)
        m = fmax(m, x[k * rows + get_global_id(0)]);
    y[get_global_id(0)] = m;
}

// 4096 groups; all of it together is what an int can index.
// CHECK: launch     global 1048576, n=1024, channels=4096, size=512
kernel void planes(global const float *x, global float *y, int n, int channels, int size)
{
    float s = 0;
    for (int k = 0; k < n; k++)
        for (int i = get_local_id(0); i < size; i += get_local_size(0))
            s += x[(k * channels + get_group_id(0)) * size + i];
    y[get_global_id(0)] = s;
}

// A row for each work-item, one longer than it is said to be: the id stands there once more, but not beside the rows.
// CHECK: launch     global 1048576, k=1024
kernel void padded(global float *x, int k)
{
    x[get_global_id(0) * (k + 1) + k] += 1;
}

// The range is the image.
// CHECK: launch     global 1048576, width=1024
kernel void image(global const float *in, global float *out, int width)
{
    int i = get_global_id(0), x = i % width, y = i / width;
    float s = 0;
    for (int k = 0; k < 3; k++)
        s += in[(y + k) * width + x];
    out[i] = s;
}

// A matrix of as many rows as columns holds no more than an int counts.
// CHECK: launch     global 1048576, n=1024
kernel void square(global const float *a, global float *out, int n)
{
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[k * n + get_global_id(0)];
    out[get_global_id(0)] = s;
}

// A guard tells of the row's length, so that it is no distance of neighbours; it has no more rows than an int can index.
// CHECK: launch     global 32768, size=33793, t=1024
kernel void fan(global float *m, global const float *a, int size, int t)
{
    int id = get_global_id(0);
    if (id < size - 1 - t)
        m[size * (id + t + 1) + t] = a[size * (id + t + 1) + t] / a[size * t + t];
}

// A column read, and rows of groups: the same argument.
// CHECK: launch     global 1048576, cols=1024, i=1024
kernel void wavefront(global int *m, int cols, int i)
{
    int bx = get_group_id(0), tx = get_local_id(0), at = cols * 16 * (i - 1 - bx) + 16 * bx;
    local int left[256];
    left[tx] = m[at + cols + cols * tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
        m[at + tx + cols + 1 + cols * k] += left[255 - tx];
}

// A group's place is cut into rows and columns by the argument.
// CHECK: launch     global 1048576, nx=1024
kernel void tiles(global const float *a, global float *b, int nx)
{
    int g = get_group_id(0), x = g % nx, y = g / nx * 256 + get_local_id(0);
    b[y * nx + x] = a[y * nx + x];
}

// TWO: launch     global 1024x1024, width=1024
// LARGE: launch     global 4096x4096, width=4096
kernel void scale(global const float *x, global float *y, int width)
{
    int i = get_global_id(1) * width + get_global_id(0);
    y[i] = 2 * x[i];
}

// TWO: launch     global 1024x1024, ow=1024, oh=1024, iw=2048
kernel void pyramid(global const float *in, global float *out, int ow, int oh, int iw)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < ow && y < oh)
        out[y * ow + x] = in[2 * y * iw + 2 * x] + in[2 * y * iw + 2 * x + 1] + in[(2 * y + 1) * iw + 2 * x] + in[(2 * y + 1) * iw + 2 * x + 1];
}

// Elements of three numbers: as many fit in a row.
// TWO: launch     global 1024x1024, width=1024
kernel void pixels(global const float *in, global float *out, int width)
{
    int i = get_global_id(1) * width + get_global_id(0);
    out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];
}

// A group's rows of tiles: compilers multiply its number with the elements' size before the parameter, which is no distance in bytes for that. No buffer of more than 8 GiB is assumed.
// CHECK: stretch on
// CHECK: launch     global 1048576, rows=512
kernel void stretch(global const float4 *in, global float *out, int rows)
{
    int t = get_local_id(0);
    global const float4 *own = in + (size_t)get_group_id(0) * rows * 256;
    float s = 0;
    for (int k = 0; k < rows; k++)
        s += own[k * 256 + t].x;
    out[get_group_id(0) * 256 + t] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
