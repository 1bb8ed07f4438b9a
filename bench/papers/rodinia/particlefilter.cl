/* Rodinia's naive particle filter: each particle looks for its place in the cumulative distribution. */
kernel void particle_naive(global const float *x, global const float *y, global const float *cdf, global const float *u, global float *new_x, global float *new_y, int particles)
{
    int i = get_global_id(0);
    if (i < particles) {
        int index = -1;
        for (int k = 0; k < particles; k++) {
            if (cdf[k] >= u[i]) {
                index = k;
                break;
            }
        }
        if (index == -1)
            index = particles - 1;
        new_x[i] = x[index];
        new_y[i] = y[index];
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
