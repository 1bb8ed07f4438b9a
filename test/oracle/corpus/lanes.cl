/* Exchange between the lanes of a warp as each target has it, warps that are not full, groups that are cut off at the range's end. */
#ifdef __SPIR__
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
float __attribute__((overloadable)) sub_group_broadcast(float value, uint lane);
int __attribute__((overloadable)) sub_group_reduce_add(int value);
int __attribute__((overloadable)) intel_sub_group_shuffle(int value, uint lane);
int __attribute__((overloadable)) intel_sub_group_shuffle_xor(int value, uint lanes);

// run broadcasts: global=192 local=48 targets=spir
kernel void broadcasts(global float *a, global const float *b)
{
    int i = get_global_id(0);
    float first = sub_group_broadcast(b[i * 2], 0);
    if (get_local_id(0) < 20)
        a[i] = first;
    a[i + 1000] = b[i] + first;
}

// run sums: global=160 local=80 targets=spir
kernel void sums(global int *a, global const int *b, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < 5; k++)
        s += sub_group_reduce_add(b[i + k * 40]);
    a[i] = s;
    a[(s & 63) + 500] = 1; // expect: address
}

// run shuffled: global=192 local=96 targets=spir
kernel void shuffled(global int *a, global const int *b)
{
    int i = get_global_id(0), other = intel_sub_group_shuffle_xor(i, 5), v = b[i];
    v += intel_sub_group_shuffle(v, 3);
    a[i] = v;
    a[other] = v; // expect: address
    if (sub_group_any(v > 500))
        a[i + 1000] = b[i + 64]; // expect: count
}
#endif

#ifdef __NVPTX__
// run reduction: global=192 local=96 targets=nvptx
kernel void reduction(global float *a, global const float *b)
{
    int i = get_global_id(0);
    float s = b[i];
    for (int d = 16; d > 0; d >>= 1)
        s += __nvvm_shfl_sync_bfly_f32(~0u, s, d, 31);
    if ((get_local_id(0) & 31) == 0)
        a[i / 32] = s;
    int from = __nvvm_shfl_sync_idx_i32(~0u, i, 7, 31);
    a[from + 300] = s; // expect: address
}

// run scan: global=128 local=64 targets=nvptx
kernel void scan(global int *a, global const int *b)
{
    int i = get_global_id(0), l = get_local_id(0) & 31, s = b[i * 3];
    for (int d = 1; d < 32; d *= 2) {
        int before = __nvvm_shfl_sync_up_i32(~0u, s, d, 0);
        if (l >= d)
            s += before;
    }
    a[i] = s;
    uint voters = __nvvm_vote_ballot_sync(~0u, s & 1);
    if (voters >> l & 1)
        a[i + 500] = b[i]; // expect: count
}
#endif

#ifdef __AMDGCN__
// run permuted: global=256 local=128 targets=amdgcn
kernel void permuted(global int *a, global const int *b)
{
    int i = get_global_id(0), l = get_local_id(0) & 63;
    int v = __builtin_amdgcn_ds_bpermute((l ^ 9) * 4, b[i]);
    int first = __builtin_amdgcn_readfirstlane(v);
    a[i] = v + __builtin_amdgcn_readlane(first + v, 5);
    a[__builtin_amdgcn_ds_bpermute((63 - l) * 4, i) + 300] = v; // expect: address
    a[(first & 7) * 64 + l + 1000] = 3; // expect: address
}

// run moved: global=256 local=128 targets=amdgcn
kernel void moved(global int *a, global const int *b)
{
    int i = get_global_id(0), l = get_local_id(0) & 63, v = b[i];
    v += __builtin_amdgcn_update_dpp(0, v, 0x111, 15, 15, true);   /* row_shr:1 */
    v += __builtin_amdgcn_update_dpp(0, v, 0x142, 10, 15, false);  /* row_bcast:15, rows 1 and 3 */
    v += __builtin_amdgcn_update_dpp(v, v, 0x143, 12, 15, false);  /* row_bcast:31 */
    v += __builtin_amdgcn_mov_dpp(v, 0x1b, 15, 15, true);          /* quad_perm:[3,2,1,0] */
    v += __builtin_amdgcn_ds_swizzle(v, 0x041f);                   /* lane xor 1 */
    a[i] = v;
    if (l > 20 && l < 45) {
        a[i + 256] = __builtin_amdgcn_update_dpp(7, v, 0x101, 15, 5, false);
        a[__builtin_amdgcn_mov_dpp(i, 0x140, 15, 15, true) + 600] = v; // expect: address
        a[(__builtin_amdgcn_ds_swizzle(i, 0x8000 | 0x4e) & 255) + 900] = v; // expect: address
    }
    a[(__builtin_amdgcn_ds_permute((63 - l) * 4, i) & 255) + 1200] = v; // expect: address
}

// run balloted: global=192 local=64 targets=amdgcn n=50
kernel void balloted(global int *a, global const int *b, int n)
{
    int i = get_global_id(0), l = get_local_id(0);
    if (l < n) {
        ulong lanes = __builtin_amdgcn_ballot_w64(b[i] > 300);
        if (lanes >> l & 1)
            a[i] = b[i + 64]; // expect: count
        a[i + 400] = popcount(lanes);
    }
}
#endif

// run cut_off: global=70x5x3 local=16x4x2 n=9
kernel void cut_off(global float *a, global const float *b, int n)
{
    local float t[4][20];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    int i = (get_global_id(2) * 5 + get_global_id(1)) * 70 + get_global_id(0);
    float s = 0;
    for (int k = x; k < n; k += get_local_size(0))
        s += b[i + k];
    if (z == 0)
        t[y][x] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[get_local_size(1) - 1 - y][get_local_size(0) - 1 - x];
}

// run cut_off_rows: global=33x7 local=32x4
kernel void cut_off_rows(global float *a, global const float *b)
{
    local float t[256];
    size_t l = get_local_id(1) * get_local_size(0) + get_local_id(0), all = get_local_size(0) * get_local_size(1);
    for (size_t k = l; k < 256; k += all)
        t[k] = b[k * 2 + get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(1) * 33 + get_global_id(0)] = t[(l * 3) & 255];
}

// run warps_not_full: global=150 local=50
kernel void warps_not_full(global float *a, global const float *b)
{
    local float t[50];
    int i = get_global_id(0), l = get_local_id(0);
    t[l] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 32)
        a[i] = t[81 - l];
    else
        a[i] = t[(l * 2) % 50];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
