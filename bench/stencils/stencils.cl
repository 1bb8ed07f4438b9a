/*
 * Stencils through 3-D arrays, after the descriptions in AMD's "Finite difference method - Laplacian" (parts 1 to 4) and "Seismic stencil codes" (parts 1 to 3), rocm.blogs.amd.com. Compiled with
 * -DM= rows per work-item (Laplacian), -DR= radius and -DV= width of a vector (seismic), -DSTREAM: results are stored past the caches.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#ifndef M
#define M 1
#endif
#ifndef R
#define R 4
#endif
#ifndef V
#define V 1
#endif

#ifdef STREAM
#define STORE(to, value) __builtin_nontemporal_store(value, to)
#else
#define STORE(to, value) (*(to) = (value))
#endif

#define GRID global double *restrict out, global const double *restrict in, int nx, int ny, int nz, double wx, double wy, double wz, double wc

/* Seven points, one result per work-item. */
kernel void point(GRID)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), plane = nx * ny;
    if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1 || z == 0 || z >= nz - 1)
        return;
    size_t at = x + (size_t)nx * y + (size_t)plane * z;
    STORE(&out[at], in[at] * wc + (in[at - 1] + in[at + 1]) * wx + (in[at - nx] + in[at + nx]) * wy + (in[at - plane] + in[at + plane]) * wz);
}

/* M results along y, each with all its points before the next one's. */
kernel void rows(GRID)
{
    int x = get_global_id(0), y = M * get_global_id(1), z = get_global_id(2), plane = nx * ny;
    if (x == 0 || x >= nx - 1 || z == 0 || z >= nz - 1)
        return;
    size_t at = x + (size_t)nx * y + (size_t)plane * z;
    double sum[M] = {0};
    for (int n = 0; n < M; n++) {
        size_t here = at + n * nx;
        double centre = in[here];
        sum[n] += centre * wc + (in[here - 1] + in[here + 1]) * wx;
        if (n == 0)
            sum[n] += in[here - nx] * wy;
        if (n > 0)
            sum[n - 1] += centre * wy;
        if (n < M - 1)
            sum[n + 1] += centre * wy;
        if (n == M - 1)
            sum[n] += in[here + nx] * wy;
        sum[n] += (in[here - plane] + in[here + plane]) * wz;
    }
    for (int n = 0; n < M; n++)
        if (y + n > 0 && y + n < ny - 1)
            STORE(&out[at + n * nx], sum[n]);
}

/* The same by ascending addresses. */
static void ascending(GRID, int x, int y, int z)
{
    int plane = nx * ny;
    if (x == 0 || x >= nx - 1 || z == 0 || z >= nz - 1)
        return;
    size_t at = x + (size_t)nx * y + (size_t)plane * z;
    double sum[M] = {0};
    for (int n = 0; n < M; n++)
        sum[n] += in[at - plane + n * nx] * wz;
    sum[0] += y > 0 ? in[at - nx] * wy : 0;
    for (int n = 0; n < M; n++) {
        size_t here = at + n * nx;
        sum[n] += in[here - 1] * wx;
        double centre = in[here];
        sum[n] += centre * wc + in[here + 1] * wx;
        if (n > 0)
            sum[n - 1] += centre * wy;
        if (n < M - 1)
            sum[n + 1] += centre * wy;
    }
    sum[M - 1] += y < ny - M ? in[at + M * nx] * wy : 0;
    for (int n = 0; n < M; n++)
        sum[n] += in[at + plane + n * nx] * wz;
    for (int n = 0; n < M; n++)
        if (y + n > 0 && y + n < ny - 1)
            STORE(&out[at + n * nx], sum[n]);
}

kernel void ordered(GRID) { ascending(out, in, nx, ny, nz, wx, wy, wz, wc, get_global_id(0), M * get_global_id(1), get_global_id(2)); }

