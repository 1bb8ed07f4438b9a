/*
 * Which of many points lie in a polygon: crossing number over all edges, the vertices in constant memory. Divisions
 * are correctly rounded, as CUDA's and HIP's.
 *
 * Macros: BLOCK_X, TILE_X (points per work-item, a block apart), VERTICES, POINTS (an argument where it is not given), BETWEEN (0..3: how "y lies between" is written),
 * USE (0..2: how crossings are counted). The file may be included again in one compile with other values of these, but VERTICES, and
 * another name of the kernel.
 */

/* No launch bound on NVIDIA; 1024 work-items on AMD, HIP's default. */
#ifdef __AMDGCN__
#define KERNEL __attribute__((amdgpu_flat_work_group_size(1, 1024))) __kernel
#else
#define KERNEL __kernel
#endif

/* Whether y lies between those of two vertices, written in four ways. As macros they have other registers. */
#ifndef IS_BETWEEN
#define IS_BETWEEN(method) BETWEEN_NAME(method)
#define BETWEEN_NAME(method) is_between_##method
#ifdef __CUDACC__
#define FUNCTION static __device__ inline
#else
#define FUNCTION static inline
#endif
FUNCTION int is_between_0(float y, float a, float b) { return (a > y) != (b > y); }
FUNCTION int is_between_1(float y, float a, float b) { return (a <= y && b > y) || (a > y && b <= y); }
FUNCTION int is_between_2(float y, float a, float b) { return y - a == 0.0f || (y - a) * (y - b) < 0.0f; }
FUNCTION int is_between_3(float y, float a, float b) { return (y - a) * (y - b) < 0.0f || y - a == 0.0f; }
#endif

/* NVIDIA's compiler unrolls the loop by four where its body is short. */
#undef UNROLL_EDGES
#if defined __NVPTX__ && TILE_X < 8
#define UNROLL_EDGES _Pragma("unroll 4")
#elif defined __NVPTX__
#define UNROLL_EDGES _Pragma("nounroll")
#else
#define UNROLL_EDGES
#endif

#ifndef POLYGON
#define POLYGON
#ifdef CONSTANTS /* where no host sets the array: its values */
__constant float2 vertices[VERTICES] = CONSTANTS;
#else
/* Weak, so that the compiler cannot know the values; at a constant address, like CUDA's __constant__ arrays. */
__attribute__((weak)) __constant float2 vertices[VERTICES] = {0};
#endif
#endif

/* Registers of NVIDIA's compiler depend on whether it knows the number: with an argument they are the measured ones, with a constant up to a quarter fewer. */
#undef POINTS_ARGUMENT
#ifdef POINTS
#define POINTS_ARGUMENT
#else
#define POINTS_ARGUMENT , int n
#endif

KERNEL
void pnpoly(__global int *restrict inside, __global const float2 *restrict points POINTS_ARGUMENT)
{
    const int base = get_group_id(0) * BLOCK_X * TILE_X + get_local_id(0);
#ifdef POINTS
    const int n = POINTS;
#else
    if (base >= n)
        return;
#endif
    int crossings[TILE_X];
    float2 point[TILE_X];
    #pragma unroll
    for (int t = 0; t < TILE_X; t++) {
        crossings[t] = 0;
        if (base + t * BLOCK_X < n)
            point[t] = points[base + t * BLOCK_X];
    }
    int previous = VERTICES - 1;
    UNROLL_EDGES
    for (int current = 0; current < VERTICES; previous = current++) {
        const float2 a = vertices[current], b = vertices[previous];
        const float slope = (b.x - a.x) / (b.y - a.y);
        #pragma unroll
        for (int t = 0; t < TILE_X; t++) {
            const float2 p = point[t];
#if USE == 1
            const int between = IS_BETWEEN(BETWEEN)(p.y, a.y, b.y);
            crossings[t] += between && p.x < a.x + slope * (p.y - a.y);
#else
            if (IS_BETWEEN(BETWEEN)(p.y, a.y, b.y) && p.x < slope * (p.y - a.y) + a.x)
                crossings[t] = USE == 0 ? !crossings[t] : crossings[t] + 1;
#endif
        }
    }
    #pragma unroll
    for (int t = 0; t < TILE_X; t++)
        if (base + t * BLOCK_X < n)
#if USE == 0
            inside[base + t * BLOCK_X] = crossings[t];
#else
            inside[base + t * BLOCK_X] = crossings[t] & 1;
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
