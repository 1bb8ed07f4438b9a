/*
 * Rows that work-items walk, each its own: told with what walking them side by side gains, also where data says where they begin; too few of them
 * with what a work-group for each row gains. A naive product is told to be tiled. The plugin says the same of the same launch, and a sum of a row by
 * a whole work-group is told none of it.
 *
 * RUN: %gpuperf predict --device a100 --kernel softmax_rows --global 4096 --local 256 %s | FileCheck %s --check-prefix=SOFTMAX
 * SOFTMAX: tail: 16 work-groups on 108 SMs: 92 idle; {{[12][0-9]\.[0-9]+}}x with a work-group for each row
 * SOFTMAX: too few work-items, each of which walks a row: let a work-group walk each row
 * SOFTMAX: uncoalesced global store: 32 transactions per warp, stride 4096 bytes along dimension 0 (and lines {{[0-9]+}}, {{[0-9]+}})
 * SOFTMAX: each work-item walks a row of its own of 'out'
 *
 * RUN: %gpuperf predict --device a100 --kernel spmv --local 256 %s | FileCheck %s --check-prefix=SPMV
 * SPMV: {{[12]\.[0-9]+}}x {{.*}}: uncoalesced global load: 32 transactions per warp where 4 would do
 * SPMV: each work-item walks a row of its own of 'value'; let the work-items of a work-group walk it together, a work-group for each row, or store it transposed; fix 'column' there, too
 *
 * RUN: %gpuperf predict --device a100,rtx3080,mi250x,w6600 --kernel product --local 32x8 %s | FileCheck %s --check-prefix=PRODUCT
 * Vector instructions as AMD's have for addresses are as many fewer as loads are.
 * PRODUCT-COUNT-4: {{1\.[5-9]|2\.0}}{{[0-9]}}x {{.*}}: throughput: loads: each element of '{{[ab]}}' is loaded by 1024 work-items
 *
 * RUN: %gpuperf predict --device a100 --kernel row_per_group --local 256 %s | FileCheck %s --check-prefix=NONE
 * NONE-NOT: {{walks|is loaded by}}
 *
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-threshold=5 -fplugin-arg-gpuperf-assume=softmax_rows:global=4096 %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
 * PLUGIN-DAG: warning: {{.*}}16 work-groups on 108 SMs: 92 idle{{.*}}x with a work-group for each row{{.*}} [gpuperf-tail]
 * PLUGIN-DAG: note: each work-item walks a row of its own of 'out'
 * PLUGIN-DAG: note: each work-item walks a row of its own of 'value'
 * PLUGIN-DAG: warning: loads: each element of '{{[ab]}}' is loaded by 1024 work-items; {{.*}} faster with a tile of 2x2 results in registers) [gpuperf-throughput]
 */
kernel void softmax_rows(global const float *in, global float *out, int rows, int columns)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < columns; i++)
        most = fmax(most, in[row * columns + i]);
    for (int i = 0; i < columns; i++)
        sum += exp(in[row * columns + i] - most);
    for (int i = 0; i < columns; i++)
        out[row * columns + i] = exp(in[row * columns + i] - most) / sum;
}

kernel void spmv(global const int *start, global const int *column, global const float *value, global const float *x, global float *y, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = start[row]; i < start[row + 1]; i++)
        sum += value[i] * x[column[i]];
    y[row] = sum;
}

kernel void product(global const float *a, global const float *b, global float *c, int n)
{
    int row = get_global_id(1), col = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

kernel void row_per_group(global const float *in, global float *out, local float *part, int columns)
{
    int l = get_local_id(0), row = get_group_id(0);
    float sum = 0;
    for (int i = l; i < columns; i += get_local_size(0))
        sum += in[row * columns + i];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[row] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
