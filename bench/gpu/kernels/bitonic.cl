/* Sorts each 2 * BLOCK_X words in local memory, by a bitonic network. */
__kernel void bitonic(__global uint *restrict out, __global const uint *restrict in)
{
    __local uint keys[2 * BLOCK_X];
    const int t = get_local_id(0), first = get_group_id(0) * (2 * BLOCK_X);
    keys[t] = in[first + t];
    keys[t + BLOCK_X] = in[first + t + BLOCK_X];
    for (int size = 2; size <= 2 * BLOCK_X; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const int low = 2 * t - (t & (apart - 1)), up = (t & (size / 2)) == 0 || size == 2 * BLOCK_X;
            const uint a = keys[low], b = keys[low + apart];
            if ((a > b) == up) {
                keys[low] = b;
                keys[low + apart] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[first + t] = keys[t];
    out[first + t + BLOCK_X] = keys[t + BLOCK_X];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
