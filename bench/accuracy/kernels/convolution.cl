/*
 * 2-D convolution through work-group memory: output SIZE x SIZE, input padded by the filter's border, weights in constant memory.
 *
 * A group of BLOCK_X x BLOCK_Y work-items makes a tile of (BLOCK_X * TILE_X) x (BLOCK_Y * TILE_Y) outputs; each item keeps
 * TILE_Y x TILE_X sums in registers, for outputs a block apart.
 *
 * Macros: BLOCK_X, BLOCK_Y, TILE_X, TILE_Y, FILTER, SIZE, READ_ONLY, PADDING (floats between the tile's rows). The file may be
 * included again in one compile with other values of these, but FILTER, and another name of the kernel.
 */

/* No launch bound on NVIDIA; 1024 work-items on AMD, HIP's default. */
#ifdef __AMDGCN__
#define KERNEL __attribute__((amdgpu_flat_work_group_size(1, 1024))) __kernel
#else
#define KERNEL __kernel
#endif
#define BORDER ((FILTER / 2) * 2)
#define TILE_WIDTH (BLOCK_X * TILE_X)
#define TILE_HEIGHT (BLOCK_Y * TILE_Y)
#define PITCH (SIZE + BORDER)
#define RAGGED (SIZE % TILE_WIDTH != 0 || SIZE % TILE_HEIGHT != 0)

/*
 * An element of the input. What was measured reads `__ldg(input + y * pitch + x)` with READ_ONLY, two sums of 64 bits where the other has one of 32. NVIDIA's compiler is given that (bench/counters); LLVM keeps fewer registers
 * then than NVIDIA's does (docs/accuracy.md). x stands without parentheses: in which order its terms are added decides on ptxas' registers (254 or 103 for tiles of 3x4).
 */
#if READ_ONLY && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define INPUT_AT(y, x) *(input + (y) * PITCH + x)
#else
#define INPUT_AT(y, x) input[(y) * PITCH + x]
#endif

/* One element of the tile. */
#if RAGGED
#define FILL(i, j) if (y0 + (i) < SIZE + BORDER && x0 + (j) < SIZE + BORDER) tile[i][j] = INPUT_AT(y0 + (i), x0 + (j));
#else
#define FILL(i, j) tile[i][j] = INPUT_AT(y0 + (i), x0 + (j));
#endif

/*
 * A row of it. NVIDIA's compiler unrolls by four, the remainder first, one after the other: lanes of another remainder run apart from the others. For clang that is written out; in one line, so that what one compiler makes of
 * it is found in the other's code by its line.
 */
#ifdef __NVPTX__
#define FILL_UNROLLED _Pragma("nounroll")
#define FILL_ROW(i) { \
    int j = tx; \
    const int rest = (TILE_WIDTH + BORDER - tx + BLOCK_X - 1) / BLOCK_X & 3; \
    if (rest != 0) { \
        FILL(i, j) \
        j += BLOCK_X; \
        if (rest != 1) { \
            FILL(i, j) \
            j += BLOCK_X; \
            if (rest != 2) { \
                FILL(i, j) \
                j += BLOCK_X; \
            } \
        } \
    } \
    _Pragma("nounroll") \
    for (; j < TILE_WIDTH + BORDER; j += 4 * BLOCK_X) { \
        FILL(i, j) \
        FILL(i, j + BLOCK_X) \
        FILL(i, j + 2 * BLOCK_X) \
        FILL(i, j + 3 * BLOCK_X) \
    } \
}
#else
#define FILL_UNROLLED _Pragma("unroll 4")
#define FILL_ROW(i) \
    _Pragma("unroll 4") \
    for (int j = tx; j < TILE_WIDTH + BORDER; j += BLOCK_X) \
        FILL(i, j)
#endif

/*
 * How many of the filter's rows are unrolled together. LLVM unrolls `#pragma unroll` fully up to 16384 instructions, else by eight. The
 * compiler that HIP had when the files were measured counted 6.3 to 7.1 instructions per step: on the MI50 tiles of 8 outputs spill as
 * unrolled bodies do, those of 9 only where rows eight apart are the same. Today's LLVM counts fewer.
 */
#if defined(__AMDGCN__) && FILTER * FILTER * TILE_X * TILE_Y * 13 / 2 > 16384
#define UNROLL_ROWS _Pragma("unroll 8")
#else
#define UNROLL_ROWS _Pragma("unroll")
#endif

#if READ_ONLY
#define INPUT __global const float *restrict
#else
#define INPUT __global const float *
#endif

#ifndef WEIGHTS
#define WEIGHTS
#ifdef CONSTANTS /* where no host sets the array: its values */
__constant float weights[FILTER * FILTER] = CONSTANTS;
#else
/* Weak, so that the compiler cannot know the values; at a constant address, like CUDA's __constant__ arrays. */
__attribute__((weak)) __constant float weights[FILTER * FILTER] = {0};
#endif
#endif

KERNEL
void convolution(__global float *output, INPUT input)
{
    __local float tile[TILE_HEIGHT + BORDER][TILE_WIDTH + BORDER + PADDING];
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int x0 = get_group_id(0) * TILE_WIDTH, y0 = get_group_id(1) * TILE_HEIGHT;

    FILL_UNROLLED
    for (int i = ty; i < TILE_HEIGHT + BORDER; i += BLOCK_Y)
        FILL_ROW(i)
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum[TILE_Y][TILE_X];
    #pragma unroll
    for (int yi = 0; yi < TILE_Y; yi++)
        #pragma unroll
        for (int xi = 0; xi < TILE_X; xi++)
            sum[yi][xi] = 0.0f;
    UNROLL_ROWS
    for (int i = 0; i < FILTER; i++)
        #pragma unroll
        for (int j = 0; j < FILTER; j++)
            #pragma unroll
            for (int yi = 0; yi < TILE_Y; yi++)
                #pragma unroll
                for (int xi = 0; xi < TILE_X; xi++)
                    sum[yi][xi] += tile[ty + yi * BLOCK_Y + i][tx + xi * BLOCK_X + j] * weights[i * FILTER + j];
    #pragma unroll
    for (int yi = 0; yi < TILE_Y; yi++)
        #pragma unroll
        for (int xi = 0; xi < TILE_X; xi++) {
            const int x = x0 + tx + xi * BLOCK_X, y = y0 + ty + yi * BLOCK_Y;
#if RAGGED
            if (y < SIZE && x < SIZE)
#endif
                output[y * SIZE + x] = sum[yi][xi];
        }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
