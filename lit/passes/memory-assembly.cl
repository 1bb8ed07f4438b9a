// One access to memory in PTX is that access, with the address that it has; what computes is of its class. Other forms stay assembly, and
// where these touch memory they are a call that nobody knows.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s
// CHECK-LABEL: kernel "loads"
// CHECK-NOT: callee
// CHECK: load i32 [[AT:%[0-9]+]] in global 4x1 align 4 base $1
// CHECK: [[NEXT:%[0-9]+]] = add i64 [[AT]], 64
// CHECK: load i32 [[NEXT]] in global 4x4 align 16 base $1 readonly
// CHECK: load i8 {{%[0-9]+}} in global 1x1 align 1 base $1 streaming
// CHECK-LABEL: kernel "stores"
// CHECK-NOT: callee
// CHECK: store {{%[0-9]+}}, {{%[0-9]+}} in global 4x2 align 8 base $0
// CHECK: atomic i32 $0, 1 in global 4x1 align 4 base $0 combines
// CHECK: atomic i32 {{%[0-9]+}}{{.*}} in global 4x1 align 4 base $0
// CHECK: atomic {{.*}} in global 4x1 align 4 base $0
// CHECK-LABEL: kernel "copies"
// CHECK-NOT: callee
// CHECK: load {{.*}} in global 4x4 align 16 base $1
// CHECK: store {{.*}} in local 4x4 align 16
// CHECK: barrier
// CHECK: load {{.*}} in local 4x4 align 16
// A pipeline of two stages: a copy's load is nobody's operand but of the wait an iteration later, by way of a phi; where the copy goes is known through the integer that the address becomes.
// CHECK-LABEL: kernel "pipeline"
// CHECK: block {{.*}} loop 0
// CHECK: %[[BEFORE:[0-9]+]] = phi i32 {{.*}}, [block {{[0-9]+}}: %[[LOADED:[0-9]+]]]
// CHECK: %[[LOADED]] = load i32 {{.*}} in global 4x4 {{.*}} async
// CHECK: store {{.*}}, 0 in local 4x4 align 16 base local.
// CHECK: weight %[[BEFORE]] {{.*}}: fence
// Two matrices: the first 16 lanes' rows.
// CHECK-LABEL: kernel "pairs"
// CHECK-NOT: callee
// CHECK: %[[FIRST:[0-9]+]] = icmp.ult i32 {{.*}}, 16
// CHECK: condbr %[[FIRST]], {{.*}} kind thread
// CHECK: load {{.*}} in local 4x4 align 16
// CHECK-LABEL: kernel "computes"
// CHECK-NOT: callee
// CHECK: : fp32.rcp
// CHECK: : sfu.exp2
// CHECK: : fp16.fma
// CHECK-LABEL: kernel "others"
// CHECK: callee 0: "inline assembly: ld.global.b128"
// CHECK: = call i64 {{.*}}callee 0 : call.unknown

kernel void loads(global float *out, global const float *in)
{
    int i = get_global_id(0);
    float a, b, c, d, e;
    uint byte;
    __asm__("ld.global.cg.f32 %0, [%1];" : "=f"(a) : "l"(in + i));
    __asm__("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4+64];" : "=f"(b), "=f"(c), "=f"(d), "=f"(e) : "l"(in + i));
    __asm__ volatile("ld.global.cs.u8 %0, [%1];" : "=r"(byte) : "l"((global const uchar *)in + i));
    out[i] = a + b * c + d * e + byte;
}

kernel void stores(global float *out, global const float *in)
{
    int i = get_global_id(0), old;
    __asm__ volatile("st.global.wt.v2.f32 [%0], {%1, %2};" ::"l"(out + 2 * i), "f"(in[i]), "f"(1.0f) : "memory");
    __asm__ volatile("red.global.add.u32 [%0], %1;" ::"l"(out), "r"(1) : "memory");
    __asm__ volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(old) : "l"(out + i), "r"(i) : "memory");
    __asm__ volatile("red.global.add.f32 [%0], %1;" ::"l"(out + old), "f"(1.0f) : "memory");
}

kernel void copies(global float *out, global const float *in)
{
    local float tile[1024];
    int i = get_local_id(0);
    uint a, b, c, d, at = (uint)(ulong)(local char *)(tile + 4 * i);
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + 4 * get_global_id(0)) : "memory");
    __asm__ volatile("bar.sync 0;" ::: "memory");
    __asm__ volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
    out[get_global_id(0)] = a + b + c + d + tile[i ^ 1];
}

kernel void pipeline(global float *out, global const float *in, int n)
{
    local float tile[2][256];
    int i = get_local_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        uint at = (uint)(ulong)(local char *)&tile[k & 1][4 * i];
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + 4 * (k * 64 + i)) : "memory");
        __asm__ volatile("cp.async.commit_group;" ::: "memory");
        __asm__ volatile("cp.async.wait_group 1;" ::: "memory");
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[~k & 1][255 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}

kernel void pairs(global float *out)
{
    local float tile[1024];
    int i = get_local_id(0);
    uint a, b, at = (uint)(ulong)(local char *)(tile + 4 * i);
    tile[i] = i;
    __asm__ volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
    out[get_global_id(0)] = a + b;
}

kernel void computes(global float *out, global const float *in)
{
    int i = get_global_id(0);
    float r, e;
    uint h, g = i;
    __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(in[i]));
    __asm__("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(r));
    __asm__("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(h) : "r"(g));
    out[i] = r + e + h;
}

kernel void others(global ulong *out, global const ulong *in)
{
    int i = get_global_id(0);
    ulong low;
    __asm__ volatile("ld.global.b128 %0, [%1];" : "=l"(low) : "l"(in + 2 * i));
    out[i] = low;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
