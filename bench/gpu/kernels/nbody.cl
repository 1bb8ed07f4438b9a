/* Accelerations of SIZE bodies (x, y, z, mass) under their gravity; a group's turn brings BLOCK_X bodies to local memory. */
__kernel void nbody(__global float *restrict accelerations, __global const float *restrict bodies)
{
    __local float near[4 * BLOCK_X];
    const int t = get_local_id(0), body = get_group_id(0) * BLOCK_X + t;
    const float4 me = ((__global const float4 *)bodies)[body];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int first = 0; first < SIZE; first += BLOCK_X) {
        vstore4(((__global const float4 *)bodies)[first + t], t, near);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < BLOCK_X; i++) {
            const float4 other = vload4(i, near);
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
            const float pull = other.w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accelerations[3 * body] = ax;
    accelerations[3 * body + 1] = ay;
    accelerations[3 * body + 2] = az;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
