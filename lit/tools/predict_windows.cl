// A filter's width, which two loops go round for, one within the other, is small; the number of taps of a filter along a line may be any.
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel filter --kernel line --kernel clamped --kernel odd --kernel texels --kernel pool --kernel bin --kernel whole %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --kernel rows --kernel stripes --kernel channels %s | FileCheck %s --check-prefix=ONE

// CHECK: filter on
// CHECK-NEXT: launch     global 1024x1024, width=9, pitch=1024
kernel void filter(global const float *in, global const float *weight, global float *out, int width, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < width; j++)
        for (int i = 0; i < width; i++)
            sum += in[(y + j) * pitch + x + i] * weight[j * width + i];
    out[y * pitch + x] = sum;
}

// CHECK: line on
// CHECK-NEXT: launch     global 1024x1024, taps=1024, pitch=1024
kernel void line(global const float *in, global const float *weight, global float *out, int taps, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < taps; i++)
        sum += in[y * pitch + x + i] * weight[i];
    out[y * pitch + x] = sum;
}

// What lies beyond the edge is that at the edge; each dimension has a width of its own.
// CHECK: clamped on
// CHECK-NEXT: launch     global 1024x1024, columns=9, rows=9, width=1024, height=1024
kernel void clamped(global const float *in, global const float *weight, global float *out, int columns, int rows, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
            sum += in[clamp(y + j - rows / 2, 0, height - 1) * width + clamp(x + i - columns / 2, 0, width - 1)] * weight[j * columns + i];
    out[y * width + x] = sum;
}

// Mirrored at the edge, and as many taps on one side as on the other, or one less.
// CHECK: odd on
// CHECK-NEXT: launch     global 1024x1024, taps=9, width=1024, height=1024
kernel void odd(global const float *in, global const float *weight, global float *out, int taps, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), centre = taps / 2, left = taps & 1 ? centre : centre - 1;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int j = 0; j <= left + centre; j++) {
        int row = y - centre + j;
        row = row < 0 ? -row - 1 : row;
        row = row >= height ? 2 * height - row - 1 : row;
        for (int i = 0; i <= left + centre; i++) {
            int column = x - centre + i;
            column = column < 0 ? -column - 1 : column;
            column = column >= width ? 2 * width - column - 1 : column;
            sum += in[row * width + column] * weight[j * taps + i];
        }
    }
    out[y * width + x] = sum;
}

// CHECK: texels on
// CHECK-NEXT: launch     global 1024x1024, size=9
kernel void texels(read_only image2d_t in, global float *out, int size)
{
    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
            sum += read_imagef(in, sampler, (int2)(x + i, y + j)).x;
    out[y * get_global_size(0) + x] = sum;
}

// The distance from one window to the next is no row's length.
// CHECK: pool on
// CHECK-NEXT: launch     global 1024x1024, size=9, step=1, pitch=1024
kernel void pool(global const float *in, global float *out, int size, int step, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float most = 0;
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
            most = fmax(most, in[(y * step + j) * pitch + x * step + i]);
    out[y * get_global_size(0) + x] = most;
}

// CHECK: bin on
// CHECK-NEXT: launch     global 1024x1024, size=9, pitch={{[0-9]+}}
kernel void bin(global const float *in, global float *out, int size, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = y * size; j < (y + 1) * size; j++)
        for (int i = x * size; i < (x + 1) * size; i++)
            sum += in[j * pitch + i];
    out[y * get_global_size(0) + x] = sum;
}

// What goes along whole rows is no window, though it begins at the work-item's place.
// CHECK: whole on
// CHECK-NEXT: launch     global 1024x1024, m=1024, n=1024
kernel void whole(global const float *in, global float *out, int m, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            sum += in[(y + j) * n + x + i];
    out[y * n + x] = sum;
}

// Rows of as many elements as a loop goes round for, and a counter in the place of another array's id.
// ONE: rows on
// ONE-NEXT: launch     global 1048576, n=1024
kernel void rows(global const float *a, global const float *b, global float *c, int n)
{
    int y = get_global_id(0);
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[y * n + i] * b[i * n + j];
        c[y * n + j] = sum;
    }
}

// ONE: stripes on
// ONE-NEXT: launch     global 1048576, batches=1024, planes={{[0-9]+}}, length=32
kernel void stripes(global const float *in, global float *out, int batches, int planes, int length)
{
    int plane = get_global_id(0);
    float sum = 0;
    for (int b = 0; b < batches; b++)
        for (int i = 0; i < length; i++)
            sum += in[(b * planes + plane) * length + i];
    out[plane] = sum;
}

// ONE: channels on
// ONE-NEXT: launch     global 1048576, channels=1024, size=1024, pitch={{[0-9]+}}
kernel void channels(global const float *in, global float *out, int channels, int size, int pitch)
{
    int i = get_global_id(0), n = i >> 10, x = i & 1023;
    float sum = 0;
    for (int c = 0; c < channels; c++)
        for (int k = 0; k < size; k++)
            sum += in[(n * channels + c) * pitch + x + k];
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
