/*
 * --terms: what the best size's time is made of, by the equation's symbols, with units; the same in JSON for each size.
 *
 * RUN: %gpuperf predict --device a100 --terms --local 32x8 %s | FileCheck %s
 * CHECK: Terms of the time with local 32x8 (throughput; docs/models.md):
 * CHECK-NEXT: S_issue {{[0-9.]+}} cycles schedulers, for one group
 * CHECK: dram_bytes_per_clk {{[0-9.]+}} bytes/clk that DRAM moves of such traffic
 * CHECK: b {{[0-9]+}} groups that an SM runs at a time
 * CHECK: L {{[0-9.]+}} cycles
 * CHECK: T(b) {{[0-9.]+}} cycles
 * CHECK-NOT: MWP
 * CHECK: launch_cycles 3666 cycles
 *
 * RUN: %gpuperf predict --device a100 --terms --model mwp-cwp --local 32x8 %s | FileCheck %s --check-prefix=MWP
 * MWP: #Issue_cycles {{[0-9.]+}} cycles
 * MWP: MWP_peak_BW {{[0-9.]+}} warps
 * MWP: Exec_cycles_app {{[0-9.]+}} cycles (22) to (24), times #Rep
 *
 * RUN: %gpuperf predict --device gtx280,pocl-cpu --terms --local 32x8 %s | FileCheck %s --check-prefix=OTHERS
 * OTHERS: 32x8 (trace;
 * OTHERS: idle_for_memory {{[0-9.]+}} share
 * OTHERS: 32x8 (cpu;
 * OTHERS: group_items 256 items
 *
 * RUN: %gpuperf predict --device a100 --terms --json --local 32x8,64 %s | FileCheck %s --check-prefix=JSON
 * JSON-COUNT-2: "terms": {
 * RUN: %gpuperf predict --device a100 --json --local 32x8 %s | FileCheck %s --check-prefix=NONE
 * NONE-NOT: "terms"
 */
kernel void copy(global float *out, global const float *in, int width)
{
    out[get_global_id(1) * width + get_global_id(0)] = in[get_global_id(1) * width + get_global_id(0)];
}
