/*
 * Lashgar et al., Listing 1: LOADS independent loads of each thread, all of different 128-byte lines; SHARING neighbouring threads load from the
 * same one. One work-group; with UNTIMED nothing is loaded: what surrounds the timed part, the addresses.
 */
#ifndef LOADS
#define LOADS 1
#define SHARING 1
#endif
#define LINE(n) (in + ((n) * (int)get_local_size(0) + tid / SHARING) * 32)
#ifdef UNTIMED
#define LOAD(line) ((int)(size_t)(line))
#else
#define LOAD(line) (*(line))
#endif

kernel void outstanding(global const int *in, global int *out)
{
    int tid = get_local_id(0);
    global const int *line1 = LINE(0);
#if LOADS >= 2
    global const int *line2 = LINE(1);
#endif
#if LOADS >= 3
    global const int *line3 = LINE(2);
#endif
#if LOADS >= 4
    global const int *line4 = LINE(3);
#endif
    int sum = tid;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int value1 = LOAD(line1);
#if LOADS >= 2
    int value2 = LOAD(line2);
#endif
#if LOADS >= 3
    int value3 = LOAD(line3);
#endif
#if LOADS >= 4
    int value4 = LOAD(line4);
#endif
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum += value1;
#if LOADS >= 2
    sum += value2;
#endif
#if LOADS >= 3
    sum += value3;
#endif
#if LOADS >= 4
    sum += value4;
#endif
    out[tid] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
