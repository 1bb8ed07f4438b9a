// A search computes much and stores seldom, which is no reason to trust the time less; what leaves at its guard does nothing.
// RUN: %gpuperf predict --device a100,mi250x,pocl-cpu --local 256 --kernel search --arg target=7 %s | FileCheck %s --check-prefix=SEARCH --implicit-check-not='say what they are'
// RUN: %gpuperf predict --device a100,mi250x --local 256 --kernel guarded --arg n=0 %s | FileCheck %s --check-prefix=GUARDED

uint mix(uint x)
{
    for (int i = 0; i < 400; i++) { x ^= x >> 13; x *= 0x5bd1e995u; x = rotate(x, 15u); }
    return x;
}

// SEARCH-LABEL: search on a100
// SEARCH: known 100%
// SEARCH: 256 {{.*}} {{int|issue}} best
// SEARCH: Hot loop: {{.*}}predict_search.cl:7
// SEARCH-LABEL: search on mi250x
// SEARCH: known 100%
// SEARCH: 256 {{.*}} {{int|issue}} best
// SEARCH-LABEL: search on pocl-cpu
__kernel void search(__global uint *found, uint target) { if (mix(get_global_id(0)) == target) found[0] = get_global_id(0); }

// GUARDED-LABEL: guarded on a100
// GUARDED: known 10%
// GUARDED: note {{ *}}with these arguments no work-item that was looked at stores anything; say what they are (--arg)
// GUARDED: 256 {{.*}} best
// GUARDED-LABEL: guarded on mi250x
// GUARDED: known 10%
// GUARDED: note {{ *}}with these arguments no work-item that was looked at stores anything; say what they are (--arg)
// GUARDED: 256 {{.*}} best
__kernel void guarded(__global uint *found, int n) { int i = get_global_id(0); if (i < n) found[i] = mix(i); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
