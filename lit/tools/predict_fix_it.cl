/*
 * Changes of the source, each compiled and predicted again before it is offered, as patches that apply; those that round otherwise stand behind bars,
 * so that nobody applies them with the others.
 *
 * RUN: %gpuperf predict --device a100 --kernel transpose --fix-it %s > %t.out && FileCheck %s --check-prefix=PAD < %t.out
 * PAD: 1 of 1 changes gains. Each was made on a copy, compiled and predicted again; nothing is written.
 * PAD: 1 pad the rows of 'tile' (same results)
 * PAD: transpose on a100, local 32x8 (your launch): {{.*}} us -> {{.*}} us; promised 1.9{{[0-9]}}x, predicted again 1.9{{[0-9]}}x
 * PAD: --- a/{{.*}}predict_fix_it.cl
 * PAD-NEXT: +++ b/
 * PAD: -    local float tile[TILE][TILE];
 * PAD-NEXT: +    local float tile[TILE][TILE + 1];
 *
 * RUN: cp %s %t.cl && patch -s %t.cl < %t.out && grep -q 'TILE . 1' %t.cl && %gpuperf predict --device a100 --kernel transpose %t.cl | FileCheck %s --check-prefix=PADDED
 * PADDED-NOT: bank conflict
 *
 * RUN: %gpuperf predict --device a100 --kernel norm --fix-it %s | FileCheck %s --check-prefix=ROUND --implicit-check-not=TILE
 * ROUND: 1 of 1 changes gains
 * ROUND: a product instead of 'pow(s - k, 2)' and 'pow(s, 2.0f)' (changes rounding)
 * ROUND: the patch alone: --fix-it=1
 * ROUND: {{^}}| -{{.*}}pow(s - k, 2)
 * ROUND: {{^}}| +        s += ((s - k) * (s - k)) + (s * s);
 *
 * RUN: %gpuperf predict --device a100 --kernel norm --fix-it=1 %s | FileCheck %s --check-prefix=ONE
 * ONE: {{^}}--- a/
 * ONE: {{^}}+        s += ((s - k)
 * RUN: not %gpuperf predict --device a100 --kernel norm --fix-it=2 %s 2>&1 | FileCheck %s --check-prefix=NONE
 * NONE: --fix-it=2: {{.*}} has 1 change that gains
 *
 * RUN: %gpuperf predict --device a100 --kernel transpose --fix-it --json %s | FileCheck %s --check-prefix=JSON
 * JSON: "kind": "padding"
 * JSON: "results": "same"
 * JSON: "speedup": 1.9
 *
 * RUN: not %gpuperf predict --fix-it=x %s 2>&1 | FileCheck %s --check-prefix=NUMBER
 * NUMBER: --fix-it takes the number of a change from 1 on, as --fix-it=2, not 'x'
 * RUN: not %gpuperf predict --fix-it -x cl - < %s 2>&1 | FileCheck %s --check-prefix=FILE
 * FILE: --fix-it changes a source; <stdin> is no file
 * RUN: not %gpuperf predict --fix-it --format csv %s 2>&1 | FileCheck %s --check-prefix=FORMAT
 * FORMAT: --fix-it prints text or JSON
 */
#define TILE 32

kernel void transpose(global const float *in, global float *out, int width, int height)
{
    local float tile[TILE][TILE];
    int x = get_group_id(0) * TILE + get_local_id(0), y = get_group_id(1) * TILE + get_local_id(1);
    for (int j = 0; j < TILE; j += 8)
        tile[get_local_id(1) + j][get_local_id(0)] = in[(y + j) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    for (int j = 0; j < TILE; j += 8)
        out[(y + j) * height + x] = tile[get_local_id(0)][get_local_id(1) + j];
}

kernel void norm(global const float *in, global float *out)
{
    float s = in[get_global_id(0)];
    for (int k = 0; k < 16; k++)
        s += pow(s - k, 2) + pow(s, 2.0f);
    out[get_global_id(0)] = s;
}
