/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Divisions by powers of two, and arrays in local memory, in the forms that plugin/fixes.h knows and in those that it must leave alone. */

kernel void reduce(global const int *in, global int *out, local int *part)
{
    unsigned int item = get_local_id(0);
    part[item] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (unsigned int s = 1; s < get_local_size(0); s *= 2) {
        if (item % (2 * s) == 0)
            part[item] += part[item + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(0)] = part[0];
}

kernel void forms(global const uint *in, global uint *out, int bits)
{
    size_t i = get_global_id(0);
    uint x = in[i], sum = 0, down = 1u << 20;
    for (uint s = 4; s < 5000; s <<= 1, down >>= 1)
        sum = sum * 31 + x % s + x * 3 % (s * 2) - (x + 7) % down * 2;
    for (uint s = 1; s < 64; s = s * 2)
        sum ^= x % s + (uint)(x % (1u << bits)) + x / (1u << bits) + (x + 1) / (1u << (bits + 1));
    out[i] = sum;
}

/* Neither signed numbers nor what may be no power of two. */
kernel void others(global const int *in, global int *out, uint n)
{
    int x = in[get_global_id(0)] - 512, sum = 0;
    uint y = in[get_global_id(0)];
    for (int s = 1; s < 64; s *= 2)
        sum += x % s;
    for (uint s = 1; s < 64; s++)
        sum += y % s;
    for (uint s = n; s < 64; s *= 2)
        sum += y % s;
    for (uint s = 1; s < 64; s *= 3)
        sum += y % s;
    out[get_global_id(0)] = sum;
}

float first(local float *row) { return row[0]; }

/* Arrays whose addresses are used otherwise than as a[i][j] stay: only the first two are padded. */
kernel void arrays(global const float *in, global float *out)
{
    local float plain[8][16], deep[2][4][16], given[8][16], flat[8][16], taken[8][16];
    int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * 64 + get_global_id(0);
    local float *all = &flat[0][0];
    plain[y][x] = in[i];
    deep[y & 1][y / 2][x] = in[i] * 2;
    given[y][x] = in[i] * 3;
    all[y * 16 + x] = in[i] * 4;
    taken[y][x] = sizeof(taken);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = plain[x & 7][y] + deep[y & 1][x & 3][y + 4] + first(given[y]) + flat[y][x] + taken[y][x];
}
