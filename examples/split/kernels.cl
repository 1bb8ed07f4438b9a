// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Ten kernels whose range may be shared out: work-item i makes out[i]. n: trips, `items` of the whole range. The last two are uneven. */
#define ARGUMENTS __global const float *restrict in, __global float *restrict out, const int n, const int items

__kernel void scale(ARGUMENTS)
{
    int i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < n; k++)
        x = x * 0.5f + 1.0f;
    out[i] = x;
}

__kernel void blur(ARGUMENTS)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[min(i + k, items - 1)];
    out[i] = sum;
}

__kernel void columns(ARGUMENTS)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(i + k * 1024) & (items - 1)];
    out[i] = sum;
}

__kernel void matmul(ARGUMENTS)
{
    int i = get_global_id(0), row = i / 512, column = i % 512;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(row * 512 + k) & (items - 1)] * in[(k * 512 + column) & (items - 1)];
    out[i] = sum;
}

__kernel void nbody(ARGUMENTS)
{
    int i = get_global_id(0);
    float own = in[i], pull = 0;
    for (int k = 0; k < n; k++) {
        float d = in[k] - own, inverse = rsqrt(d * d + 0.01f);
        pull += d * inverse * inverse * inverse;
    }
    out[i] = pull;
}

__kernel void blackscholes(ARGUMENTS)
{
    int i = get_global_id(0);
    float spot = 1 + in[i], sum = 0;
    for (int k = 1; k <= n / 8; k++) {
        float d = (log(spot) + 0.06f * k) / (0.3f * sqrt((float)k));
        sum += spot / (1 + exp(-1.6f * d));
    }
    out[i] = sum;
}

__kernel void hash(ARGUMENTS)
{
    int i = get_global_id(0);
    uint u = as_uint(in[i]);
    for (int k = 0; k < n; k++)
        u = (u ^ u >> 16) * 0x7feb352du + k;
    out[i] = (float)(u >> 8);
}

__kernel void distances(ARGUMENTS)
{
    int i = get_global_id(0);
    float least = 1e9f;
    for (int k = 0; k < n; k++) {
        float d = in[i] - in[k];
        least = fmin(least, d * d + 0.001f * k);
    }
    out[i] = sqrt(least);
}

__kernel void mandelbrot(ARGUMENTS)
{
    int i = get_global_id(0), rows = items / 512, x = i % 512, y = i / 512, steps = 0;
    float cr = 3.0f * x / 512 - 2.0f, ci = 2.0f * y / rows - 1.0f, r = 0, im = 0;
    while (steps < n && r * r + im * im < 4) {
        float t = r * r - im * im + cr;
        im = 2 * r * im + ci;
        r = t;
        steps++;
    }
    out[i] = steps;
}

__kernel void triangular(ARGUMENTS)
{
    int i = get_global_id(0), trips = (int)((long)n * i / items);
    float sum = 0;
    for (int k = 0; k < trips; k++)
        sum += in[k] * in[i];
    out[i] = sum;
}
