/* All pairs of bodies through tiles in shared memory; particles as structures of arrays and arrays of structures. */
#include "subset.h"

static __device__ void attract(float4 a, float4 b, float3 &force)
{
    float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    float inverse = rsqrtf(x * x + y * y + z * z + 1e-4f), s = b.w * inverse * inverse * inverse;
    force.x += x * s;
    force.y += y * s;
    force.z += z * s;
}

__global__ void __launch_bounds__(256) all_pairs(const float4 *bodies, float4 *forces, int n)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 mine = bodies[i];
    float3 force = {0, 0, 0};
    for (int first = 0; first < n; first += 256) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 256; k++)
            attract(mine, tile[k], force);
        __syncthreads();
    }
    forces[i] = make_float4(force.x, force.y, force.z, 0);
}

struct Particle {
    float3 position, velocity;
    union {
        int kind;
        float mass;
    };
};

__global__ void move_structures(Particle *particles, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Particle &p = particles[i];
    p.position.x += p.velocity.x * dt;
    p.position.y += p.velocity.y * dt;
    p.position.z += p.velocity.z * dt;
    p.mass *= 0.999f;
}

struct Arrays {
    float *position[3];
    const float *velocity[3];
};

__global__ void move_arrays(Arrays a, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int d = 0; d < 3; d++)
            a.position[d][i] += a.velocity[d][i] * dt;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
