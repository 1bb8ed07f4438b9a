// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Two kinds of work: by the parity of the element, or by halves of the group. */
float work(float x, int odd)
{
    if (odd)
        for (int k = 0; k < 200; k++)
            x = sqrt(x * 0.5f + 1.0f);
    else
        for (int k = 0; k < 400; k++)
            x = x * x * 0.25f + 0.125f;
    return x;
}

kernel void faulty(global float *restrict out, global const float *restrict in)
{
    int i = get_global_id(0);
    out[i] = work(in[i], i % 2);
}

kernel void repaired(global float *restrict out, global const float *restrict in)
{
    int item = get_local_id(0), half_size = get_local_size(0) / 2, odd = item / half_size;
    int i = get_group_id(0) * get_local_size(0) + 2 * (item % half_size) + odd;
    out[i] = work(in[i], odd);
}
