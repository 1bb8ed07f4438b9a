// Products on matrix units pay per multiply-add and lane: m16n8k16 is 2048 of them for 32 lanes. By inline assembly and by the builtins behind nvcuda::wmma.
// RUN: %noplugin -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -fno-discard-value-names -S -emit-llvm -o %t.ll
// RUN: %profile_ir %t.ll | FileCheck %s
// RUN: %profile_ir -addresses=global=64:local=32:stride=20 %t.ll | FileCheck %s --check-prefix=ADDRESSES
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
__device__ inline int tid() { return __nvvm_read_ptx_sreg_tid_x(); }

// CHECK-LABEL: kernel "halves"
// CHECK: matrix.fp16_fp32 x64
__global__ void halves(float *d, const unsigned *a)
{
    unsigned x = a[tid()];
    float r[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};\n"
                 : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3]) : "r"(x));
    d[tid()] = r[0] + r[1] + r[2] + r[3];
}

// Sums of 16 bits, TF32, bytes, single bits, and an operand half of whose elements are zeros.
// CHECK-LABEL: kernel "kinds"
// CHECK-DAG: matrix.fp16 x32
// CHECK-DAG: matrix.tf32 x32
// CHECK-DAG: matrix.int8 x128
// CHECK-DAG: matrix.int8 x32
// CHECK-DAG: matrix.fp16_fp32 x64
__global__ void kinds(unsigned *d, const unsigned *a)
{
    unsigned x = a[tid()], y, z;
    float f, g;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%0}, {%1,%1}, {%1}, {%0,%0};" : "=r"(y) : "r"(x));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%0,%0,%0}, {%1,%1,%1,%1}, {%1,%1}, {%0,%0,%0,%0};" : "=f"(f) : "r"(x));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%0,%0,%0}, {%1,%1,%1,%1}, {%1,%1}, {%0,%0,%0,%0};" : "=r"(z) : "r"(x));
    d[tid()] = y + z + (unsigned)f;
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%0}, {%1}, {%1}, {%0,%0};" : "=r"(z) : "r"(x));
    asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%0,%0,%0}, {%1,%1,%1,%1}, {%1,%1,%1,%1}, {%0,%0,%0,%0}, %1, 0x0;" : "=f"(g) : "r"(x));
    d[tid() + 64] = z + (unsigned)g;
}

// A tile of 16 x 16 halves: 16 bytes a lane, down the rows first; its product, and floats stored as two times 16 bytes.
// CHECK-LABEL: kernel "fragments"
// CHECK: load {{.*}} in global 4x4
// CHECK: matrix.fp16_fp32 x128
// CHECK: store {{.*}} in global 4x4
// CHECK: store {{.*}} in global 4x4
// ADDRESSES: fragments: load global 4x4 a+0 40 80 120 160 200 240 280
// ADDRESSES: fragments: store global 4x4 c+0 80 160 240 320 400 480 560
// ADDRESSES: fragments: store global 4x4 c+32 80 160
__global__ void fragments(float *c, const int *a, int stride)
{
    int fa[8], fb[8];
    float sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    __hmma_m16n16k16_ld_a(fa, a, stride, 0);
    __hmma_m16n16k16_ld_b(fb, a, stride, 0);
    __hmma_m16n16k16_mma_f32f32(sum, fa, fb, sum, 0, 0);
    __hmma_m16n16k16_st_c_f32(c, sum, stride, 0);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
