/*
 * The median of each point's WINDOW x WINDOW neighbours in a picture of SIZE x SIZE floats, clamped at its edges; TILE_Y points below each other per
 * work-item. In registers: of one more than half of them the least and the greatest are no median and make room for the next one, until three remain.
 */
#undef EXCHANGE
#define EXCHANGE(low, high) \
    { \
        const float less = fmin(low, high); \
        high = fmax(low, high); \
        low = less; \
    }
__kernel void median(__global float *restrict out, __global const float *restrict in)
{
    enum { COUNT = WINDOW * WINDOW, KEPT = COUNT / 2 + 2, RADIUS = WINDOW / 2 };
    const int x = get_group_id(0) * BLOCK_X + get_local_id(0), first = (get_group_id(1) * BLOCK_Y + get_local_id(1)) * TILE_Y;
    float near[TILE_Y + 2 * RADIUS][WINDOW];
    #pragma unroll
    for (int j = 0; j < TILE_Y + 2 * RADIUS; j++)
        #pragma unroll
        for (int i = 0; i < WINDOW; i++)
            near[j][i] = in[min(max(first + j - RADIUS, 0), SIZE - 1) * SIZE + min(max(x + i - RADIUS, 0), SIZE - 1)];
    #pragma unroll
    for (int k = 0; k < TILE_Y; k++) {
        float kept[KEPT];
        #pragma unroll
        for (int i = 0; i < KEPT; i++)
            kept[i] = near[k + i / WINDOW][i % WINDOW];
        #pragma unroll
        for (int n = KEPT; n >= 3; n--) {
            #pragma unroll
            for (int i = 0; i < n / 2; i++)
                EXCHANGE(kept[i], kept[n - 1 - i])
            #pragma unroll
            for (int i = 1; i < (n + 1) / 2; i++)
                EXCHANGE(kept[0], kept[i])
            #pragma unroll
            for (int i = n / 2; i < n - 1; i++)
                EXCHANGE(kept[i], kept[n - 1])
            const int next = 2 * KEPT - n;
            if (n > 3)
                kept[0] = near[k + next / WINDOW][next % WINDOW];
        }
        out[(first + k) * SIZE + x] = kept[1];
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
