// LLVM makes one unaligned access of a[i] and a[i + 1] for AMD's devices. Work-items side by side have a word each of it
// to themselves, so that groups of 16x16 share their lines: 64 MB come and 64 MB go.
// RUN: %gpuperf predict --device mi250x,mi50 --global 4096x4096 --local 16x16 --arg w=4096 --terms %s | FileCheck %s
// CHECK: dram_bytes {{13[0-9]+}} bytes
// CHECK: dram_bytes {{13[0-9]+}} bytes
// Groups narrower than a line do so wherever in a line they begin, and whether they read words of each other or not.
// RUN: %gpuperf predict --device w6600,mi300x,a770 --global 4096x4096 --local 8x8,8x16,16x4,16x8,16x16,4x64 \
// RUN:   --arg w=4096 --terms --json %s | FileCheck %s --check-prefix=NARROW
// NARROW-COUNT-18: "dram_bytes": 13{{[3-8][0-9]{6}\.}}
// NARROW-NOT: "dram_bytes"
kernel void pairs(global const float *a, global float *b, int w)
{
    int i = get_global_id(1) * w + get_global_id(0);
    b[i] = a[i] + a[i + 1];
}
