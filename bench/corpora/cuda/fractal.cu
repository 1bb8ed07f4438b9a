/* Loops that end when the data says so: Mandelbrot with an escape test, and Newton's method in double precision. */
#include "subset.h"

__global__ void mandelbrot(int *out, int width, int height, float scale, float left, float top, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cx = left + px * scale, cy = top + py * scale, x = 0, y = 0;
    int count = 0;
    while (x * x + y * y < 4.0f && count < limit) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        count++;
    }
    out[py * width + px] = count;
}

__global__ void roots(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = in[i], x = a;
    for (int k = 0; k < 64; k++) {
        double next = 0.5 * (x + a / x);
        if (fabs(next - x) <= 1e-12 * fabs(x))
            break;
        x = next;
    }
    out[i] = x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
