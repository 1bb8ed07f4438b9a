// Where loaded data decides when a loop ends, the remark says how the number of iterations would follow from it: end less start.
// RUN: %cl -w -Rpass-analysis=gpuperf-loops -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -w -target nvptx64-nvidia-cuda -nogpulib -Rpass-analysis=gpuperf-loops -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=UNROLLED

#define KEEP _Pragma("unroll 1")
#define ID get_global_id(0)

// A row of a sparse matrix; its end read again in each iteration, since the store may change it.
// CHECK-DAG: :[[#@LINE+2]]:{{.*}}: 16 iterations (set with 'trip'), divided by the unroll factor, in place of (row[...] - row[...]); an exit depends
kernel void sparse_row(global const int *row, global const float *value, global float *y)
{ float s = 0; KEEP for (int j = row[ID]; j < row[ID + 1]; j++) s += value[j]; y[ID] = s; }
// CHECK-DAG: :[[#@LINE+2]]:{{.*}} in place of (row[...] - row[...]);
kernel void stored(global const int *row, global const float *value, global float *y)
{ KEEP for (int j = row[ID]; j < row[ID + 1]; j++) y[ID] += value[j]; }
// First and number: what is added on one side and is the other goes.
// CHECK-DAG: :[[#@LINE+2]]:{{.*}} in place of list[...];
kernel void first_and_count(global const int *list, global const float *value, global float *y)
{ KEEP for (int j = list[2 * ID]; j < list[2 * ID] + list[2 * ID + 1]; j++) y[ID] += value[j]; }
// CHECK-DAG: :[[#@LINE+2]]:{{.*}} in place of count[...];
kernel void down(global const int *count, global float *y)
{ float s = 0; KEEP for (int j = count[ID]; j > 0; j--) s += y[j] * s; y[ID] = s; }
// CHECK-DAG: :[[#@LINE+2]]:{{.*}} in place of (count[...] + 1);
kernel void down_to_zero(global const int *count, global float *y)
{ float s = 0; KEEP for (int j = count[ID]; j >= 0; j--) s += y[j] * s; y[ID] = s; }
// CHECK-DAG: :[[#@LINE+2]]:{{.*}} in place of count[...] / 3;
kernel void inclusive(global const int *count, global float *y)
{ KEEP for (int j = 1; j <= count[ID]; j += 3) y[j] *= 2; }
// CHECK-DAG: :[[#@LINE+2]]:{{.*}} in place of (count[...] - global_id(0)) / global_size(0);
kernel void grid_stride(global const int *count, global float *y)
{ KEEP for (int j = ID; j < count[0]; j += get_global_size(0)) y[j] *= 2; }
// Main loop and what is left over begin where the source's does.
// UNROLLED: :[[#@LINE+2]]:{{.*}} in place of (row[...] - row[...]) / 2;
kernel void unrolled(global const int *row, global const int *column, global const float *value, global const float *x, global float *y)
{ int i = ID; float s = 0; for (int j = row[i]; j < row[i + 1]; j++) s += value[j] * x[column[j]]; y[i] = s; }
// No counter, or one whose end each iteration finds anew: nothing is claimed.
// CHECK-DAG: :[[#@LINE+2]]:{{.*}}: 16 iterations (set with 'trip'), divided by the unroll factor; an exit depends
kernel void linked(global const int *next, global const float *value, global float *y)
{ float s = 0; KEEP for (int j = ID; j >= 0; j = next[j]) s += value[j]; y[ID] = s; }
// CHECK-DAG: :[[#@LINE+2]]:{{.*}}: 16 iterations (set with 'trip'), divided by the unroll factor; an exit depends
kernel void fixed_point(global const int *a, global float *y)
{ int j = 0; KEEP while (j < a[j]) j++; y[ID] = j; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
