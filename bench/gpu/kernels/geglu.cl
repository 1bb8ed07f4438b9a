/*
 * A gate of a network on SIZE halves: gelu(gate) * up, scaled by column, is added to what was there. TILE_X of them per work-item, in vectors of
 * VECTOR.
 */
#undef GELU
#define GELU(g) (0.5f * (g) * (1.0f + tanh(0.79788456f * ((g) + 0.044715f * (g) * (g) * (g)))))
__kernel void geglu(__global half *restrict out, __global const half *restrict gates, __global const half *restrict ups,
                    __global const half *restrict before, __global const float *restrict scales)
{
    const int first = get_group_id(0) * (BLOCK_X * TILE_X / VECTOR) + get_local_id(0);
    #pragma unroll
    for (int i = 0; i < TILE_X / VECTOR; i++) {
        const int at = first + i * BLOCK_X;
        if (at < SIZE / VECTOR) {
#if VECTOR == 4
            const float4 gate = vloada_half4(at, gates), up = vloada_half4(at, ups), scale = ((__global const float4 *)scales)[at % (COLUMNS / 4)];
            float4 sum = vloada_half4(at, before);
            sum.x += GELU(gate.x) * up.x * scale.x;
            sum.y += GELU(gate.y) * up.y * scale.y;
            sum.z += GELU(gate.z) * up.z * scale.z;
            sum.w += GELU(gate.w) * up.w * scale.w;
            vstorea_half4(sum, at, out);
#else
            const float gate = vload_half(at, gates), up = vload_half(at, ups);
            vstore_half(vload_half(at, before) + GELU(gate) * up * scales[at % COLUMNS], at, out);
#endif
        }
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
