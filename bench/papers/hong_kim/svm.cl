/*
 * The SVM kernel of Hong & Kim's Table 5 and Figure 3: for each window of a 736 x 992 image a classifier on spectral histograms. How it loops is not
 * in the paper; 818 values of a histogram and one result make its 819 memory instructions, and a chi-square distance, as histograms are compared by, its
 * arithmetic. naive: histograms lie one after the other, the support vector in global memory; constant: the support vector in constant memory;
 * optimized: the same values of a work-group's windows lie side by side as well, from an aligned address on.
 */
enum { VALUES = 818 };

static float chi_square(float value, float reference)
{
    float difference = value - reference;
    return native_divide(difference * difference, value + reference);
}

__kernel void svm_naive(__global const float *histograms, __global const float *support, __global float *result, float gamma)
{
    int window = get_global_id(0);
    float distance = 0;
    for (int i = 0; i < VALUES; i++)
        distance += chi_square(histograms[window * VALUES + i], support[i]);
    result[window] = native_exp(-gamma * distance);
}

__kernel void svm_constant(__global const float *histograms, __constant float *support, __global float *result, float gamma)
{
    int window = get_global_id(0);
    float distance = 0;
    for (int i = 0; i < VALUES; i++)
        distance += chi_square(histograms[window * VALUES + i], support[i]);
    result[window] = native_exp(-gamma * distance);
}

__kernel void svm_optimized(__global const float *histograms, __constant float *support, __global float *result, int pitch, float gamma)
{
    int group = get_group_id(0), window = get_local_id(0);
    float distance = 0;
    for (int i = 0; i < VALUES; i++)
        distance += chi_square(histograms[(group * VALUES + i) * pitch + window], support[i]);
    result[group * pitch + window] = native_exp(-gamma * distance);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
