/*
 * Dedispersion of a radio telescope's samples: for each dispersion measure (y) and sample (x) the sum over all channels of the
 * input, shifted by a delay that depends on the channel and the measure.
 *
 * Macros: SAMPLES, MEASURES (of the output), BLOCK_X, BLOCK_Y, TILE_X, TILE_Y, STRIDE_X, STRIDE_Y (0: an item's outputs are neighbours; 1: a block apart), UNROLL (0: the
 * compiler decides). The file may be included again in one compile with other values of these and another name of the kernel.
 */

/* No launch bound on NVIDIA; 1024 work-items on AMD, HIP's default. */
#ifdef __AMDGCN__
#define KERNEL __attribute__((amdgpu_flat_work_group_size(1, 1024))) __kernel
#else
#define KERNEL __kernel
#endif
#define CHANNELS 1536
#define INPUT_PITCH 25650
#define MEASURE_STEP 0.02f

#if STRIDE_X
#define SAMPLE(i) (get_group_id(0) * BLOCK_X * TILE_X + get_local_id(0) + (i) * BLOCK_X)
#else
#define SAMPLE(i) ((get_group_id(0) * BLOCK_X + get_local_id(0)) * TILE_X + (i))
#endif
#if STRIDE_Y
#define MEASURE(i) (get_group_id(1) * BLOCK_Y * TILE_Y + get_local_id(1) + (i) * BLOCK_Y)
#else
#define MEASURE(i) ((get_group_id(1) * BLOCK_Y + get_local_id(1)) * TILE_Y + (i))
#endif

KERNEL
void dedispersion(__global const uchar *restrict input, __global float *restrict output, __global const float *restrict shifts)
{
    for (int xi = 0; xi < TILE_X; xi++) {
        const int sample = SAMPLE(xi);
        if (sample >= SAMPLES)
            continue;
        for (int yi = 0; yi < TILE_Y; yi++) {
            const int measure = MEASURE(yi);
            if (measure >= MEASURES)
                continue;
            const float dm = measure * MEASURE_STEP;
            float sum = 0.0f;
#if UNROLL > 0
            #pragma unroll UNROLL
#endif
            for (int channel = 0; channel < CHANNELS; channel++) {
                const uint shift = (uint)(dm * shifts[channel]);
                sum += input[channel * INPUT_PITCH + sample + shift];
            }
            output[measure * SAMPLES + sample] = sum;
        }
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
