/*
 * The plugin and predict tell the same causes of one launch with the same gains: code for no device is reckoned with as the device's own compiler
 * makes it. Rows that work-items walk, known and loaded ones, with lines that one change repairs; products; a division by what doubles; and a copy,
 * of which nothing is told but that it is at its roof.
 *
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=a100 '-fplugin-arg-gpuperf-assume=*:global=65536:local=256:n=1024:part=1024:x=16777216' -fplugin-arg-gpuperf-assume=product:global=1024x1024:local=16x16 -fplugin-arg-gpuperf-assume=near_product:global=1024x1024:local=16x16 -fplugin-arg-gpuperf-assume=unsigned_product:global=1024x1024:local=16x16 -fplugin-arg-gpuperf-assume=rows_product:global=1024x1024:local=16x16 -fplugin-arg-gpuperf-assume=copy:global=16777216 %s > %t.plugin 2>&1
 * RUN: %gpuperf predict --device a100 --global 65536 --local 256 --arg n=1024 --arg part=1024 --arg x=16777216 --kernel softmax --kernel stored_softmax --kernel norm --kernel sums --kernel sparse --kernel lengths --kernel tree --kernel signed_tree --kernel halves %s > %t.rows
 * RUN: %gpuperf predict --device a100 --global 1024x1024 --local 16x16 --arg n=1024 --kernel product --kernel near_product --kernel unsigned_product --kernel rows_product %s > %t.products
 * RUN: %gpuperf predict --device a100 --global 16777216 --local 256 --kernel copy %s > %t.copy
 * RUN: awk -v within=0.15 -f %S/../tools/Inputs/gains.awk %t.plugin %t.rows %t.products %t.copy | count 0
 * With a smaller L1, too, which loses a row's line before the next turn, but not before the last of those that wait together.
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=rtx3080 '-fplugin-arg-gpuperf-assume=*:global=65536:local=256:n=1024:part=1024:x=1048576' %s > %t.small 2>&1
 * RUN: %gpuperf predict --device rtx3080 --global 65536 --local 256 --arg n=1024 --arg x=1048576 --kernel softmax --kernel stored_softmax --kernel norm --kernel sums --kernel sparse --kernel lengths %s > %t.small_rows
 * RUN: sed -n '/kernel softmax on/,/kernel tree on/p' %t.small > %t.small_plugin; awk -v within=0.15 -f %S/../tools/Inputs/gains.awk %t.small_plugin %t.small_rows | count 0
 * Issue slots and integers beside loads: unrolled turns are counted once, and addresses made once where they may.
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=h100 '-fplugin-arg-gpuperf-assume=*:global=1024x1024:local=16x16:n=1024:x=1024:part=1024' %s > %t.products_plugin 2>&1
 * RUN: %gpuperf predict --device h100 --global 1024x1024 --local 16x16 --arg n=1024 --kernel product --kernel near_product --kernel unsigned_product --kernel rows_product %s > %t.products_predict
 * RUN: sed -n '/kernel product on/,/kernel copy on/p' %t.products_plugin > %t.only_products; awk -v within=0.15 -f %S/../tools/Inputs/gains.awk %t.only_products %t.products_predict | count 0
 * A few groups, whose lines L1 keeps from turn to turn: all turns under way together wait for the one that comes to a line.
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=a100 '-fplugin-arg-gpuperf-assume=*:global=8192:local=256:n=1024:part=1024:x=1048576' %s > %t.few 2>&1
 * RUN: %gpuperf predict --device a100 --global 8192 --local 256 --arg n=1024 --kernel softmax --kernel sums %s > %t.few_rows
 * RUN: sed -n '/kernel softmax on/,/kernel stored_softmax on/p; /kernel sums on/,/kernel sparse on/p' %t.few > %t.few_plugin; awk -v within=0.15 -f %S/../tools/Inputs/gains.awk %t.few_plugin %t.few_rows | count 0
 * At the same place, in however many copies the device's compiler unrolls each of them.
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -w -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=gtx1080 '-fplugin-arg-gpuperf-assume=softmax:global=1048576:local=256:n=1024' %s > %t.many 2>&1
 * RUN: %gpuperf predict --device gtx1080 --global 1048576 --local 256 --arg n=1024 --kernel softmax %s > %t.many_rows
 * RUN: sed -n '/kernel softmax on/,/kernel stored_softmax on/p' %t.many > %t.many_plugin; awk -v within=0.15 -f %S/../tools/Inputs/gains.awk %t.many_plugin %t.many_rows | count 0
 * RUN: FileCheck %s --input-file=%t.plugin; cat %t.rows %t.products %t.copy | FileCheck %s --check-prefix=PREDICT
 * RUN: %gpuperf check --device a100 %s | FileCheck %s --check-prefix=TOLD
 * REQUIRES: gpuperf
 */
