/* 64 rounds of additions, logic and rotations as hashes have them, TILE_X messages of a word per work-item. */
#undef ROUND
#define ROUND(f, turn, constant) \
    _Pragma("unroll") for (int i = 0; i < TILE_X; i++) { \
        const uint b = s[1][i], c = s[2][i], d = s[3][i], sum = s[0][i] + (f) + message[i] + (constant); \
        s[0][i] = d; \
        s[3][i] = c; \
        s[2][i] = b; \
        s[1][i] = b + (sum << (turn) | sum >> (32 - (turn))); \
    }
__kernel void digest(__global uint *restrict out, __global const uint *restrict in)
{
    const int first = get_group_id(0) * (BLOCK_X * TILE_X) + get_local_id(0);
    uint message[TILE_X], s[4][TILE_X];
    #pragma unroll
    for (int i = 0; i < TILE_X; i++) {
        message[i] = in[first + i * BLOCK_X];
        s[0][i] = 0x67452301u;
        s[1][i] = 0xefcdab89u;
        s[2][i] = 0x98badcfeu;
        s[3][i] = 0x10325476u;
    }
    #pragma unroll
    for (int r = 0; r < 16; r++) {
        ROUND((b & c) | (~b & d), 7, 0xd76aa478u + r * 0x9e3779b9u)
        ROUND((d & b) | (~d & c), 9, 0xf61e2562u + r * 0x9e3779b9u)
        ROUND(b ^ c ^ d, 11, 0xfffa3942u + r * 0x9e3779b9u)
        ROUND(c ^ (b | ~d), 15, 0xf4292244u + r * 0x9e3779b9u)
    }
    #pragma unroll
    for (int i = 0; i < TILE_X; i++)
        out[first + i * BLOCK_X] = s[0][i] ^ s[1][i] ^ s[2][i] ^ s[3][i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
