/* Prices of SIZE European call options: from spot, strike and years to the price, rate 2%, volatility 30%. */
__kernel void blackscholes(__global float *restrict price, __global const float *restrict spot, __global const float *restrict strike,
                           __global const float *restrict years)
{
    const int i = get_group_id(0) * BLOCK_X + get_local_id(0);
    if (i < SIZE) {
        const float s = spot[i], k = strike[i], t = years[i], deviation = 0.3f * sqrt(t);
        const float d1 = (log(s / k) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / deviation, d2 = d1 - deviation;
        const float n1 = 0.5f * erfc(-0.70710678f * d1), n2 = 0.5f * erfc(-0.70710678f * d2);
        price[i] = s * n1 - k * exp(-0.02f * t) * n2;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
