/*
 * The table: best first, ties marked, what the time goes into.
 *
 * RUN: %gpuperf predict --device a100 --local 32x8,64x4,32x32,32 %s | FileCheck %s
 * CHECK:      transpose on a100 (NVIDIA A100 {{.*}}, 1410 MHz)
 * CHECK-NEXT:   launch     global 1024x1024, width=1024, height=1024; all of it assumed
 * CHECK-NEXT:   time       {{[0-9.]+}} us with local 32x8, {{[0-9.]+}} to {{[0-9]+}}
 * CHECK-NEXT:   confidence {{[0-9]+}}%{{.*}}; known 100%
 * CHECK:        registers  {{[0-9]+}} ({{ptxas|estimate}}); local memory 0 B; no spills
 * CHECK:        local          cycles       time  range        occupancy  limiter
 * CHECK-NEXT:   {{[0-9]+x[0-9]+ .*  best$}}
 * CHECK:        Bottlenecks with local
 * CHECK:          predict_text.cl:[[@LINE+8]]:{{[0-9]+}}: uncoalesced global
 *
 * RUN: %gpuperf predict --device a100 --clock 705 --local 32x8 %s | FileCheck %s --check-prefix=CLOCK
 * CLOCK: (NVIDIA A100 {{.*}}, 705 MHz)
 */
__kernel void transpose(__global const float *in, __global float *out, int width, int height)
{
    int column = get_global_id(0), row = get_global_id(1);
    if (column < width && row < height) out[column * height + row] = in[row * width + column];
}

/*
 * A kernel that may be written for one size.
 *
 * RUN: %gpuperf predict --device a100 --kernel tiled --local 16x16,32x8 %s | FileCheck %s --check-prefix=TILED
 * TILED: note       it uses the group id of dimension 0: results may differ between local sizes
 */
__kernel void tiled(__global const float *in, __global float *out, int width)
{
    int column = get_group_id(0) * 32 + get_local_id(0), row = get_global_id(1);
    out[row * width + column] = 2 * in[row * width + column];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
