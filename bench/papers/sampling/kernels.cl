// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Kernels of the kinds in Table 2 of "Sampling and learning" (Lee et al.), under its names. The paper prints none of
 * them, so each is written from what the name says. All have the same arguments: n trips or taps, `groups` of the whole
 * launch. What would follow from data (degrees, bins, row lengths) follows from a hash of the place instead, so that
 * what a group does is known without data. MASK: floats in `in`, less one; a power of two.
 */
#define ARGUMENTS __global float *restrict out, __global const float *restrict in, const int n, const int groups
#ifndef MASK
#define MASK 0xfffff
#endif

static uint hash(uint u)
{
    u = (u ^ u >> 16) * 0x7feb352du;
    u = (u ^ u >> 15) * 0x846ca68bu;
    return u ^ u >> 16;
}

static float term(float x, float y) { return x * 0.99f + y * y; }

/* ---- Regular ---- */

__kernel void blackscholes(ARGUMENTS)
{
    uint i = get_global_id(0);
    float s = in[i & MASK] + 1.0f, sum = 0;
    for (int k = 0; k < n; k++) {
        float d = (log(s) + 0.06f * k) / (0.3f * sqrt(1.0f + k));
        sum += s / (1.0f + exp(-1.6f * d));
    }
    out[i] = sum;
}

__kernel void convolutionRows(ARGUMENTS)
{
    uint i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(i + k) & MASK] * (0.1f * k);
    out[i] = sum;
}

__kernel void convolutionColumns(ARGUMENTS)
{
    uint i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(i + k * 4096) & MASK] * (0.1f * k);
    out[i] = sum;
}

__kernel void matmul(ARGUMENTS)
{
    uint i = get_global_id(0), row = i >> 8, column = i & 255;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(row * n + k) & MASK] * in[(k * 256 + column) & MASK];
    out[i] = sum;
}

__kernel void nbody(ARGUMENTS)
{
    uint i = get_global_id(0);
    float x = in[i & MASK], force = 0;
    for (int k = 0; k < n; k++) {
        float d = in[k] - x, r = rsqrt(d * d + 0.01f);
        force += d * r * r * r;
    }
    out[i] = force;
}

__kernel void sgemmNT(ARGUMENTS)
{
    __local float tile[16][16];
    uint i = get_global_id(0), l = get_local_id(0) & 255;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        tile[l / 16][l % 16] = in[(get_group_id(0) * 4096 + k * 16 + l) & MASK];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++)
            sum += tile[j][l % 16] * tile[l / 16][j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}

__kernel void cp(ARGUMENTS)
{
    uint i = get_global_id(0);
    float x = i & 511, y = i >> 9, energy = 0;
    for (int k = 0; k < n; k++) {
        float dx = x - in[2 * k], dy = y - in[2 * k + 1];
        energy += 1.0f / sqrt(dx * dx + dy * dy + 1.0f);
    }
    out[i] = energy;
}

__kernel void VectorHypot(ARGUMENTS)
{
    uint i = get_global_id(0), all = get_local_size(0) * groups;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        uint at = i + k * all;
        sum = fmax(sum, sqrt(in[at & MASK] * in[at & MASK] + in[(at + 17) & MASK]));
    }
    out[i] = sum;
}

__kernel void DotProduct(ARGUMENTS)
{
    __local float part[256];
    uint i = get_global_id(0), l = get_local_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(i + k * 8192) & MASK] * in[(i + k * 8192 + 64) & MASK];
    part[l & 255] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (l < step)
            part[l & 255] += part[(l + step) & 255];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = part[0];
}

__kernel void ep(ARGUMENTS)
{
    uint i = get_global_id(0), seed = i;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        seed = seed * 1664525u + 1013904223u;
        float x = (float)(seed >> 8) * 1e-7f;
        sum += x * x < 1.0f ? sqrt(x) : 0.5f;
    }
    out[i] = sum;
}

/* ---- Memory and warm-up ---- */

__kernel void trans_naive(ARGUMENTS)
{
    uint i = get_global_id(0), x = i & 1023, y = i >> 10;
    for (int k = 0; k < n; k++)
        out[(x * 1024 + y + k) & MASK] = in[(i + k * 64) & MASK];
}

__kernel void uncoal0(ARGUMENTS)
{
    uint i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(i * n + k) & MASK] * in[k];
    out[i] = sum;
}

__kernel void coal0(ARGUMENTS)
{
    uint i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(k * 65536 + i) & MASK] * in[k];
    out[i] = sum;
}

