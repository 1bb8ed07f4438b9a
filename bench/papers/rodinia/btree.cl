/* Rodinia's B+ tree: a group per query walks down the tree, a work-item per key of a node. */
#ifndef ORDER
#define ORDER 256
#endif

struct knode {
    int location, indices[ORDER + 1], keys[ORDER + 1];
    bool is_leaf;
    int num_keys;
};

kernel void findK(long height, global const struct knode *knodes, long knodes_elem, global const int *records, global long *current, global long *offset,
                  global const int *keys, global int *answers)
{
    int tid = get_local_id(0), query = get_group_id(0);
    for (int i = 0; i < height; i++) {
        if (knodes[current[query]].keys[tid] <= keys[query] && knodes[current[query]].keys[tid + 1] > keys[query])
            if (knodes[offset[query]].indices[tid] < knodes_elem)
                offset[query] = knodes[offset[query]].indices[tid];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid == 0)
            current[query] = offset[query];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (knodes[current[query]].keys[tid] == keys[query])
        answers[query] = records[knodes[current[query]].indices[tid]];
}

kernel void findRangeK(long height, global const struct knode *knodes, long knodes_elem, global long *current, global long *offset, global long *last, global long *last_offset,
                       global const int *start, global const int *end, global int *first_record, global int *length)
{
    int tid = get_local_id(0), query = get_group_id(0);
    for (int i = 0; i < height; i++) {
        if (knodes[current[query]].keys[tid] <= start[query] && knodes[current[query]].keys[tid + 1] > start[query])
            if (knodes[current[query]].indices[tid] < knodes_elem)
                offset[query] = knodes[current[query]].indices[tid];
        if (knodes[last[query]].keys[tid] <= end[query] && knodes[last[query]].keys[tid + 1] > end[query])
            if (knodes[last[query]].indices[tid] < knodes_elem)
                last_offset[query] = knodes[last[query]].indices[tid];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid == 0) {
            current[query] = offset[query];
            last[query] = last_offset[query];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (knodes[current[query]].keys[tid] == start[query])
        first_record[query] = knodes[current[query]].indices[tid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (knodes[last[query]].keys[tid] == end[query])
        length[query] = knodes[last[query]].indices[tid] - first_record[query] + 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
