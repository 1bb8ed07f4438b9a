/*
 * Intel's compiler makes sub-groups narrower where the registers of a hardware thread are too few for their work-items.
 *
 * RUN: %gpuperf predict --device "arc a770" --kernel many --arg n=64 --global 65536 --local 128 %s -- -DMANY | FileCheck %s --check-prefix=MANY
 * MANY: occupancy {{ *}}8 groups, 128 of 128 warps
 * MANY: registers {{ *}}{{8[0-9]|9[0-9]}} (estimate); local memory 0 B; no spills
 * MANY: note {{ *}}sub-groups of 8: those of 16 have 64 registers per work-item
 *
 * RUN: %gpuperf predict --device "arc a770" --kernel apart --arg s=1 --global 65536 --local 128 %s | FileCheck %s --check-prefix=FEW
 * FEW-NOT: sub-groups of 8
 *
 * Lines that are written in part are read before: of each array of 64 MiB, that is read, written to, and written.
 * RUN: %gpuperf predict --device "max 1100" --kernel apart --arg s=1:2 --global 4194304 --local 256 --format csv %s | %python -c "import csv,sys; t=[float(r['time_ns']) for r in csv.DictReader(sys.stdin)]; print('%%.1f' %% (t[1]/t[0]))" | FileCheck %s --check-prefix=PARTS
 * PARTS: {{2.[6-9]|3.[0-1]}}
 * Other devices do not.
 * RUN: %gpuperf predict --device "rx 6800" --kernel apart --arg s=1:2 --global 4194304 --local 256 --format csv %s | %python -c "import csv,sys; t=[float(r['time_ns']) for r in csv.DictReader(sys.stdin)]; print('%%.1f' %% (t[1]/t[0]))" | FileCheck %s --check-prefix=WHOLE
 * WHOLE: {{1.[0-9]|2.[0-2]}}
 */
#ifdef MANY
#define N 80
__kernel void many(__global float *out, __global const float *in, int n)
{
    float r[N], sum = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        r[k] = in[get_global_id(0) + k * n];
    for (int t = 0; t < n; t++) {
#pragma unroll
        for (int k = 0; k < N; k++)
            r[k] = r[k] * r[(k + 1) % N] + sum;
        sum += r[0];
    }
#pragma unroll
    for (int k = 0; k < N; k++)
        sum += r[k];
    out[get_global_id(0)] = sum;
}
#else
__kernel void apart(__global const float4 *in, __global float4 *out, int s)
{
    out[get_global_id(0) * s] = in[get_global_id(0) * s];
}
#endif
