// Work-items that tell each other something by memory: what they see depends on their order, and so on the local size.
// RUN: %plain_cl -cl-std=CL2.0 -S %s -o - | %profile_ir - | FileCheck %s
// CHECK-LABEL: kernel "loads"
// CHECK: local-size-agnostic no "it loads or stores what other work-items change or look at meanwhile"
// CHECK-NEXT: split-safe no
kernel void loads(global atomic_int *count, global int *out) { out[get_global_id(0)] = atomic_load(count); atomic_fetch_add(count, 1); }
// CHECK-LABEL: kernel "stores"
// CHECK: local-size-agnostic no "it loads or stores what other work-items change or look at meanwhile"
kernel void stores(global atomic_int *last) { atomic_store_explicit(last, (int)get_global_id(0), memory_order_relaxed, memory_scope_device); }
// CHECK-LABEL: kernel "waits"
// CHECK: local-size-agnostic no "it loads or stores what other work-items change or look at meanwhile"
kernel void waits(volatile global int *flag, global int *out) { while (flag[get_global_id(0)] == 0) ; out[get_global_id(0)] = 1; }
// CHECK-LABEL: kernel "stops"
// CHECK: local-size-agnostic no "it loads or stores what other work-items change or look at meanwhile"
kernel void stops(global int *found, global int *out) { if (found[0] < 10) { atomic_inc(found); out[get_global_id(0)] = 1; } }
// CHECK-LABEL: kernel "counts"
// CHECK: local-size-agnostic yes
kernel void counts(global int *in, volatile global int *bins) { atomic_inc(&bins[in[get_global_id(0)] & 15]); }
// CHECK-LABEL: kernel "keeps"
// CHECK: local-size-agnostic yes
kernel void keeps(global int *out) { volatile int own = get_global_id(0); out[get_global_id(0)] = own + own; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
