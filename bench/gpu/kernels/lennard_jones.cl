/*
 * Lennard-Jones forces on ATOMS atoms, each with a list of NEIGHBOURS others, of which the near ones count. PLANAR: positions as three arrays, not
 * as float4. BY_COLUMN: the first neighbours of all atoms side by side, then the second ones; not an atom's own.
 */
__kernel void lennard_jones(__global float4 *restrict forces, __global const float4 *restrict positions, __global const float *restrict planes,
                            __global const int *restrict lists, __global const int *restrict turned)
{
    const float cutoff = 2.5f * 2.5f;
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    if (i >= ATOMS)
        return;
#if PLANAR
    const float x = planes[i], y = planes[ATOMS + i], z = planes[2 * ATOMS + i];
#else
    const float4 own = positions[i];
    const float x = own.x, y = own.y, z = own.z;
#endif
    float fx = 0.0f, fy = 0.0f, fz = 0.0f, energy = 0.0f;
    for (int k = 0; k < NEIGHBOURS; k++) {
#if BY_COLUMN
        const int j = turned[k * ATOMS + i];
#else
        const int j = lists[i * NEIGHBOURS + k];
#endif
#if PLANAR
        const float dx = x - planes[j], dy = y - planes[ATOMS + j], dz = z - planes[2 * ATOMS + j];
#else
        const float4 other = positions[j];
        const float dx = x - other.x, dy = y - other.y, dz = z - other.z;
#endif
        const float square = dx * dx + dy * dy + dz * dz;
        if (square < cutoff) {
            const float inverse = 1.0f / square, sixth = inverse * inverse * inverse, force = 24.0f * inverse * sixth * (2.0f * sixth - 1.0f);
            fx += dx * force;
            fy += dy * force;
            fz += dz * force;
            energy += 4.0f * sixth * (sixth - 1.0f);
        }
    }
    float4 force;
    force.x = fx;
    force.y = fy;
    force.z = fz;
    force.w = energy;
    forces[i] = force;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
