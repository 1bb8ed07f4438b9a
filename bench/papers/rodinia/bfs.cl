/* Rodinia's breadth-first search: one step over all nodes of the frontier, then one that makes the next frontier. */
struct node {
    int first, edges;
};

kernel void BFS_1(global const struct node *nodes, global const int *edges, global char *frontier, global char *next, global const char *visited, global int *cost, int count)
{
    int tid = get_global_id(0);
    if (tid < count && frontier[tid]) {
        frontier[tid] = 0;
        for (int i = nodes[tid].first; i < nodes[tid].edges + nodes[tid].first; i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = cost[tid] + 1;
                next[id] = 1;
            }
        }
    }
}

kernel void BFS_2(global char *frontier, global char *next, global char *visited, global char *over, int count)
{
    int tid = get_global_id(0);
    if (tid < count && next[tid]) {
        frontier[tid] = 1;
        visited[tid] = 1;
        *over = 1;
        next[tid] = 0;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
