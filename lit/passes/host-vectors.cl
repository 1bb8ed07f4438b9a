// The host's calling convention has a vector of two floats in a double: functions of these are known all the same.
// RUN: %plain_cl -target x86_64-unknown-linux-gnu -S %s -o - | %profile_ir - | FileCheck %s
// CHECK-LABEL: kernel "pairs"
// CHECK: local-size-agnostic yes
// CHECK-NOT: callee
// CHECK-LABEL: kernel "triples"
// CHECK: local-size-agnostic yes
// CHECK-NOT: callee

kernel void pairs(global float *out, global const float2 *a, global const float2 *b)
{
    size_t i = get_global_id(0);
    out[i] = dot(a[i], b[i]) + length(a[i]) + distance(a[i], b[i]) + fast_length(b[i]) + fast_distance(a[i], b[i]);
}

kernel void triples(global float *out, global const float3 *a, global const float3 *b)
{
    size_t i = get_global_id(0);
    out[i] = dot(a[i], b[i]) + length(a[i]) + distance(a[i], b[i]);
}