__kernel void BoxRowsLmem(ARGUMENTS)
{
    __local float row[320];
    uint i = get_global_id(0), l = get_local_id(0);
    row[l & 255] = in[i & MASK];
    if (l < 32)
        row[256 + l] = in[(i + 256) & MASK];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += row[(l & 255) + (k & 31)];
    out[i] = sum;
}

__kernel void fft1D_512(ARGUMENTS)
{
    __local float re[256];
    uint i = get_global_id(0), l = get_local_id(0) & 255;
    float a = in[i & MASK], b = in[(i + 512) & MASK];
    for (int k = 0; k < n; k++) {
        uint stride = 1u << (k & 7);
        float c = native_cos(0.1f * (l & stride)), s = native_sin(0.1f * (l & stride));
        re[(l * 4) & 255] = a;
        barrier(CLK_LOCAL_MEM_FENCE);
        float other = re[(l ^ stride) & 255];
        barrier(CLK_LOCAL_MEM_FENCE);
        a = a * c - other * s;
        b = b * s + other * c;
    }
    out[i] = a + b;
}

__kernel void StreamCollide(ARGUMENTS)
{
    uint i = get_global_id(0);
    float f[8], rho = 0;
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < 8; d++) {
            f[d] = in[(i + d * 100003 + k * 4096) & MASK];
            rho += f[d];
        }
        rho = rho * 0.9f + f[0] * f[1] - f[2] * f[3];
    }
    out[i] = rho;
}

__kernel void FiniteDifferences(ARGUMENTS)
{
    uint i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        uint at = i + k * 65536;
        sum = sum * 0.5f + in[at & MASK] + in[(at + 1) & MASK] + in[(at - 1) & MASK] + in[(at + 256) & MASK] +
              in[(at - 256) & MASK] + in[(at + 65536) & MASK] + in[(at - 65536) & MASK];
    }
    out[i] = sum;
}

__kernel void reorderDataKeys(ARGUMENTS)
{
    uint i = get_global_id(0);
    for (int k = 0; k < n; k++)
        out[hash(i + 7919 * k) & MASK] = in[(i + k * 64) & MASK];
}

/* ---- Uneven: what a group does follows from its place ---- */

__kernel void binning(ARGUMENTS) /* one group in eight has a full bin */
{
    uint i = get_global_id(0), h = hash(get_group_id(0));
    int trips = (h & 7) == 0 ? 4 * n : n / 2;
    float sum = 0;
    for (int k = 0; k < trips; k++)
        sum = term(sum, in[(hash(i + k) & 0xffff) & MASK]);
    out[i] = sum;
}

__kernel void gridding(ARGUMENTS) /* samples lie around the middle of the grid */
{
    uint i = get_global_id(0);
    int g = get_group_id(0), d = abs(2 * g - groups);
    int trips = n / 8 + 4 * n * (groups - d) / groups * (groups - d) / groups;
    float sum = 0;
    for (int k = 0; k < trips; k++)
        sum = term(sum, in[(i * 3 + k) & MASK]);
    out[i] = sum;
}

__kernel void gen_hists(ARGUMENTS) /* the last quarter has three times the work */
{
    uint i = get_global_id(0);
    int g = get_group_id(0), trips = 4 * g >= 3 * groups ? 3 * n : n;
    float sum = 0;
    for (int k = 0; k < trips; k++)
        sum = term(sum, in[(i + k * 256) & MASK]);
    out[i] = sum;
}

__kernel void tpacf(ARGUMENTS) /* each pair once: later groups have fewer partners */
{
    uint i = get_global_id(0);
    int g = get_group_id(0), trips = 2 * n - (int)((long)2 * n * g / groups) + 1;
    float sum = 0, x = in[i & MASK];
    for (int k = 0; k < trips; k++)
        sum += rsqrt(x * in[k & MASK] + 1.0f);
    out[i] = sum;
}

__kernel void bfs(ARGUMENTS) /* degrees of a graph: most few, some many, lanes apart */
{
    uint i = get_global_id(0), h = hash(i);
    int degree = (h & 63) == 0 ? 4 * n : (h & 7) == 0 ? n : n / 4;
    float sum = 0;
    for (int k = 0; k < degree; k++)
        sum += in[hash(h + k) & MASK];
    out[i] = sum;
}

__kernel void spmv_csr_vector(ARGUMENTS) /* row lengths by the row */
{
    uint row = get_global_id(0) >> 5, lane = get_global_id(0) & 31;
    int length = n / 2 + (int)(hash(row) % (uint)n);
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += in[(row * 97 + k * 32 + lane) & MASK] * in[hash(row + k) & 0xffff & MASK];
    out[get_global_id(0)] = sum;
}

