// Electrostatic potential of n atoms on a grid of points that lie `spacing` apart, HEIGHT points along z per work-item. SPLIT: coordinates and charges in an array each.
// UNROLL: as in #pragma unroll, 0: up to the compiler. With -use_fast_math.
#if SPLIT
#define ATOM(member) member[atom]
extern "C" __global__ void potential(const float *x, const float *y, const float *z, const float *charge, int n, float spacing, int side, float *grid)
#else
#define ATOM(member) atoms[atom].member
#define charge w
extern "C" __global__ void potential(const float4 *atoms, int n, float spacing, int side, float *grid)
#endif
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, lowest = blockIdx.z * HEIGHT;
    if (column >= side || row >= side || lowest >= side)
        return;
    const float here_x = spacing * column, here_y = spacing * row, here_z = spacing * lowest;
    float sums[HEIGHT] = {};
    for (int atom = 0; atom < n; atom++) {
        const float dx = here_x - ATOM(x), dy = here_y - ATOM(y);
        float dz = here_z - ATOM(z);
        const float q = ATOM(charge);
#if UNROLL
#pragma unroll UNROLL
#endif
        for (int k = 0; k < HEIGHT; k++) {
            sums[k] += q * rsqrtf(dx * dx + dy * dy + dz * dz);
            dz += spacing;
        }
    }
    for (int k = 0; k < HEIGHT; k++)
        if (lowest + k < side)
            grid[(side * (lowest + k) + row) * side + column] += sums[k];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
