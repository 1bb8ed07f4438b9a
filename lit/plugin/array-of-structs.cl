// Members of one struct lie in the same sectors: loading them is one finding with the gain of mending all of it, not one for each line.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %cl -fplugin-arg-gpuperf-device=a100,w6600 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=TWO --implicit-check-not=warning:
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-report=%t.json -c %s -o %t.bc 2>/dev/null
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json

typedef struct { float x, y; float rest[14]; } particle;

kernel void product_of_members(global const particle *particles, global float *out)
{
    int i = get_global_id(0);
// CHECK: :[[@LINE+4]]:{{[0-9]+}}: warning: uncoalesced global load: 32 transactions per warp, stride 64 bytes along dimension 0 (and line [[@LINE+6]]); {{[0-9]+}}% of predicted time on a100 ({{[3-5]}}.{{[0-9]}}x faster if coalesced) [gpuperf-uncoalesced]
// CHECK: note: work-items next to each other are 64 bytes apart in 'particles', as in an array of structs; keep each member in an array of its own (SoA)
// TWO: :[[@LINE+2]]:{{.*}} (and line [[@LINE+4]]); {{[0-9]+}}% of predicted time on w6600 ({{[0-9.]+}}x faster if coalesced), {{[0-9]+}}% on a100 ({{[3-5]}}.{{[0-9]}}x) [gpuperf-uncoalesced]
// JSON: "also": [
    float x = particles[i].x;
// JSON: "line": [[@LINE+1]],
    float y = particles[i].y;
    out[i] = x * y;
}

// The same in arrays of their own: the time that the gain above promises.
kernel void product_of_arrays(global const float *x, global const float *y, global float *out)
{
    int i = get_global_id(0);
    out[i] = x[i] * y[i];
}

// Loads that the optimiser takes out of the loop lose their line: what they are combined with says where they are.
kernel void members_in_a_loop(global const particle *particles, global const float *t, global float *out)
{
    int i = get_global_id(0);
    float sum = 0;
// CHECK: :[[@LINE+5]]:{{[0-9]+}}: warning: uncoalesced global load: 32 transactions per warp, stride 64 bytes along dimension 0 (and line [[@LINE+6]]);
// CHECK: note: work-items next to each other are 64 bytes apart in 'particles'
// CHECK: note: predicted for
// TWO: :[[@LINE+2]]:{{.*}} (and line [[@LINE+3]]);
    for (int j = 0; j < 16; j++) {
        float distance = particles[i].x - t[j];
        sum += distance * particles[i].y;
    }
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
