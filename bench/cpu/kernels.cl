/* Kernels whose results do not depend on the local size, as the layer chooses it for: what choices.c launches. */

__kernel void add(__global const float *a, __global const float *b, __global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}

__kernel void scale_guarded(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = 2.5f * in[i] + 1.0f;
}

__kernel void transpose_write(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * height + y] = in[y * width + x];
}

__kernel void transpose_read(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * width + x] = in[x * height + y];
}

__kernel void copy_columns(__global const float *in, __global float *out, int width)
{
    int row = get_global_id(0), column = get_global_id(1);
    out[row * width + column] = in[row * width + column];
}

__kernel void stencil(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        return;
    out[y * width + x] = 0.5f * in[y * width + x] + 0.125f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}

__kernel void blur(__global const float *in, __global float *out, int width, int height, int radius)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++)
            sum += in[clamp(y + v, 0, height - 1) * width + clamp(x + u, 0, width - 1)];
    out[y * width + x] = sum;
}

__kernel void blur_down(__global const float *in, __global float *out, int width, int height, int radius)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int v = max(-radius, -y); v <= min(radius, height - 1 - y); v++)
        sum += in[(y + v) * width + x];
    out[y * width + x] = sum;
}

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__kernel void matmul_swapped(__global const float *a, __global const float *b, __global float *c, int n)
{
    int y = get_global_id(0), x = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__kernel void mandelbrot(__global int *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), n = 0;
    float cr = 3.0f * x / width - 2.0f, ci = 2.0f * y / height - 1.0f, r = 0, i = 0;
    while (n < 200 && r * r + i * i < 4) {
        float t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
        n++;
    }
    out[y * width + x] = n;
}

__kernel void nbody(__global const float4 *bodies, __global float4 *pulls, int n)
{
    int i = get_global_id(0);
    float4 own = bodies[i], pull = 0;
    for (int k = 0; k < n; k++) {
        float4 d = bodies[k] - own;
        float square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f, inverse = rsqrt(square);
        pull += d * (bodies[k].w * inverse * inverse * inverse);
    }
    pulls[i] = pull;
}

__kernel void blackscholes(__global const float *spot, __global const float *strike, __global float *price)
{
    size_t i = get_global_id(0);
    float s = 1 + 99 * spot[i], k = 1 + 99 * strike[i], root = sqrt(0.5f) * 0.3f, d = (log(s / k) + 0.05f) / root;
    price[i] = s * erf(d) - k * exp(-0.01f) * erf(d - root);
}

__kernel void gather(__global const float *in, __global const int *index, __global float *out)
{
    size_t i = get_global_id(0);
    out[i] = in[index[i]];
}

__kernel void strided(__global const float *in, __global float *out, int stride)
{
    size_t i = get_global_id(0);
    out[i] = in[i * stride];
}

struct particle { float position[3], velocity[3], mass, charge; };
__kernel void particles(__global struct particle *all, float step)
{
    size_t i = get_global_id(0);
    for (int d = 0; d < 3; d++)
        all[i].position[d] += step * all[i].velocity[d];
}

__kernel void histogram(__global const uchar *in, __global int *bins)
{
    atomic_inc(&bins[in[get_global_id(0)]]);
}

__kernel void spmv(__global const int *columns, __global const float *values, __global const float *x, __global float *y, int per_row)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = row * per_row; k < (row + 1) * per_row; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

__kernel void stencil3d(__global const float *in, __global float *out, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), plane = width * height, i = z * plane + y * width + x;
    if (x > 0 && y > 0 && z > 0 && x < width - 1 && y < height - 1 && z < depth - 1)
        out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + in[i - plane] + in[i + plane] - 6 * in[i];
}

__kernel void row_sums(__global const float *in, __global float *out, int width)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int x = 0; x < width; x++)
        sum += in[row * width + x];
    out[row] = sum;
}

__kernel void column_sums(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0);
    float sum = 0;
    for (int y = 0; y < height; y++)
        sum += in[y * width + x];
    out[x] = sum;
}

__kernel void hash(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint h = in[i];
    for (int round = 0; round < 16; round++) {
        h ^= h >> 16;
        h *= 0x7feb352dU;
        h ^= h >> 15;
        h *= 0x846ca68bU;
    }
    out[i] = h;
}

__kernel void grey(__global const uchar4 *in, __global float *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    uchar4 p = in[y * width + x];
    out[y * width + x] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}

__kernel void sum_over_depth(__global const float *in, __global float *out, int width, int height, int depth)
{
    int y = get_global_id(0), x = get_global_id(1);
    float sum = 0;
    for (int z = 0; z < depth; z++)
        sum += in[(z * height + y) * width + x];
    out[y * width + x] = sum;
}

__kernel void average(__read_only image2d_t in, __write_only image2d_t out, int radius)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int u = -radius; u <= radius; u++)
        sum += read_imagef(in, nearest, at + (int2)(u, 0));
    write_imagef(out, at, sum / (2 * radius + 1));
}

/* From here on: kernels that the model was not made with. */

__kernel void planes(__global const float *pixels, __global float *planes, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    for (int c = 0; c < 3; c++)
        planes[(c * height + y) * width + x] = pixels[3 * (y * width + x) + c];
}

__kernel void rotate_quarter(__global const uint *in, __global uint *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * height + (height - 1 - y)] = in[y * width + x];
}

__kernel void permute(__global const float *in, __global float *out, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(x * height + y) * depth + z] = in[(z * height + y) * width + x];
}

__kernel void life(__global const uchar *in, __global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), n = 0;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++)
            n += in[(y + v) * width + x + u];
    out[y * width + x] = n == 3 || (n == 4 && in[y * width + x]);
}

__kernel void jacobi_deep(__global const float *in, __global float *out, int width, int height, int depth)
{
    int z = get_global_id(0), y = get_global_id(1), x = get_global_id(2), plane = width * height, i = z * plane + y * width + x;
    if (x > 0 && y > 0 && z > 0 && x < width - 1 && y < height - 1 && z < depth - 1)
        out[i] = (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + in[i - plane] + in[i + plane]) / 6;
}

__kernel void matvec(__global const float *a, __global const float *x, __global float *y, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    y[row] = sum;
}

__kernel void outer(__global const float *a, __global const float *b, __global float *c, int n)
{
    int row = get_global_id(0), column = get_global_id(1);
    c[row * n + column] = a[row] * b[column];
}

__kernel void shrink(__global const float *in, __global float *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int v = 0; v < 4; v++)
        for (int u = 0; u < 4; u++)
            sum += in[(4 * y + v) * 4 * width + 4 * x + u];
    out[y * width + x] = sum / 16;
}

__kernel void complex_columns(__global const float2 *in, __global float2 *out, int rows, int columns)
{
    int row = get_global_id(0), column = get_global_id(1);
    float2 v = in[row * columns + column], w = (float2)(0.8f, 0.6f);
    out[row * columns + column] = (float2)(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
}

__kernel void distances(__global const float *points, __global float *out, int n, int dims)
{
    int i = get_global_id(0), j = get_global_id(1);
    float sum = 0;
    for (int d = 0; d < dims; d++) {
        float e = points[i * dims + d] - points[j * dims + d];
        sum += e * e;
    }
    out[i * n + j] = sum;
}

__kernel void unpack_columns(__global const float *windows, __global float *image, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < 9; k++)
        sum += windows[(k * width + x) * height + y];
    image[y * width + x] = sum;
}

__kernel void average_planes(__global const float *in, __global float *out, int count, int plane)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += in[k * plane + i];
    out[i] = sum / count;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
