/*
 * The potential of ATOMS charges on a plane of SIZE x SIZE points, TILE_Y of them per work-item. An atom is a float4 (VARIANT 0) or an element of
 * four arrays (1).
 */
__kernel void coulomb(__global float *restrict potential, __global const float4 *restrict atoms, __global const float *restrict turned)
{
    const int x = get_group_id(0) * BLOCK_X + get_local_id(0), y0 = get_group_id(1) * (BLOCK_Y * TILE_Y) + get_local_id(1);
    const float px = x * 0.001f;
    float sums[TILE_Y];
    #pragma unroll
    for (int j = 0; j < TILE_Y; j++)
        sums[j] = 0.0f;
    for (int k = 0; k < ATOMS; k++) {
#if VARIANT == 0
        const float4 atom = atoms[k];
        const float ax = atom.x, ay = atom.y, az = atom.z, charge = atom.w;
#else
        const float ax = turned[k], ay = turned[ATOMS + k], az = turned[2 * ATOMS + k], charge = turned[3 * ATOMS + k];
#endif
        const float dx = px - ax, flat = dx * dx + az * az;
        #pragma unroll
        for (int j = 0; j < TILE_Y; j++) {
            const float dy = (y0 + j * BLOCK_Y) * 0.001f - ay;
            sums[j] += charge * rsqrt(flat + dy * dy);
        }
    }
    #pragma unroll
    for (int j = 0; j < TILE_Y; j++)
        potential[(y0 + j * BLOCK_Y) * SIZE + x] = sums[j];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
