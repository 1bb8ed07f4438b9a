/*
 * Copies that have enough loads under way are at their roof and told nothing else, whatever the group. With one float each an H100 and an H200
 * move 0.63 to 0.81 of what they do with four (bench/gpu/results, clocks.csv): told is latency, with what more loads would gain, and not
 * bandwidth, since no byte moves in vain. Where groups are too small, that is told.
 *
 * RUN: %gpuperf predict --device h100,a100 --kernel copy4 --kernel scale4 --global 16777216 --local 128,256,512,1024 --explain 128,256,512,1024 %s | FileCheck %s --check-prefix=FOUR --implicit-check-not=Bottlenecks
 * RUN: %gpuperf predict --device h200 --kernel copy4 --kernel scale4 --global 67108864 --local 128,256 --explain 128,256 %s | FileCheck %s --check-prefix=TWO --implicit-check-not=Bottlenecks
 * FOUR-COUNT-4: headroom 1.0{{[0-9]}}x with local {{[0-9]+}}, at its roof
 * TWO-COUNT-2: headroom 1.0{{[0-9]}}x with local {{[0-9]+}}, at its roof
 *
 * RUN: %gpuperf predict --device h100,h200 --kernel copy --kernel scale --global 67108864 --local 256,512,1024 --explain 256,512,1024 %s | FileCheck %s --check-prefix=ONE --implicit-check-not=bandwidth:
 * ONE: headroom 1.3{{[0-9]}}x with local 256
 * ONE: Bottlenecks with local 256
 * ONE: 1.3{{[0-9]}}x {{.*}}: latency: exposed latency: {{.*}} for memory
 * ONE: more loads under way: several elements per work-item, as a float4 has
 * ONE: Bottlenecks with local 512
 * ONE: 1.4{{[0-9]}}x {{.*}}: latency
 * ONE: headroom 1.6{{[0-9]}}x with local 256
 * ONE: Bottlenecks with local 512
 * ONE: 1.{{[67][0-9]}}x {{.*}}: latency
 *
 * RUN: %gpuperf predict --device a100,rtx3080,v100 --kernel copy --global 16777216 --local 256,512,1024 --explain 256,512,1024 %s | FileCheck %s --check-prefix=ROOF --implicit-check-not=Bottlenecks
 * ROOF-COUNT-3: at its roof
 *
 * RUN: %gpuperf predict --device h200 --kernel copy --global 16777216 --local 64 %s | FileCheck %s --check-prefix=SMALL --implicit-check-not=bandwidth:
 * SMALL: local-size: 262144 work-groups of 64 work-items start at no more than 0.83 a cycle
 */
kernel void copy(global float *to, global const float *from)
{
    size_t i = get_global_id(0);
    to[i] = from[i];
}

kernel void copy4(global float4 *to, global const float4 *from)
{
    size_t i = get_global_id(0);
    to[i] = from[i];
}

kernel void scale(global float *to, global const float *from, float by)
{
    size_t i = get_global_id(0);
    to[i] = by * from[i];
}

kernel void scale4(global float4 *to, global const float4 *from, float by)
{
    size_t i = get_global_id(0);
    to[i] = by * from[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
