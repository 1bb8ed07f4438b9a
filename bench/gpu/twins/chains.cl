/* A sum of 4096 products per work-item, few work-items. VARIANT 0: one after the other; 1: four sums. */
__kernel void chains(__global float *restrict out, __global const float *restrict in)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    const float x = in[i];
#if VARIANT == 0
    float sum = 0.0f;
    for (int k = 0; k < 4096; k++)
        sum = sum * x + 0.25f;
    out[i] = sum;
#else
    /* Horner's rule in steps of x^4 */
    const float x2 = x * x, x4 = x2 * x2;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4096; k += 4)
        for (int j = 0; j < 4; j++)
            sum[j] = sum[j] * x4 + 0.25f;
    out[i] = sum[0] + x * sum[1] + x2 * sum[2] + x2 * x * sum[3];
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
