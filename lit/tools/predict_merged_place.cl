// The loads of a point are moved out of the loop over the centres, merged, and have no line any more: they are told of at that of what they are combined with, not at the kernel's name.
// RUN: %gpuperf predict --device a100 --kernel assign --local 256 %s | FileCheck %s
// CHECK: predict_merged_place.cl:[[# @LINE + 9]]:{{[0-9]+}}: uncoalesced global load: 32 transactions per warp, stride 32 bytes
typedef struct { float f[8]; } point;
kernel void assign(global const point *points, global const point *centres, global int *label, int n)
{
    int i = get_global_id(0), nearest = 0;
    if (i >= n)
        return;
    float least = FLT_MAX;
    for (int k = 0; k < 16; k++) {
        float d = 0; for (int j = 0; j < 8; j++) { float t = points[i].f[j] - centres[k].f[j]; d += t * t; }
        if (d < least)
            least = d, nearest = k;
    }
    label[i] = nearest;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
