/*
 * Sizes with which work-items surely access what lies beyond the kernel's own local array are left out, and are an error where asked for. What may not be executed, or depends on arguments
 * that nobody stated otherwise than that they are 1 at least, is no reason.
 *
 * RUN: %gpuperf predict --device a100 --kernel exchange %s | FileCheck %s --check-prefix=EXCHANGE
 * RUN: not %gpuperf predict --device a100 --kernel exchange --local 128 %s 2>&1 | FileCheck %s --check-prefix=ASKED
 * RUN: %gpuperf predict --device a100 --model trace --kernel exchange --local 64 %s | FileCheck %s --check-prefix=FITS
 * RUN: %gpuperf predict --device a100 --kernel pairs %s | FileCheck %s --check-prefix=PAIRS
 * RUN: %gpuperf predict --device a100 --kernel square --global 1024x1024 %s | FileCheck %s --check-prefix=SQUARE
 * RUN: %gpuperf predict --device a100 --kernel tiny %s | FileCheck %s --check-prefix=TINY
 * RUN: %gpuperf predict --device mi250x,pocl-cpu --kernel exchange --json %s | FileCheck %s --check-prefix=OTHERS
 * RUN: %gpuperf predict --device a100 --kernel guarded --kernel bounded --kernel counted --local 256 %s | FileCheck %s --check-prefix=MAY
 * RUN: not %gpuperf predict --device a100 --kernel scaled --local 256 %s 2>&1 | FileCheck %s --check-prefix=SCALED
 * RUN: not %gpuperf predict --device a100 --kernel required %s 2>&1 | FileCheck %s --check-prefix=REQUIRED
 * RUN: %gpuperf predict --device a100 --kernel turns --global 1024x1024 %s | FileCheck %s --check-prefix=SQUARE
 * RUN: %gpuperf predict --device a100 --kernel ranged %s | FileCheck %s --check-prefix=RANGED
 * RUN: not %gpuperf predict --device a100 --kernel ranged --global 512x64 %s 2>&1 | FileCheck %s --check-prefix=TOOWIDE
 * RUN: not %gpuperf predict --device a100 --kernel halves %s 2>&1 | FileCheck %s --check-prefix=ANY
 * RUN: %cl -c -o /dev/null -Rpass-analysis=gpuperf %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
 *
 * An array that global ids index bounds the range.
 * RANGED: launch     global 256x1024
 * RANGED: best
 * TOOWIDE: work-items reach {{[0-9]+}} bytes of 'row', which has 1024: it is made for a smaller range (--global)
 * PLUGIN: kernel ranged on a100, global 256x1024,
 *
 * One that no group fits is the kernel's mistake.
 * ANY: kernel 'halves' cannot run with local 1x1x1 on a100: work-items reach {{[0-9]+}} bytes of 'half_of', which has 64: it is too small for groups of any size
 *
 * EXCHANGE: note       sizes such as local {{[0-9]+}} are left out: work-items reach {{[0-9]+}} bytes of 'tile', which has 256: it is made for smaller work-groups
 * EXCHANGE: {{^ +(32|64) .*}} best
 * EXCHANGE-NOT: {{^ +(96|128|192|256|384|512|768|1024) }}
 * ASKED: kernel 'exchange' cannot run with local 128x1x1 on a100: work-items reach 512 bytes of 'tile', which has 256: it is made for smaller work-groups
 * FITS: {{^ +}}64 {{.*}} best
 * PAIRS: which has 256
 * PAIRS: {{^ +}}32 {{.*}} best
 * PAIRS-NOT: {{^ +64 +[0-9]}}
 * SQUARE: of 'tile', which has 1024
 * SQUARE-NOT: {{32x32|16x32|32x16|512x2 |1024x1 }}
 * TINY: which has 32
 * TINY: {{^ +}}8 {{.*}} best
 * OTHERS-NOT: "local": [{{[[:space:]]+}}{{96|128|192|256|384|512|768|1024}},
 * MAY-NOT: left out
 * MAY-COUNT-3: {{^ +}}256 {{.*}} best
 * REQUIRED: kernel 'required' cannot run with local 256x1x1 on a100: work-items reach 1024 bytes of 'tile', which has 256
 * SCALED: reach 1024 bytes of 'tile', which has 256
 */
kernel void exchange(global const float *in, global float *out)
{
    local float tile[64];
    uint i = get_local_id(0);
    tile[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[get_local_size(0) - 1 - i];
}

kernel void pairs(global const float *in, global float *out)
{
    local float tile[64];
    uint i = get_local_id(0);
    tile[i * 2 + 1] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(i ^ 1) * 2 + 1];
}

kernel void square(global const float *in, global float *out)
{
    local float tile[16][16];
    uint x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    tile[y][x] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = tile[y ^ 1][x];
}

kernel void tiny(global const float *in, global float *out)
{
    local float tile[8];
    uint i = get_local_id(0);
    tile[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i ^ 1];
}

/* By what is loaded, which no group of more than 64 may let pass. */
kernel void guarded(global const int *in, global float *out)
{
    local float tile[64];
    uint i = get_local_id(0);
    if (in[get_group_id(0)] > 0)
        tile[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[0];
}

/* By a number that is at most 64. */
kernel void bounded(global const float *in, global float *out, int count)
{
    local float tile[64];
    for (int i = get_local_id(0); i < count; i += get_local_size(0))
        tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[get_global_id(0) & 63];
}

kernel void counted(global const float *in, global float *out, int count)
{
    local float tile[64];
    uint i = get_local_id(0);
    if (i < count)
        tile[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[0];
}

/* A step is 1 at least. */
kernel void scaled(global const float *in, global float *out, int step)
{
    local float tile[64];
    uint i = get_local_id(0);
    tile[i * step] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i * step ^ 1];
}

/* A loop that an argument ends turns once at least. */
kernel void turns(global const float *in, global float *out, int depth)
{
    local float tile[16][16];
    uint x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float sum = 0;
    for (int t = 0; t < depth; t += 16) {
        tile[y][x] = in[t * get_global_size(0) + at];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[y ^ 1][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at] = sum;
}

/* Nobody can launch it. */
__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void required(global const float *in, global float *out)
{
    local float tile[64];
    uint i = get_local_id(0);
    tile[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i ^ 1];
}

kernel void ranged(global float *out)
{
    local float row[256];
    int x = get_global_id(0), y = get_global_id(1);
    row[x] = out[x + 256 * y];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x + 256 * y] = row[255 - x];
}

kernel void halves(global const uchar *in, global uchar *out)
{
    local uchar half_of[64];
    int t = get_local_id(0), first = get_group_id(0) * 128;
    for (int i = 0; i < 2; i++)
        half_of[i * 64 + t] = in[first + i * 64 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++)
        out[first + i * 64 + t] = half_of[i * 64 + (t ^ 1)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
