// Lines that read one table, or meet in the banks of one array, are one warning: one change mends all.
// RUN: %cl -c -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=warning:
constant float table[256] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

// CHECK: one-array.cl:[[@LINE+4]]:{{[0-9]+}}: warning: uncoalesced constant load: {{.*}} (and lines [[@LINE+5]], [[@LINE+6]]); {{.*}}[gpuperf-uncoalesced]
kernel void look_up(global const uchar4 *in, global float4 *out)
{
    uchar4 v = in[get_global_id(0)];
    float r = table[v.x];
    float g = table[v.y];
    float b = table[v.z];
    out[get_global_id(0)] = (float4)(r, g, b, v.w);
}

// CHECK: one-array.cl:{{[0-9]+}}:{{[0-9]+}}: warning: 32-way bank conflict in local-memory {{.*}} (and line {{[0-9]+}}); {{.*}}[gpuperf-bank-conflict]
kernel __attribute__((reqd_work_group_size(32, 8, 1))) void columns(global float *out, int n)
{
    local float tile[64 * 32];
    int x = get_local_id(0), y = get_local_id(1);
    float s = 0;
    for (int k = 0; k < n; k++) {
        tile[x * 32 + y] += k;
        barrier(CLK_LOCAL_MEM_FENCE);
        s += tile[x * 64 + ((y + k) & 31)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s;
}

// What data indexes no unrolling makes known.
// CHECK: warning: 'bins' is indexed by a value unknown at compile time, so it lives in memory
// CHECK: note: its indices follow from data: make it smaller, with a narrower type or several elements packed into a word
kernel void histogram(global const uchar *in, global int *out)
{
    int i = get_global_id(0), bins[64];
    for (int k = 0; k < 64; k++)
        bins[k] = 0;
    for (int k = 0; k < 1000; k++)
        bins[in[k * 1048576 + i] & 63]++;
    int most = 0;
    for (int k = 0; k < 64; k++)
        most = max(most, bins[k]);
    out[i] = most;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
