// Structures passed by value: what the compiler copied of them is read where the launch has put it, also members of members at an index that is computed. A copy that the kernel writes stays memory, but
// for the members that it leaves alone.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target spir64 -emit-llvm -S -o %t.spir.ll %s
// RUN: %profile_ir %t.spir.ll | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S -o %t.ptx.ll %s
// RUN: %profile_ir %t.ptx.ll | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -cl-kernel-arg-info -target x86_64 -emit-llvm -S -o %t.host.ll %s
// RUN: %profile_ir %t.host.ll | FileCheck %s
struct Grid { int size[3]; float recip[3][3]; };
struct Atoms { int count; float charge; };
struct Params { struct Grid grid; struct Atoms atoms; float scale[2]; int n[2]; };

// CHECK-LABEL: kernel "indexed"
// CHECK-NOT: in private
// CHECK: load {{.*}} in constant 4x1 align 4 base $p
kernel void indexed(struct Params p, global float *x)
{
    int g = get_global_id(0);
    x[g] *= p.grid.recip[g % 3][1];
}

// CHECK-LABEL: kernel "nested"
// CHECK-NOT: in private
// CHECK: load {{.*}} in constant 4x1 align 4 base $p
static float weigh(struct Grid grid, int d) { return grid.recip[d][d ^ 1] * grid.size[d]; }
kernel void nested(const struct Params p, global float *x)
{
    int g = get_global_id(0);
    float s = 0;
    for (int d = 0; d < 2; d++)
        s += weigh(p.grid, (d + g) % 2);
    if (g < p.atoms.count)
        x[g] = s * p.scale[g & 1] * p.n[g & 1];
}

// CHECK-LABEL: kernel "loop"
// CHECK-NOT: in private
// CHECK: load {{.*}} in constant 4x1 align 4 base $p
kernel void loop(struct Params p, global float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i * 2] += p.n[i & 1] * x[i + 1];
}

// CHECK-LABEL: kernel "written"
// CHECK: store {{.*}} in private
// CHECK: kernel "last"
kernel void written(struct Params p, global float *x)
{
    int g = get_global_id(0);
    p.scale[g & 1] = x[g];
    x[g] = p.scale[0] * 2;
}

// The array whose element is stored is one; the one beside it is only read.
// CHECK: load {{.*}} in constant 4x1 align 4 base $p
kernel void last(struct Params p, global float *x)
{
    int g = get_global_id(0);
    p.scale[0] = x[g];
    x[g] = p.scale[0] * p.n[g & 1];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
