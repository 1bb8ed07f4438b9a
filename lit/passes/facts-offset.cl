// Parts of a range begin at an offset: what makes up its ids by itself does not see it, and what looks at it sees which part it is in.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// CHECK-LABEL: kernel "by_hand"
// CHECK: local-size-agnostic yes
// CHECK-NEXT: split-safe no "it makes up a global id without the global offset"
kernel void by_hand(global uint *a) { size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0); a[i] = i; }
// CHECK-LABEL: kernel "complete"
// CHECK: local-size-agnostic yes
// CHECK-NEXT: split-safe yes
kernel void complete(global uint *a) { size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0) + get_global_offset(0); a[i] = i; }
// CHECK-LABEL: kernel "added"
// CHECK: local-size-agnostic yes
// CHECK-NEXT: split-safe no "it uses the global offset"
kernel void added(global ulong *a, ulong n) { a[get_global_id(0)] = n + get_global_offset(0); }
// CHECK-LABEL: kernel "twice"
// CHECK: split-safe no "it uses the global offset"
kernel void twice(global ulong *a) { size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0) + get_global_offset(0); a[i] = i + get_global_offset(0); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
