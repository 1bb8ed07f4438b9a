/* Rodinia's k-means: the features transposed once, then for each point the nearest cluster. */
kernel void kmeans_swap(global const float *feature, global float *swapped, int points, int features)
{
    int tid = get_global_id(0);
    if (tid < points)
        for (int i = 0; i < features; i++)
            swapped[i * points + tid] = feature[tid * features + i];
}

kernel void kmeans_c(global const float *feature, global const float *clusters, global int *membership, int points, int cluster_count, int features)
{
    int point = get_global_id(0), nearest = 0;
    float least = FLT_MAX;
    if (point < points) {
        for (int i = 0; i < cluster_count; i++) {
            float distance = 0;
            for (int l = 0; l < features; l++) {
                float d = feature[l * points + point] - clusters[i * features + l];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                nearest = i;
            }
        }
        membership[point] = nearest;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
