// Resident warps forced: whole groups, one at least, no more than the device holds.
// RUN: %gpuperf predict --device a100 --resident 1,2,4..64*2 --local 64 --format csv %s >%t.csv
// RUN: %python -c "import csv,sys; r=list(csv.DictReader(open(sys.argv[1]))); print([(x['resident'],x['resident_warps']) for x in r]); t=[float(x['time_ns']) for x in r]; print('falls', t == sorted(t, reverse=True), t[1]/t[-1] > 2)" %t.csv | FileCheck %s
// CHECK: [('1', '2'), ('2', '2'), ('4', '4'), ('8', '8'), ('16', '16'), ('32', '32'), ('64', '64')]
// CHECK: falls True True
// RUN: %gpuperf predict --device gtx280 --model trace --resident 2,8 --local 64 --json %s | %python -c "import json,sys; a,b=json.load(sys.stdin); print(a['model'], a['cycles'] > 1.5*b['cycles'], a['resident_warps'], b['resident_warps'])" | FileCheck %s --check-prefix=TRACE
// TRACE: trace True 2.0 8.0
// RUN: %gpuperf predict --device a100 --resident 8 --local 64 %s | FileCheck %s --check-prefix=ONE
// ONE: launch     global 1048576, at most 8 warps resident
// ONE: low occupancy: 8 of 64 warps resident, limited by what was asked for
// RUN: not %gpuperf predict --device pocl-cpu --resident 8 %s 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: gpuperf: how many warps are resident is a question about GPUs; pocl-cpu is a CPU
// RUN: not %gpuperf predict --resident 0 %s 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: gpuperf: --resident takes numbers of warps per SM from 1 to 1024, not '0'
__kernel void twice(__global float *y, __global const float *x)
{
    int i = get_global_id(0);
    y[i] = 2 * x[i];
}
