/* Lengths of vectors. VARIANT 0: out of an array of structs of 32 bytes; 1: out of an array for each member. */
#ifndef PARTICLE
#define PARTICLE
struct particle { float x, y, z, vx, vy, vz, mass, charge; };
#endif
__kernel void structs(__global float *restrict out, __global const float *restrict in, __global const float *restrict turned)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
#if VARIANT == 0
    __global const struct particle *p = (__global const struct particle *)in;
    const float x = p[i].x, y = p[i].y, z = p[i].z;
#else
    const float x = turned[i], y = turned[SIZE + i], z = turned[2 * SIZE + i];
#endif
    out[i] = sqrt(x * x + y * y + z * z);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
