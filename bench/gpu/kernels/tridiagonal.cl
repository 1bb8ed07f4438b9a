/*
 * COUNT systems of LENGTH equations with three diagonals, as an implicit step of diffusion has them: one per work-item, forth and back (Thomas). They
 * lie one behind the other, or equation by equation (INTERLEAVED).
 */
#undef PLACE
#if INTERLEAVED
#define PLACE(i) ((i) * COUNT + s)
#else
#define PLACE(i) (s * LENGTH + (i))
#endif
__kernel void tridiagonal(__global float *restrict out, __global float *restrict factors, __global const float *restrict lower,
                          __global const float *restrict upper, __global const float *restrict right)
{
    enum { AT_ONCE = UNROLL };
    const int s = get_group_id(0) * BLOCK_X + get_local_id(0);
    if (s < COUNT) {
        float factor = 0.0f, x = 0.0f;
        #pragma unroll AT_ONCE
        for (int i = 0; i < LENGTH; i++) {
            const float below = lower[PLACE(i)], above = upper[PLACE(i)], inverse = 1.0f / (1.0f + above + below - below * factor);
            factor = above * inverse;
            x = (right[PLACE(i)] + below * x) * inverse;
            factors[PLACE(i)] = factor;
            out[PLACE(i)] = x;
        }
        #pragma unroll AT_ONCE
        for (int i = LENGTH - 2; i >= 0; i--) {
            x = out[PLACE(i)] + factors[PLACE(i)] * x;
            out[PLACE(i)] = x;
        }
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
