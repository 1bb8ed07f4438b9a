/*
 * What would mend a finding is shown as clang's fix-it hint, on a note: -fixit applies a warning's hints only.
 *
 * RUN: %cl -S -o /dev/null -fplugin-arg-gpuperf-device=a100 %s 2>&1 | FileCheck %s
 * CHECK: warning: 32-way bank conflict
 * CHECK: fix-it.cl:[[@LINE+7]]:17: note: this change keeps the results; what it gains: gpuperf predict --fix-it
 * CHECK-NEXT: local float tile[32][32];
 * CHECK-NEXT: ^
 * CHECK-NEXT: + 1
 */
kernel void turn(global const float *in, global float *out, int n)
{
    local float tile[32][32];
    int x = get_local_id(0), y = get_local_id(1);
    for (int j = 0; j < 32; j += 8)
        tile[y + j][x] = in[(get_group_id(1) * 32 + y + j) * n + get_group_id(0) * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 32; j += 8)
        out[(get_group_id(0) * 32 + y + j) * n + get_group_id(1) * 32 + x] = tile[x][y + j];
}
