/*
 * Fourier transforms of POINTS complex numbers each, one per group: steps of RADIX in Stockham's order, each work-item's points in registers and
 * between two steps in local memory. TABLE: the roots of unity come from a table of those of ROOTS points; otherwise they are computed.
 */

/* Of four complex numbers in place; a to d: their places. */
#ifndef FOUR_POINTS
#define FOUR_POINTS(re, im, a, b, c, d) \
    { \
        const float sum_re = (re)[a] + (re)[c], sum_im = (im)[a] + (im)[c], apart_re = (re)[a] - (re)[c], apart_im = (im)[a] - (im)[c]; \
        const float other_re = (re)[b] + (re)[d], other_im = (im)[b] + (im)[d], turned_re = (im)[b] - (im)[d], turned_im = (re)[d] - (re)[b]; \
        (re)[a] = sum_re + other_re; \
        (im)[a] = sum_im + other_im; \
        (re)[b] = apart_re + turned_re; \
        (im)[b] = apart_im + turned_im; \
        (re)[c] = sum_re - other_re; \
        (im)[c] = sum_im - other_im; \
        (re)[d] = apart_re - turned_re; \
        (im)[d] = apart_im - turned_im; \
    }
#endif

__kernel void fft(__global float2 *restrict out, __global const float2 *restrict in, __global const float2 *restrict roots)
{
    enum { EACH = POINTS / (RADIX * BLOCK_X), APART = POINTS / RADIX };
    __local float2 line[POINTS];
    const int t = get_local_id(0), first = get_group_id(0) * POINTS;
    float re[EACH][RADIX], im[EACH][RADIX];
    #pragma unroll
    for (int e = 0; e < EACH; e++)
        #pragma unroll
        for (int r = 0; r < RADIX; r++) {
            const float2 point = in[first + e * BLOCK_X + t + r * APART];
            re[e][r] = point.x;
            im[e][r] = point.y;
        }
    for (int span = 1;; span *= RADIX) {
        #pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int k = (e * BLOCK_X + t) & (span - 1);
            #pragma unroll
            for (int r = 1; r < RADIX; r++) {
#if TABLE
                const float2 root = roots[ROOTS / (span * RADIX) * k * r];
                const float c = root.x, s = root.y;
#else
                const float angle = -6.2831853f / (span * RADIX) * (k * r), c = native_cos(angle), s = native_sin(angle);
#endif
                const float turned = re[e][r] * c - im[e][r] * s;
                im[e][r] = re[e][r] * s + im[e][r] * c;
                re[e][r] = turned;
            }
#if RADIX == 2
            const float less_re = re[e][0] - re[e][1], less_im = im[e][0] - im[e][1];
            re[e][0] += re[e][1];
            im[e][0] += im[e][1];
            re[e][1] = less_re;
            im[e][1] = less_im;
#elif RADIX == 4
            FOUR_POINTS(re[e], im[e], 0, 1, 2, 3)
#else
            FOUR_POINTS(re[e], im[e], 0, 2, 4, 6)
            FOUR_POINTS(re[e], im[e], 1, 3, 5, 7)
            const float half_re[4] = {re[e][0], re[e][2], re[e][4], re[e][6]}, half_im[4] = {im[e][0], im[e][2], im[e][4], im[e][6]};
            const float odd_re[4] = {re[e][1], 0.70710678f * (re[e][3] + im[e][3]), im[e][5], 0.70710678f * (im[e][7] - re[e][7])};
            const float odd_im[4] = {im[e][1], 0.70710678f * (im[e][3] - re[e][3]), -re[e][5], -0.70710678f * (re[e][7] + im[e][7])};
            #pragma unroll
            for (int r = 0; r < 4; r++) {
                re[e][r] = half_re[r] + odd_re[r];
                im[e][r] = half_im[r] + odd_im[r];
                re[e][r + 4] = half_re[r] - odd_re[r];
                im[e][r + 4] = half_im[r] - odd_im[r];
            }
#endif
        }
        if (span == APART)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int j = e * BLOCK_X + t, k = j & (span - 1);
            #pragma unroll
            for (int r = 0; r < RADIX; r++) {
                float2 point;
                point.x = re[e][r];
                point.y = im[e][r];
                line[(j - k) * RADIX + k + r * span] = point;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int e = 0; e < EACH; e++)
            #pragma unroll
            for (int r = 0; r < RADIX; r++) {
                const float2 point = line[e * BLOCK_X + t + r * APART];
                re[e][r] = point.x;
                im[e][r] = point.y;
            }
    }
    #pragma unroll
    for (int e = 0; e < EACH; e++)
        #pragma unroll
        for (int r = 0; r < RADIX; r++) {
            float2 point;
            point.x = re[e][r];
            point.y = im[e][r];
            out[first + e * BLOCK_X + t + r * APART] = point;
        }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
