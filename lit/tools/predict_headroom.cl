/*
 * How far each launch is from what the device could do, each unit's share of its peak, and the next step of occupancy; bottlenecks of the launch's
 * own size as well as of the best. A copy is at its roof, and told nothing else.
 *
 * RUN: %gpuperf predict --device a100 --kernel copy --global 16777216 --local 256 %s | FileCheck %s --check-prefix=COPY --implicit-check-not=Bottlenecks --implicit-check-not=bandwidth:
 * COPY: headroom 1.0{{[0-9]}}x with local 256, at its roof
 * COPY: ideal {{[0-9.]+}} us: each byte moved once at 1382 GB/s
 * COPY: units DRAM 9{{[0-9]}}% {{.*}} (of peak)
 * COPY: occupancy 8 groups, 64 of 64 warps; next step: none
 *
 * Of lines that it uses a part of, that part, on CPUs, too: what coalescing gains is within the headroom.
 * RUN: %gpuperf predict --device pocl-cpu --kernel corners --kernel corner --global 4194304 --local 256 %s | FileCheck %s --check-prefix=PART --implicit-check-not="at its roof"
 * PART: headroom [[GAIN:[12]\.[0-9]+]]x with local 256
 * PART: [[GAIN]]x {{.*}}: uncoalesced global load
 * PART: headroom
 * PART: x {{.*}}: uncoalesced global load
 *
 * A power is a product on CPUs, too, for floats, vectors, whole exponents and doubles.
 * RUN: %gpuperf predict --device pocl-cpu --kernel square --kernel cube --kernel whole --kernel wide --global 1048576 --local 256 %s | FileCheck %s --check-prefix=POWER
 * POWER-COUNT-4: throughput: pow() with a small whole number as exponent
 *
 * RUN: %gpuperf predict --device a100 --kernel turn %s | FileCheck %s --check-prefix=TURN
 * TURN: headroom {{[23]\.[0-9]}}x with local 32x8; 1.{{[0-9]+}}x with local [[BEST:[0-9]+x[0-9]+]], at its roof
 * TURN: units L2 {{[89][0-9]}}%
 * TURN: [[BEST]] {{.*}} best
 * TURN: 32x8 {{.*}} your launch
 * TURN-NOT: Bottlenecks with local [[BEST]]
 * TURN: Bottlenecks with local 32x8, your launch
 * TURN: 2.{{[0-9]+}}x {{.*}}: uncoalesced global store
 *
 * RUN: %gpuperf predict --device a100 --kernel turn --explain 64x4 %s | FileCheck %s --check-prefix=EXPLAIN
 * EXPLAIN: Bottlenecks with local 64x4
 * RUN: not %gpuperf predict --device a100 --kernel turn --explain 64y4 %s 2>&1 | FileCheck %s --check-prefix=WRONG
 * WRONG: gpuperf: --explain
 *
 * RUN: %gpuperf predict --device a100 --kernel turn --json --local 32x8,1x256 %s | FileCheck %s --check-prefix=JSON
 * JSON: "headroom": 1.
 * JSON: "ideal_ns": 8
 * JSON: "units": {
 * JSON: "l2": 0.
 * JSON: "occupancy_next": null
 * JSON: "headroom": 2.
 * JSON: "launched": true
 *
 * RUN: %gpuperf predict --device a100 --kernel held --local 128 %s | FileCheck %s --check-prefix=STEP
 * STEP: occupancy 3 groups, 12 of 64 warps; next step: {{[0-9]+}} bytes of local memory fewer: 4 groups
 *
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -fplugin-arg-gpuperf-device=a100 -Rpass-analysis=gpuperf %s 2>&1 | FileCheck %s --check-prefix=REMARK
 * REMARK: kernel copy on a100{{.*}}; headroom 1.0{{[0-9]*}}x, at its roof
 */
kernel void corners(global const float4 *p, global float *o)
{
    int i = get_global_id(0);
    o[i] = p[i * 2].x + p[i * 2 + 1].w;
}

kernel void corner(global const float *p, global float *o) { o[get_global_id(0)] = p[get_global_id(0) * 8]; }

kernel void square(global const float *a, global float *b) { b[get_global_id(0)] = pow(a[get_global_id(0)], 2.0f); }
kernel void cube(global const float4 *a, global float4 *b) { b[get_global_id(0)] = pow(a[get_global_id(0)], 3.0f); }
kernel void whole(global const float *a, global float *b) { b[get_global_id(0)] = pown(a[get_global_id(0)], 2) + 1; }
kernel void wide(global const double *a, global double *b) { b[get_global_id(0)] = pow(a[get_global_id(0)], 2.0); }

kernel void copy(global float *out, global const float *in)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}

kernel void turn(global const float *in, global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

kernel void held(global const float *in, global float *out)
{
    local float rows[96][128];
    int l = get_local_id(0), g = get_global_id(0);
    for (int i = 0; i < 96; i++)
        rows[i][l] = in[g + i * get_global_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 96; i++)
        sum += rows[i][127 - l];
    out[g] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
