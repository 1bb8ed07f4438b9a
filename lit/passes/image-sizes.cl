// An image is as large as the range: guards by its size let all work-items pass, and are no data. What the range lacks is 1024.
// RUN: %plain_cl -S %s -o - | %profile_ir - | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_75 -Xclang -target-feature -Xclang +ptx78 -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s

// CHECK-LABEL: kernel "guarded"
// CHECK: param "{{.*}}": image 64 in image{{.*}} skeleton
// CHECK: split-safe yes
// CHECK: id.global_size.0 i32
// CHECK: condbr {{.*}} kind thread
// CHECK: id.global_size.1 i32
// CHECK-NOT: kind data
kernel void guarded(write_only image2d_t out, global float *a)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= get_image_width(out))
        return;
    a[x] = 1;
    if (y >= get_image_height(out))
        return;
    a[x + y] = 2;
}

// CHECK-LABEL: kernel "guarded_by_dim"
// CHECK: id.global_size.0 i32
// CHECK: id.global_size.1 i32
// CHECK: condbr {{.*}} kind thread
// CHECK-NOT: kind data
kernel void guarded_by_dim(write_only image2d_t out, global float *a)
{
    int x = get_global_id(0), y = get_global_id(1);
    int2 size = get_image_dim(out);
    if (x < size.x && y < size.y)
        a[y * size.x + x] = 1;
}

// CHECK-LABEL: kernel "rows"
// CHECK: loop 0: {{.*}} bound scalar-evolution
// CHECK-NOT: {{id.global_size|kind data}}
// CHECK: icmp.slt i32 {{.*}}, 1024
kernel void rows(read_only image2d_t in, global float *a)
{
    float sum = 0;
    for (int x = 0; x < get_image_width(in); x++)
        sum += read_imagef(in, CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST, (int2)(x, get_global_id(0))).x;
    a[get_global_id(0)] = sum;
}

// CHECK-LABEL: kernel "along"
// CHECK: id.global_size.0 i32
kernel void along(write_only image1d_t out, global float *a)
{
    int x = get_global_id(0);
    if (x < get_image_width(out))
        a[x] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
