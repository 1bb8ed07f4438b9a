/*
 * Attention of one query per group to the KEYS keys of its head, HEAD numbers each; QUERIES heads of queries share a head of keys and values. A
 * work-item multiplies whole keys; these lie key by key (VARIANT 0) or number by number (1).
 */
__kernel void attention(__global float *restrict out, __global const float *restrict queries, __global const float *restrict keys,
                        __global const float *restrict values)
{
    __local float query[HEAD], scores[KEYS], part[BLOCK_X];
    const int t = get_local_id(0), group = get_group_id(0), first = group / QUERIES * (KEYS * HEAD);
    const float scale = rsqrt((float)HEAD);
    for (int d = t; d < HEAD; d += BLOCK_X)
        query[d] = queries[group * HEAD + d] * scale;
    barrier(CLK_LOCAL_MEM_FENCE);
    float largest = -1e30f;
    for (int k = t; k < KEYS; k += BLOCK_X) {
        float score = 0.0f;
#if VARIANT == 0
        for (int d = 0; d < HEAD; d += 4) {
            const float4 four = *(__global const float4 *)(keys + first + k * HEAD + d);
            score += four.x * query[d] + four.y * query[d + 1] + four.z * query[d + 2] + four.w * query[d + 3];
        }
#else
        for (int d = 0; d < HEAD; d++)
            score += keys[first + d * KEYS + k] * query[d];
#endif
        scores[k] = score;
        largest = fmax(largest, score);
    }
    part[t] = largest;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = BLOCK_X / 2; span > 0; span /= 2) {
        if (t < span)
            part[t] = fmax(part[t], part[t + span]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    largest = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = t; k < KEYS; k += BLOCK_X) {
        const float weight = native_exp(scores[k] - largest);
        scores[k] = weight;
        sum += weight;
    }
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = BLOCK_X / 2; span > 0; span /= 2) {
        if (t < span)
            part[t] += part[t + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float inverse = 1.0f / part[0];
#if BLOCK_X > HEAD
    enum { SLICES = BLOCK_X / HEAD };
    barrier(CLK_LOCAL_MEM_FENCE);
    float mixed = 0.0f;
    for (int k = t / HEAD; k < KEYS; k += SLICES)
        mixed += scores[k] * values[first + k * HEAD + t % HEAD];
    part[t] = mixed;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < HEAD) {
        for (int s = 1; s < SLICES; s++)
            mixed += part[s * HEAD + t];
        out[group * HEAD + t] = mixed * inverse;
    }
#else
    for (int d = t; d < HEAD; d += BLOCK_X) {
        float mixed = 0.0f;
        for (int k = 0; k < KEYS; k++)
            mixed += scores[k] * values[first + k * HEAD + d];
        out[group * HEAD + d] = mixed * inverse;
    }
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
