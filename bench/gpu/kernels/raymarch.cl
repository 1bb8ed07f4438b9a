/*
 * A picture of SIZE x SIZE points by sphere tracing: a ground, balls and a ring, lit from one side with shadows. TILE_X points per work-item, a block
 * apart.
 */
#ifndef RAYMARCH
#define RAYMARCH
#ifdef __CUDACC__
#define FUNCTION static __device__ inline
#else
#define FUNCTION static inline
#endif
FUNCTION float to_ball(float x, float y, float z, float radius) { return sqrt(x * x + y * y + z * z) - radius; }
FUNCTION float to_ring(float x, float y, float z, float wide, float thick)
{
    const float out = sqrt(x * x + z * z) - wide;
    return sqrt(out * out + y * y) - thick;
}
FUNCTION float to_scene(float x, float y, float z)
{
    float nearest = y + 1.0f;
    nearest = fmin(nearest, to_ball(x, y, z - 5.0f, 1.0f));
    nearest = fmin(nearest, to_ball(x + 2.2f, y + 0.3f, z - 6.0f, 0.7f));
    nearest = fmin(nearest, to_ball(x - 1.8f, y + 0.5f, z - 4.0f, 0.5f));
    nearest = fmin(nearest, to_ball(x - 2.5f, y - 0.4f, z - 8.0f, 1.4f));
    return fmin(nearest, to_ring(x, y - 0.1f, z - 5.0f, 1.6f, 0.2f));
}
#endif
__kernel void raymarch(__global float *restrict picture)
{
    const float NEAR = 0.001f, FAR = 30.0f, light_x = 0.6f, light_y = 0.7f, light_z = -0.387f;
    const int py = get_group_id(1) * BLOCK_Y + get_local_id(1);
    for (int k = 0; k < TILE_X; k++) {
        const int px = (get_group_id(0) * TILE_X + k) * BLOCK_X + get_local_id(0);
        float dx = (px + 0.5f) * (2.0f / SIZE) - 1.0f, dy = 0.8f - (py + 0.5f) * (2.0f / SIZE), dz = 1.4f;
        const float scale = rsqrt(dx * dx + dy * dy + dz * dz);
        dx *= scale;
        dy *= scale;
        dz *= scale;
        float along = 0.0f, distance = 1.0f;
        for (int s = 0; s < STEPS && distance > NEAR && along < FAR; s++) {
            distance = to_scene(dx * along, dy * along, dz * along);
            along += distance;
        }
        float brightness = 0.1f + 0.2f * dy;
        if (along < FAR) {
            const float x = dx * along, y = dy * along, z = dz * along, e = 0.01f, here = to_scene(x, y, z);
            const float nx = to_scene(x + e, y, z) - here, ny = to_scene(x, y + e, z) - here, nz = to_scene(x, y, z + e) - here;
            const float facing = (nx * light_x + ny * light_y + nz * light_z) * rsqrt(nx * nx + ny * ny + nz * nz + 1e-12f);
            float lit = 1.0f, way = 0.05f;
            for (int s = 0; s < STEPS && way < 8.0f && lit > 0.01f; s++) {
                const float gap = to_scene(x + light_x * way, y + light_y * way, z + light_z * way);
                lit = fmin(lit, 8.0f * gap / way);
                way += fmax(gap, 0.02f);
            }
            brightness = 0.1f + 0.9f * fmax(facing, 0.0f) * fmax(lit, 0.0f);
        }
        picture[py * SIZE + px] = brightness;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
