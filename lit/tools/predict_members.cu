// Members of a structure passed by value are stated by the names of the source, also in an annotation and of a base; the message for the structure itself names them.
// RUN: %gpuperf predict --device a100 --arg d.boxes=1000 --arg 'd.size[1]=5' --arg d.deep.step=2 --kernel by_value --top 1 %s | FileCheck %s
// CHECK: d.boxes=1000, d.size[1]=5, d.deep.step=2
// CHECK-NOT: Assumed arguments
// RUN: %gpuperf predict --device a100 --arg d=0x00000002000000050000000700000000000003e8 --kernel by_value --top 1 %s | FileCheck %s
// RUN: not %gpuperf predict --device a100 --arg d=3 --kernel by_value %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: argument 'd' of kernel 'by_value' is a structure: set its members, d.boxes, d.size[1], d.deep.step
// RUN: not %gpuperf predict --device a100 --arg d.none=3 --kernel by_value %s 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: has no argument 'd.none'; arguments that can be set: x, d.boxes, d.size[1], d.deep.step
// RUN: %gpuperf predict --device a100 --kernel annotated --top 1 %s | FileCheck %s --check-prefix=SAID
// SAID: d.boxes=77
struct base { int boxes; };
struct inner { unsigned char step; };
struct dims : base { float scale; int size[2]; inner deep; };
__global__ void by_value(dims d, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= d.boxes)
        return;
    float s = 0;
    for (int j = 0; j < d.size[1]; j++)
        s += x[i + j * d.deep.step];
    x[i] = s * d.scale;
}
__attribute__((annotate("gpuperf: d.boxes=77"))) __global__ void annotated(dims d, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < d.boxes)
        x[i] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
