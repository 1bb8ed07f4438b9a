// Addresses that PTX computes are what they are computed from: casts to shared addresses and back, conversions, moves and sums; also where they stand in front of one access in the same statement.
// RUN: %noplugin -x cl -cl-std=CL2.0 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s

// The pair of instructions that hand-written shared addresses go through.
// CHECK-LABEL: kernel "cast"
// CHECK-NOT: callee
// CHECK: store {{.*}} in local 4x1 align {{[0-9]+}} base local.
// CHECK: load {{.*}} in local 4x1 align {{[0-9]+}} base local.
kernel void cast(global const float *in, global float *out)
{
    local float t[1024];
    uint at;
    float r;
    __asm__("{.reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t;}" : "=r"(at) : "l"((float *)t + get_local_id(0) * 4));
    __asm__ volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(in[get_global_id(0)]));
    barrier(CLK_LOCAL_MEM_FENCE);
    __asm__ volatile("ld.shared.f32 %0, [%1];" : "=f"(r) : "r"(at));
    out[get_global_id(0)] = r;
}

// Of 64 bits; of a local pointer, which needs no cast; back to a generic one; moved on.
// CHECK-LABEL: kernel "forms"
// CHECK-NOT: callee
// CHECK: store {{.*}} in local 4x1 align {{[0-9]+}} base local.
// CHECK: store {{.*}} in local 4x1 align {{[0-9]+}} base local.
// CHECK: store {{.*}} in local 4x1 align {{[0-9]+}} base local.
// CHECK: load {{.*}} in local 4x2 align {{[0-9]+}} base local.
kernel void forms(global const float *in, global float *out)
{
    local float t[1024];
    ulong wide;
    uint narrow, moved;
    float r, q;
    __asm__("cvta.to.shared.u64 %0, %1;" : "=l"(wide) : "l"((float *)t + get_local_id(0)));
    __asm__("cvt.u32.u64 %0, %1;" : "=r"(narrow) : "l"(t + get_local_id(0) * 2));
    __asm__("{ .reg .u32 a;\n mov.b32 a, %1;\n add.u32 %0, a, 64; }" : "=r"(moved) : "r"(narrow));
    __asm__ volatile("st.shared.f32 [%0], %1;" ::"l"(wide), "f"(in[get_global_id(0)]));
    __asm__ volatile("st.shared.f32 [%0+4], %1;" ::"r"(narrow), "f"(1.0f));
    __asm__ volatile("st.shared.f32 [%0], %1;" ::"r"(moved), "f"(1.0f));
    barrier(CLK_LOCAL_MEM_FENCE);
    __asm__ volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(r), "=f"(q) : "r"(narrow));
    out[get_global_id(0)] = r + q;
}

// CHECK-LABEL: kernel "within"
// CHECK-NOT: callee
// CHECK: load {{.*}} in local 4x1 align {{[0-9]+}} base local.
// CHECK: load {{.*}} in local 4x4 align 16 base local.
kernel void within(global const float *in, global float *out)
{
    local float t[4096];
    float r;
    uint a, b, c, d;
    t[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    __asm__ volatile("{ .reg .u64 p; cvta.to.shared.u64 p, %1; ld.shared.f32 %0, [p]; }" : "=f"(r) : "l"((float *)t + get_local_id(0) * 4));
    __asm__ volatile("{ .reg .u32 s; .reg .u64 l;\n cvta.to.shared.u64 l, %4;\n cvt.u32.u64 s, l;\n ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [s];\n }"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"((float *)t + get_local_id(0) % 32 * 32) : "memory");
    out[get_global_id(0)] = r + a + b + c + d;
}

// Rotations, as CUDA's __funnelshift_l writes them, go with the sum behind them: LEA.HI (nvcc 13.0, sm_80). So do sums and logic: IADD3, LOP3.
// CHECK-LABEL: kernel "rotations"
// CHECK-NOT: callee
// CHECK: weight {{.*}} : int32.logic
// CHECK: weight {{.*}} : free
// CHECK: weight {{.*}} : int32.add
// CHECK: store
kernel void rotations(global uint *x)
{
    uint a = x[get_global_id(0)], b, c;
    __asm__("shf.l.wrap.b32 %0, %1, %1, 7;" : "=r"(b) : "r"(a));
    b += a;
    __asm__ volatile("add.u32 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));
    x[get_global_id(0)] = c + (uint)get_local_id(0);
}

// Guarded, or of what is no address: as before.
// CHECK-LABEL: kernel "others"
// CHECK: weight {{.*}} : int32.cmp
kernel void others(global uint *x)
{
    uint a, b = x[get_global_id(0)];
    __asm__("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p mov.u32 %0, %1; }" : "=r"(a) : "r"(b));
    x[get_global_id(0)] = a;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