#define ROWS for (int i = 0; i < n; i++)
#define HERE row * n + i

// CHECK-DAG: [[#@LINE+12]]:{{[0-9]+}}: remark: uncoalesced global store: {{.*}} (and lines [[#@LINE+8]], [[#@LINE+10]]); {{.*}}x faster
// PREDICT-DAG: x  {{.*}}:[[#@LINE+11]]:{{[0-9]+}}: uncoalesced global store: {{.*}} (and lines [[#@LINE+7]], [[#@LINE+9]])
// TOLD: [[#@LINE+10]]:{{[0-9]+}}: warning: uncoalesced global store: {{.*}} (and lines [[#@LINE+6]], [[#@LINE+8]]); {{[0-9]+}}% of softmax on a100 ({{.*}}x without it)
kernel void softmax(global const float *in, global float *out, int n)
{
    int row = get_global_id(0);
    float most = -INFINITY, sum = 0;
    ROWS
        most = fmax(most, in[HERE]);
    ROWS
        sum += exp(in[HERE] - most);
    ROWS
        out[HERE] = exp(in[HERE] - most) / sum;
}

kernel void stored_softmax(global const float *in, global float *out, int n)
{
    int row = get_global_id(0);
    float most = in[row * n], sum = 0;
    ROWS
        most = max(most, in[HERE]);
    ROWS
        sum += out[HERE] = exp(in[HERE] - most);
    ROWS
        out[HERE] /= sum;
}

kernel void norm(global const float *in, global float *out, int n)
{
    int row = get_global_id(0);
    float sum = 0, squares = 0;
    ROWS {
        float v = in[HERE];
        sum += v;
        squares += v * v;
    }
    float mean = sum / n, scale = rsqrt(squares / n - mean * mean);
    ROWS
        out[HERE] = (in[HERE] - mean) * scale;
}

kernel void sums(global const float *in, global float *out, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    ROWS
        sum += in[HERE];
    out[row] = sum;
}

kernel void sparse(global const int *starts, global const int *columns, global const float *values,
                   global const float *x, global float *y)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: uncoalesced global load: 32 transactions per warp where 4 would do; {{.*}}x faster
        // PREDICT-DAG: x  {{.*}}:[[#@LINE+1]]:{{[0-9]+}}: uncoalesced global load: 32 transactions per warp where 4 would do
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

kernel void lengths(global const int *starts, global const float *values, global float *y)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        sum += values[i] * values[i];
    y[row] = sqrt(sum);
}

kernel void tree(global const float *in, global float *out, local float *part)
{
    uint lane = get_local_id(0);
    part[lane] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < get_local_size(0); s *= 2) {
        // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: integer divisions and remainders: {{.*}}x faster
        // PREDICT-DAG: x  {{.*}}:[[#@LINE+1]]:{{[0-9]+}}: throughput: integer divisions and remainders
        if (lane % (2 * s) == 0)
            part[lane] += part[lane + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        out[get_group_id(0)] = part[0];
}

kernel void signed_tree(global const float *in, global float *out, local float *part)
{
    int lane = get_local_id(0);
    part[lane] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < get_local_size(0); s *= 2) {
        if (lane % (2 * s) == 0)
            part[lane] += part[lane + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        out[get_group_id(0)] = part[0];
}

kernel void halves(global const float *in, global float *out, local float *part)
{
    int lane = get_local_id(0);
    part[lane] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lane < s)
            part[lane] += part[lane + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        out[get_group_id(0)] = part[0];
}

kernel void product(global const float *a, global const float *b, global float *c, int n)
{
    int row = get_global_id(0), column = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        // CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: uncoalesced global load: 16 transactions per warp, {{.*}}x faster
        // PREDICT-DAG: x  {{.*}}:[[#@LINE+1]]:{{[0-9]+}}: uncoalesced global load: 16 transactions per warp
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

kernel void near_product(global const float *a, global const float *b, global float *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

kernel void unsigned_product(global const float *a, global const float *b, global float *c, uint n)
{
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

kernel void rows_product(global const float *a, global const float *b, global float *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[column * n + k];
    c[row * n + column] = sum;
}

// CHECK-DAG: remark: kernel copy on a100, {{.*}}, at its roof
// PREDICT-LABEL: copy on a100
// PREDICT: headroom {{.*}}, at its roof
// PREDICT-NOT: Bottlenecks
kernel void copy(global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = in[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
