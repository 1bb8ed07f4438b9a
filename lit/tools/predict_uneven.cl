// A launch is as long as its longest work-group: here one work-item adds up all that the others scale, and of the boxes only the first column's work-items do anything.
// The average group says nothing of either.
// RUN: %gpuperf predict --warm --device a100 --kernel one --global 65536 --arg n=65536 --local 64,1024 --json %s | FileCheck --check-prefix=ONE %s
// RUN: %gpuperf predict --warm --device a100 --model trace --kernel one --global 65536 --arg n=65536 --local 64,1024 --json %s | FileCheck --check-prefix=ONE %s
// RUN: %gpuperf predict --warm --device a100 --kernel one --global 65536 --arg n=65536 --local 64 %s | FileCheck --check-prefix=CAUSE %s
// RUN: %gpuperf predict --warm --device a100 --kernel box --global 1024x1024 --arg width=1024 --local 1x64,16x16,64x4 --json %s | FileCheck --check-prefix=BOX %s
// RUN: %gpuperf predict --warm --device a100 --model trace --kernel box --global 1024x1024 --arg width=1024 --local 1x64,16x16,64x4 --json %s | FileCheck --check-prefix=BOX %s

// 65536 iterations of a load and an addition, of which 16 are unrolled: each addition waits for the one before, and all for loads of half a line. 10 to 25 cycles each.
// ONE-COUNT-2: "time_ns": {{([5-9]|1[01])[0-9]{5}\.}}
// CAUSE: tail: the longest work-group takes {{[0-9]+}} times as long as the average one
// CAUSE-NEXT: spread its work over more work-groups
// CAUSE: latency: {{.*}}of the longest work-group waits
kernel void one(global float *a, int n)
{
    int i = get_global_id(0);
    a[i] *= 2.0f;
    if (i == 0) {
        float s = 0;
        for (int k = 0; k < n; k++)
            s += a[k];
        a[n] = s;
    }
}

// 1024 iterations each: some ten cycles for the sum, an access to L1 or L2
// BOX-COUNT-3: "time_ns": {{(4[5-9]|[5-9][0-9]|1[0-4][0-9])[0-9]{3}\.}}
kernel void box(global const float *in, global float *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= 1)
        return;
    float m = 0;
    for (int i = 0; i < width; i++) {
        m = m * 0.9f + in[y * width + i];
        out[y * width + i] = m;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
