/* European options as Hong & Kim's Table 5 has them: five numbers read and two written per option, records side by side, so not coalesced. */
struct option { float price, strike, years, rate, volatility; };
struct value { float call, put; };

/* Hart's polynomial for the cumulative normal distribution. */
static float cumulative_normal(float d)
{
    float k = native_recip(1 + 0.2316419f * fabs(d));
    float tail = 0.39894228f * native_exp(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

__kernel void black_scholes(__global const struct option *options, __global struct value *values, int count)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    float price = options[i].price, strike = options[i].strike, years = options[i].years, rate = options[i].rate, volatility = options[i].volatility;
    float root = native_sqrt(years);
    float d1 = native_divide(native_log(native_divide(price, strike)) + (rate + 0.5f * volatility * volatility) * years, volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = cumulative_normal(d1), n2 = cumulative_normal(d2);
    float discounted = strike * native_exp(-rate * years);
    values[i].call = price * n1 - discounted * n2;
    values[i].put = discounted * (1 - n2) - price * (1 - n1);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
