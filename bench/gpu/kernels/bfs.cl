/*
 * A step of a breadth-first search on SIZE nodes of an undirected graph (CSR); a node is unseen (0), seen (1), or in the frontier (2). Marks the
 * unseen ones beside the frontier. VARIANT 0: each node of the frontier looks at its neighbours; 1: each unseen node looks for one in the frontier.
 */
__kernel void bfs(__global int *restrict reached, __global const int *restrict starts, __global const int *restrict targets,
                  __global const uchar *restrict states)
{
    const int node = get_group_id(0) * BLOCK_X + get_local_id(0);
    if (node >= SIZE)
        return;
#if VARIANT == 0
    if (states[node] == 2)
        for (int i = starts[node]; i < starts[node + 1]; i++)
            if (states[targets[i]] == 0)
                reached[targets[i]] = 1;
#else
    if (states[node] == 0)
        for (int i = starts[node]; i < starts[node + 1]; i++)
            if (states[targets[i]] == 2) {
                reached[node] = 1;
                break;
            }
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