/* Neighbouring groups lie along y and z, those along x come last. */
kernel void turned(GRID) { ascending(out, in, nx, ny, nz, wx, wy, wz, wc, get_local_id(0) + get_group_id(2) * 256, M * get_group_id(0), get_group_id(1)); }

#define WAVE global float *restrict out, global const float *restrict in, constant float *weight, int line, int slice, int x0, int x1, int y0, int y1, int z0, int z1

/* 2R + 1 points along one axis. */
#define ALONG(NAME, STRIDE)                                                                              \
    kernel void NAME(WAVE)                                                                               \
    {                                                                                                    \
        int x = x0 + get_global_id(0), y = y0 + get_global_id(1), z = z0 + get_global_id(2);             \
        if (x >= x1 || y >= y1 || z >= z1)                                                               \
            return;                                                                                      \
        size_t at = x + (size_t)line * y + (size_t)slice * z;                                            \
        float sum = 0;                                                                                   \
        for (int r = 0; r <= 2 * R; r++)                                                                 \
            sum += in[at + (r - R) * (long)(STRIDE)] * weight[r];                                        \
        out[at] = sum;                                                                                   \
    }
ALONG(along_x, 1)
ALONG(along_y, line)
ALONG(along_z, slice)

#if V == 1
typedef float vec;
#elif V == 2
typedef float2 vec;
#else
typedef float4 vec;
#endif

/* V results side by side, from whole vectors. */
kernel void wide_x(WAVE)
{
    enum { AROUND = (R + V - 1) / V };
    int x = x0 + V * get_global_id(0), y = y0 + get_global_id(1), z = z0 + get_global_id(2);
    if (x >= x1 || y >= y1 || z >= z1)
        return;
    size_t at = x + (size_t)line * y + (size_t)slice * z;
    float word[(2 * AROUND + 1) * V], sum[V];
    for (int r = 0; r <= 2 * AROUND; r++) {
        vec got = ((global const vec *)(in + at))[r - AROUND];
        for (int e = 0; e < V; e++)
            word[r * V + e] = ((float *)&got)[e];
    }
    for (int e = 0; e < V; e++)
        sum[e] = 0;
    for (int r = 0; r <= 2 * R; r++)
        for (int e = 0; e < V; e++)
            sum[e] += word[AROUND * V - R + r + e] * weight[r];
    vec result;
    for (int e = 0; e < V; e++)
        ((float *)&result)[e] = sum[e];
    *(global vec *)(out + at) = result;
}

kernel void wide_y(WAVE)
{
    int x = x0 + V * get_global_id(0), y = y0 + get_global_id(1), z = z0 + get_global_id(2);
    if (x >= x1 || y >= y1 || z >= z1)
        return;
    size_t at = x + (size_t)line * y + (size_t)slice * z;
    vec sum = 0;
    for (int r = 0; r <= 2 * R; r++)
        sum += *(global const vec *)(in + at + (r - R) * (long)line) * weight[r];
    *(global vec *)(out + at) = sum;
}

/* A group of 64 x 4 keeps its rows and R above and below in local memory. */
kernel void local_y(WAVE)
{
    enum { COLUMNS = 64, ROWS = 4 };
    local vec word[COLUMNS * (ROWS + 2 * R)];
    int x = x0 + V * get_global_id(0), y = y0 + get_global_id(1), z = z0 + get_global_id(2);
    size_t at = x + (size_t)line * y + (size_t)slice * z;
    int here = get_local_id(0) + (R + get_local_id(1)) * COLUMNS;
    word[here - COLUMNS * R] = *(global const vec *)(in + at - R * (long)line);
    word[here] = *(global const vec *)(in + at);
    word[here + COLUMNS * ROWS] = *(global const vec *)(in + at + ROWS * (long)line);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= x1 || y >= y1 || z >= z1)
        return;
    vec sum = 0;
    for (int r = 0; r <= 2 * R; r++)
        sum += word[here + (r - R) * COLUMNS] * weight[r];
    *(global vec *)(out + at) = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
