/*
 * Which of many points lie in a polygon: crossing number over all edges, the vertices in constant memory. Divisions
 * are correctly rounded, as CUDA's and HIP's.
 *
 * Macros: BLOCK_X, TILE_X (points per work-item, a block apart), VERTICES, POINTS, BETWEEN (0..3: how "y lies between" is written),
 * USE (0..2: how crossings are counted). The file may be included again in one compile with other values of these, but VERTICES, and
 * another name of the kernel.
 */

/* No launch bound on NVIDIA; 1024 work-items on AMD, HIP's default. */
#ifdef __AMDGCN__
#define KERNEL __attribute__((amdgpu_flat_work_group_size(1, 1024))) __kernel
#else
#define KERNEL __kernel
#endif
#undef IS_BETWEEN
#if BETWEEN == 0
#define IS_BETWEEN(a, b, y) (((a) > (y)) != ((b) > (y)))
#elif BETWEEN == 1
#define IS_BETWEEN(a, b, y) (((a) <= (y) && (b) > (y)) || ((a) > (y) && (b) <= (y)))
#elif BETWEEN == 2
#define IS_BETWEEN(a, b, y) (((a) - (y)) * ((b) - (y)) <= 0.0f)
#else
#define IS_BETWEEN(a, b, y) (((y) - (a)) * ((y) - (b)) <= 0.0f)
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

KERNEL
void pnpoly(__global int *restrict inside, __global const float2 *restrict points)
{
    const int base = get_group_id(0) * BLOCK_X * TILE_X + get_local_id(0);
    int crossings[TILE_X];
    float2 point[TILE_X];
    #pragma unroll
    for (int t = 0; t < TILE_X; t++) {
        crossings[t] = 0;
        if (base + t * BLOCK_X < POINTS)
            point[t] = points[base + t * BLOCK_X];
    }
    int previous = VERTICES - 1;
    UNROLL_EDGES
    for (int current = 0; current < VERTICES; previous = current++) {
        const float2 a = vertices[current], b = vertices[previous];
        const float slope = (b.x - a.x) / (b.y - a.y);
        #pragma unroll
        for (int t = 0; t < TILE_X; t++) {
#if USE == 0
            if (IS_BETWEEN(a.y, b.y, point[t].y) && point[t].x < slope * (point[t].y - a.y) + a.x)
                crossings[t] = !crossings[t];
#elif USE == 1
            crossings[t] += IS_BETWEEN(a.y, b.y, point[t].y) && point[t].x < slope * (point[t].y - a.y) + a.x;
#else
            if (IS_BETWEEN(a.y, b.y, point[t].y) && point[t].x < slope * (point[t].y - a.y) + a.x)
                crossings[t]++;
#endif
        }
    }
    #pragma unroll
    for (int t = 0; t < TILE_X; t++)
        if (base + t * BLOCK_X < POINTS)
#if USE == 0
            inside[base + t * BLOCK_X] = crossings[t];
#else
            inside[base + t * BLOCK_X] = crossings[t] & 1;
#endif
}
