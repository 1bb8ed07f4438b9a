// How the bound of a loop is found, for every form that loops come in, and that it is right: the trip count's expression for
// n = 100 and the executed iterations agree ("sampled" relies on the expression; where lanes or outer iterations differ, it is
// the executed number that tells).
// RUN: %plain_cl -cl-kernel-arg-info -S %s -o %t.ll
// RUN: %profile_ir -trips=n=100:global=256:local=256 %t.ll | FileCheck %s
// RUN: %profile_ir %t.ll | FileCheck %s --check-prefix=KINDS

#define KEEP _Pragma("unroll 1")
// CHECK: step_up loop 0 scalar-evolution: trips 34, executed 34,
kernel void step_up(global int *a, int n)
{ KEEP for (int i = 0; i < n; i += 3) a[i] = i; }
// CHECK: step_down loop 0 scalar-evolution: trips 100, executed 100,
kernel void step_down(global int *a, int n)
{ KEEP for (int i = n; i > 0; i--) a[i] = a[i-1]; }
// CHECK: down_unsigned loop 0 scalar-evolution: trips 100, executed 100,
kernel void down_unsigned(global int *a, uint n)
{ KEEP for (uint i = n; i-- > 0;) a[i] += i; }
// CHECK: wraps loop 0 scalar-evolution: trips 159, executed 159,
kernel void wraps(global int *a, uchar n)
{ KEEP for (uchar i = n; i != 3; i++) a[i] += i; }
// CHECK: wraps5 loop 0 scalar-evolution: trips 20, executed 20,
kernel void wraps5(global int *a, uint n)
{ KEEP for (uint i = 0; i != n; i += 5) a[i] += i; }
// The second of these loops starts where the first ends.
// CHECK: turns loop 0 scalar-evolution: trips 1, executed 1,
// CHECK: turns loop 1 induction: executed 50, sampled 50
kernel void turns(global int *a, int n)
{ _Pragma("unroll 4") for (int i = -n; i <= n; i++) a[i] += i; }
// CHECK: last_of_four loop 0 induction: trips 12, executed 12,
kernel void last_of_four(global int *a, uint n)
{ KEEP for (uint i = n >> 1; i + 2 != n; i += 4) a[i] = i; }
// CHECK: last_of_four_down loop 0 induction: trips 12, executed 12,
kernel void last_of_four_down(global int *a, uint n)
{ KEEP for (uint i = n; i - 2 != n >> 1; i -= 4) a[i] = i; }
// CHECK: halving loop 0 induction: trips 7, executed 7,
kernel void halving(global int *a, int n)
{ KEEP for (uint s = n; s > 0; s >>= 1) a[s] += 1; }
// CHECK: halving_int loop 0 induction: trips 6, executed 6,
kernel void halving_int(global int *a, int n)
{ KEEP for (int s = n / 2; s > 0; s /= 2) a[s] += 1; }
// CHECK: group_halving loop 0 induction: trips 8, executed 8,
kernel void group_halving(global int *a, local int *l, int n)
{ size_t t = get_local_id(0); KEEP for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) { if (t < s) l[t] += l[t + s]; barrier(CLK_LOCAL_MEM_FENCE); } a[get_group_id(0)] = l[0]; }
// CHECK: doubling loop 0 induction: trips 7, executed 7,
kernel void doubling(global int *a, int n)
{ KEEP for (int s = 1; s < n; s *= 2) a[s] += 1; }
// CHECK: doubling_u loop 0 induction: trips 7, executed 7,
kernel void doubling_u(global int *a, uint n)
{ KEEP for (uint s = 1; s < n; s <<= 1) a[s] += 1; }
// CHECK: doubling_from loop 0 induction: trips 3, executed 3,
kernel void doubling_from(global int *a, int n, int m)
{ KEEP for (int s = (m & 15) + 3; s <= n; s *= 4) a[s] += 1; }
// CHECK: tripling loop 0 executed: executed 5,
kernel void tripling(global int *a, int n)
{ KEEP for (int s = 1; s < n; s *= 3) a[s] += 1; }
// CHECK: thirds loop 0 executed: executed 5,
kernel void thirds(global int *a, int n)
{ KEEP for (int s = n; s > 0; s /= 3) a[s] += 1; }
// CHECK: pointers loop 0 scalar-evolution: trips 100, executed 100,
kernel void pointers(global float *a, int n)
{ global float *end = a + n; KEEP for (global float *p = a; p != end; p++) *p *= 2; }
// CHECK: pointers_less loop 0 scalar-evolution: executed 25,
kernel void pointers_less(global float *a, int n)
{ global float *end = a + n; KEEP for (global float *p = a + get_global_id(0); p < end; p += 4) *p *= 2; }
// CHECK: outer loop 0 scalar-evolution: trips 100, executed 100,
// CHECK: outer loop 1 scalar-evolution: executed 25.5, sampled 25.5
kernel void outer(global int *a, int n)
{ KEEP for (int i = 0; i < n; i++) KEEP for (int j = i; j < n; j += 2) a[i * n + j] = j; }
// CHECK: outer_down loop 0 scalar-evolution: trips 100, executed 100,
// CHECK: outer_down loop 1 scalar-evolution: executed 50,
kernel void outer_down(global int *a, int n)
{ KEEP for (int i = 0; i < n; i++) KEEP for (int j = n - 1; j > i; j--) a[i * n + j] = j; }
// CHECK: outer_geometric loop 0 induction: trips 6, executed 6,
// CHECK: outer_geometric loop 1 induction: executed 3.5, sampled 3.5
kernel void outer_geometric(global int *a, int n)
{ KEEP for (int i = 2; i <= n; i *= 2) KEEP for (int j = i / 2; j > 0; j /= 2) a[i * n + j] = j; }
// CHECK: outer_square loop 0 scalar-evolution: trips 100, executed 100,
// CHECK: outer_square loop 1 scalar-evolution: executed 3316.67,
kernel void outer_square(global int *a, int n)
{ KEEP for (int i = 0; i < n; i++) KEEP for (int j = 0; j < i * i; j++) a[i * n + j] = j; }
// CHECK: two_exits loop 0 scalar-evolution: trips 100, executed 100,
kernel void two_exits(global int *a, int n)
{ KEEP for (int i = 0; i < n; i++) { if (a[i] == 7) break; a[i] = 1; } }
// CHECK: two_bounds loop 0 executed: executed 100,
kernel void two_bounds(global int *a, int n, int m)
{ KEEP for (int i = 0; i < n; i++) { if (i * 2 > m) break; a[i] = 1; } }
// CHECK: exit_in_middle loop 0 scalar-evolution: trips 100, executed 100,
kernel void exit_in_middle(global int *a, int n)
{ int i = 0; KEEP for (;;) { a[i] = 1; if (a[i + 1] > 3) a[i] = 5; if (++i >= n) break; a[i]++; if (a[i + 2] == 9) break; } }
// CHECK: data_bound loop 0 assumed: executed 16,
// KINDS-LABEL: kernel "data_bound"
// KINDS: loop 0: {{.*}} bound assumed data
kernel void data_bound(global int *a, global const int *rows, int n)
{ KEEP for (int k = rows[0]; k < rows[1]; k++) a[k] = k; }
// What is loaded may end it earlier: the bound that is known stays.
// CHECK: data_escape loop 0 scalar-evolution: trips 1024, executed 1024,
// KINDS-LABEL: kernel "data_escape"
// KINDS: loop 0: {{.*}} bound scalar-evolution data trips
kernel void data_escape(global float *a, int limit, int n)
{ float x = a[0]; int c = 0; KEEP while (x < 4.0f && c < limit) { x = x * x + 1; c++; } a[1] = c; }
// CHECK: continue_and_break loop 0 scalar-evolution: trips 100, executed 100,
// KINDS-LABEL: kernel "continue_and_break"
// KINDS: loop 0: {{.*}} bound scalar-evolution data trips
kernel void continue_and_break(global int *a, global const int *b, int n)
{ int s = 0; KEEP for (int k = 0; k < n; k++) { int v = b[k]; if (v & 1) continue; if (v > 100) break; s += v; } a[0] = s; }
// CHECK: grid_stride loop 0 induction: executed 1,
kernel void grid_stride(global float *a, int n)
{ KEEP for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = i; }
// CHECK: local_stride loop 0 induction: executed 1,
kernel void local_stride(global float *a, int n)
{ KEEP for (int i = get_local_id(0); i < n; i += get_local_size(0)) a[i] = i; }
// CHECK: with_barrier loop 0 scalar-evolution: trips 100, executed 100,
kernel void with_barrier(global float *a, local float *l, int n)
{ KEEP for (int i = 0; i < n; i++) { l[get_local_id(0)] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = l[0]; barrier(CLK_LOCAL_MEM_FENCE); } }
// CHECK: floats loop 0 constant: trips 20, executed 20,
kernel void floats(global float *a, float n)
{ KEEP for (float x = 0; x < 10.0f; x += 0.5f) a[(int)(x * 2)] = x; }
// CHECK: continues loop 0 scalar-evolution: trips 100, executed 100,
kernel void continues(global float *a, int n)
{ KEEP for (int i = 0; i < n; i++) { if (i % 3 == 0) continue; a[i] = i; } }
// CHECK: jumps loop 0 executed: executed 34,
// KINDS: kernel "jumps"
// KINDS: loop 0: {{.*}}bound executed irreducible
kernel void jumps(global int *a, int n)
{ int i = 0; if (n & 1) goto middle; top: a[i] = 1; i++; middle: a[i + 1] += 2; i += 2; if (i < n) goto top; a[0] = i; }
// CHECK: variable_step loop 0 {{induction|scalar-evolution}}: trips 15, executed 15,
kernel void variable_step(global int *a, int n, int s)
{ KEEP for (int i = 0; i < n; i += (s & 7) + 7) a[i] = i; }
// CHECK: two_variables loop 0 scalar-evolution: trips 50, executed 50,
kernel void two_variables(global int *a, int n)
{ KEEP for (int i = 0, j = n; i < j; i++, j--) a[i] = a[j]; }
// CHECK: phi_step loop 0 executed: executed 67,
kernel void phi_step(global int *a, int n)
{ int step = 1; KEEP for (int i = 0; i < n; i += step) { a[i] = i; step = 3 - step; } }
// CHECK: collatz loop 0 executed: executed 25,
kernel void collatz(global int *a, int n)
{ KEEP while (n != 1) { a[n] = n; n = n & 1 ? 3 * n + 1 : n / 2; } }
// CHECK: gcd loop 0 executed: executed
kernel void gcd(global int *a, uint n, uint m)
{ KEEP while (m) { uint r = n % m; n = m; m = r; a[m] = n; } }
// CHECK: bits loop 0 executed: executed 3,
kernel void bits(global int *a, uint n)
{ KEEP while (n) { a[31 - clz(n)] = 1; n &= n - 1; } }
// CHECK: squares loop 0 executed: executed 10,
kernel void squares(global int *a, int n)
{ KEEP for (int i = 0; i * i < n; i++) a[i] = i; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
