/* SIZE pixels of red, green and blue, a byte each, to a plane each of luma and two chromas; TILE_X pixels per work-item, in vectors of VECTOR. */
#undef LUMA
#undef BLUE_CHROMA
#undef RED_CHROMA
#define LUMA(r, g, b) (uchar)(((66 * (r) + 129 * (g) + 25 * (b) + 128) >> 8) + 16)
#define BLUE_CHROMA(r, g, b) (uchar)(((-38 * (r) - 74 * (g) + 112 * (b) + 128) >> 8) + 128)
#define RED_CHROMA(r, g, b) (uchar)(((112 * (r) - 94 * (g) - 18 * (b) + 128) >> 8) + 128)
__kernel void yuv(__global uchar *restrict out, __global const uchar *restrict in)
{
    const int first = get_group_id(0) * (BLOCK_X * TILE_X) + get_local_id(0) * VECTOR;
    #pragma unroll
    for (int i = 0; i < TILE_X / VECTOR; i++) {
        const int at = first + i * (BLOCK_X * VECTOR);
        if (at < SIZE) {
#if VECTOR == 4
            __global const uchar4 *from = (__global const uchar4 *)(in + 3 * at);
            const uchar4 p = from[0], q = from[1], s = from[2];
            uchar4 y, u, v;
            y.x = LUMA(p.x, p.y, p.z);
            y.y = LUMA(p.w, q.x, q.y);
            y.z = LUMA(q.z, q.w, s.x);
            y.w = LUMA(s.y, s.z, s.w);
            u.x = BLUE_CHROMA(p.x, p.y, p.z);
            u.y = BLUE_CHROMA(p.w, q.x, q.y);
            u.z = BLUE_CHROMA(q.z, q.w, s.x);
            u.w = BLUE_CHROMA(s.y, s.z, s.w);
            v.x = RED_CHROMA(p.x, p.y, p.z);
            v.y = RED_CHROMA(p.w, q.x, q.y);
            v.z = RED_CHROMA(q.z, q.w, s.x);
            v.w = RED_CHROMA(s.y, s.z, s.w);
            *(__global uchar4 *)(out + at) = y;
            *(__global uchar4 *)(out + SIZE + at) = u;
            *(__global uchar4 *)(out + 2 * SIZE + at) = v;
#else
            const int r = in[3 * at], g = in[3 * at + 1], b = in[3 * at + 2];
            out[at] = LUMA(r, g, b);
            out[SIZE + at] = BLUE_CHROMA(r, g, b);
            out[2 * SIZE + at] = RED_CHROMA(r, g, b);
#endif
        }
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