__kernel void lattice(ARGUMENTS) /* cut-off: groups whose cell is full pay for all atoms, others test and leave */
{
    uint i = get_global_id(0), cell = get_group_id(0) * 5 / 8;
    int atoms = n / 2 + (int)(hash(cell) & 31u) * n / 32;
    float energy = 0;
    for (int k = 0; k < atoms; k++) {
        float d = in[(cell * 16 + k) & MASK] - 0.01f * (i & 255);
        if (d * d < 0.5f)
            energy += rsqrt(d * d + 0.1f);
    }
    out[i] = energy;
}

__kernel void lu_trailing(ARGUMENTS) /* the trailing matrix: what is above and left of it has nothing to do */
{
    uint i = get_global_id(0);
    int g = get_group_id(0);
    float sum = 0;
    if (4 * g > groups)
        for (int k = 0; k < n; k++)
            sum = term(sum, in[(i + k * 1024) & MASK]);
    out[i] = sum;
}

__kernel void collatz(ARGUMENTS)
{
    uint i = get_global_id(0), u = i * 8 + 7;
    int s = 0;
    while (u != 1 && s < 4 * n) {
        u = (u & 1) ? 3 * u + 1 : u >> 1;
        s++;
    }
    out[i] = s;
}

__kernel void julia(ARGUMENTS)
{
    uint i = get_global_id(0), rows = get_local_size(0) * groups / 256;
    float zr = (i & 255) * (3.0f / 256) - 1.5f, zi = (i >> 8) * (3.0f / rows) - 1.5f;
    int s = 0;
    while (zr * zr + zi * zi < 4.0f && s < 4 * n) {
        float t = zr * zr - zi * zi - 0.8f;
        zi = 2 * zr * zi + 0.156f;
        zr = t;
        s++;
    }
    out[i] = s;
}

__kernel void rprj3(ARGUMENTS) /* a plane of halo every 32 groups */
{
    uint i = get_global_id(0);
    int trips = get_group_id(0) % 32 == 0 ? n / 4 : n;
    float sum = 0;
    for (int k = 0; k < trips; k++)
        sum = term(sum, in[(i + k * 64) & MASK] + in[(i + k * 64 + 1024) & MASK]);
    out[i] = sum;
}

__kernel void integrate(ARGUMENTS) /* adaptive steps: a ramp of a half over the range */
{
    uint i = get_global_id(0);
    int g = get_group_id(0), steps = n + n * g / (2 * groups);
    float x = in[i & MASK];
    for (int k = 0; k < steps; k++)
        x += 0.01f * native_sin(x + k);
    out[i] = x;
}

__kernel void ViterbiOneStep(ARGUMENTS) /* alternating numbers of states */
{
    uint i = get_global_id(0);
    int states = get_group_id(0) & 1 ? n + n / 2 : n / 2;
    float best = -1e9f;
    for (int k = 0; k < states; k++)
        best = fmax(best, in[(i & 1023) * 4 + k] + in[k]);
    out[i] = best;
}

__kernel void compress(ARGUMENTS) /* blocks are refined until they are good enough */
{
    uint i = get_global_id(0), h = hash(get_group_id(0) * 31);
    int rounds = 1 + (int)(h & 3u);
    float error = in[i & MASK];
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < n / 2; k++)
            error = term(error, 0.001f * k);
    out[i] = error;
}

__kernel void triangular(ARGUMENTS) /* row g of a triangle, its beginning padded */
{
    uint i = get_global_id(0);
    int g = get_group_id(0), trips = n / 2 + n * g / groups;
    float sum = 0;
    for (int k = 0; k < trips; k++)
        sum += in[(i + k * 512) & MASK];
    out[i] = sum;
}

__kernel void uncoal1(ARGUMENTS) /* rows of a band: a third of them is short */
{
    uint i = get_global_id(0), h = hash(get_group_id(0) / 2);
    int trips = h % 3 == 0 ? n / 2 : n;
    float sum = 0;
    for (int k = 0; k < trips; k++)
        sum += in[(i * 33 + k) & MASK];
    out[i] = sum;
}

/* ---- Few work-items in a group ---- */

__kernel void setiv(ARGUMENTS)
{
    uint i = get_global_id(0);
    float x = in[i & MASK], y = 0;
    for (int k = 0; k < n; k++)
        y = y * 0.5f + x * k + in[(i + k * 32) & MASK];
    out[i] = y;
}
