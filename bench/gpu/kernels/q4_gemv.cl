/*
 * A matrix of 4-bit weights times a vector, a row per LANES work-items. 32 weights at a time share a scale (a half) and lie in 16 bytes, the first
 * 16 of them in the lower halves; they are read in vectors of VECTOR words.
 */
#undef WEIGHT
#undef EIGHT
#define WEIGHT(word, shift) (float)((int)((word) >> (shift) & 15u) - 8)
#define EIGHT(word, at) \
    (WEIGHT(word, 0) * vector[at] + WEIGHT(word, 8) * vector[(at) + 1] + WEIGHT(word, 16) * vector[(at) + 2] + \
     WEIGHT(word, 24) * vector[(at) + 3] + WEIGHT(word, 4) * vector[(at) + 16] + WEIGHT(word, 12) * vector[(at) + 17] + \
     WEIGHT(word, 20) * vector[(at) + 18] + WEIGHT(word, 28) * vector[(at) + 19])
__kernel void q4_gemv(__global float *restrict out, __global const uint *restrict words, __global const half *restrict scales,
                      __global const float *restrict vector)
{
    enum { BLOCKS = COLUMNS / 32 };
    __local float part[BLOCK_X];
    const int t = get_local_id(0), lane = t % LANES, row = (get_group_id(0) * BLOCK_X + t) / LANES;
    float sum = 0.0f;
    if (row < ROWS) {
#if VECTOR == 4
        for (int b = lane; b < BLOCKS; b += LANES) {
            const uint4 four = ((__global const uint4 *)words)[row * BLOCKS + b];
            const int at = b * 32;
            sum += vload_half(row * BLOCKS + b, scales) *
                   (EIGHT(four.x, at) + EIGHT(four.y, at + 4) + EIGHT(four.z, at + 8) + EIGHT(four.w, at + 12));
        }
#else
        for (int w = lane; w < BLOCKS * 4; w += LANES) {
            const uint word = words[row * BLOCKS * 4 + w];
            const int at = w / 4 * 32 + w % 4 * 4;
            sum += vload_half(row * BLOCKS + w / 4, scales) * EIGHT(word, at);
        }
#endif
    }
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = LANES / 2; span > 0; span /= 2) {
        if (lane < span)
            part[t] += part[t + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && row < ROWS)
        out[row] = part[t];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
