/* Breadth-first search by frontier, distances by edges, and following links. */
#include "subset.h"

__global__ void expand(const int *frontier, int size, const int *rows, const int *edges, int *distance, int *next, int *next_size, int level)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= size)
        return;
    int node = frontier[t];
    for (int e = rows[node]; e < rows[node + 1]; e++) {
        int to = edges[e];
        if (atomicCAS(&distance[to], -1, level) == -1)
            next[atomicAdd(next_size, 1)] = to;
    }
}

__global__ void relax(const int2 *edges, const int *weights, int *distance, int count, int *changed)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < count; e += gridDim.x * blockDim.x) {
        int2 edge = edges[e];
        int length = distance[edge.x] + weights[e];
        if (length < distance[edge.y]) {
            atomicMin(&distance[edge.y], length);
            *changed = 1;
        }
    }
}

__global__ void representative(int *parent, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    while (parent[at] != at)
        at = parent[at];
    parent[i] = at;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
