/*
 * A global id that the source makes up itself lacks the offset at which parts of a range begin. On NVIDIA get_global_id() is the same sum; who asks for it alone may be launched in parts.
 *
 * RUN: env KEEP=%t.nvidia KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device a100 --local 256 %s
 * RUN: %gpuperf dis %t.nvidia | FileCheck %s --check-prefix=ASKED
 * RUN: env KEEP=%t.amd KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device mi250x --local 256 %s
 * RUN: %gpuperf dis %t.amd | FileCheck %s --check-prefix=ASKED
 * ASKED: local-size-agnostic yes
 * ASKED-NEXT: split-safe yes
 *
 * RUN: env KEEP=%t.nvidia KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device a100 --local 256 %s -- -DBY_HAND
 * RUN: %gpuperf dis %t.nvidia | FileCheck %s --check-prefix=OWN
 * RUN: env KEEP=%t.amd KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device mi250x --local 256 %s -- -DBY_HAND
 * RUN: %gpuperf dis %t.amd | FileCheck %s --check-prefix=OWN
 * OWN: local-size-agnostic yes
 * OWN-NEXT: split-safe no "it makes up a global id without the global offset"
 */
__kernel void fill(__global int *a)
{
#ifdef BY_HAND
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
#else
    int i = get_global_id(0);
#endif
    a[i] = i;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
