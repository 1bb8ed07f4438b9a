/*
 * A target instead of a device: the nearest entry stands for it, and the output says so.
 *
 * RUN: %gpuperf predict --device sm_87 --local 256 %s | FileCheck %s
 * CHECK: fill on sm_87 (not in the database; nearest: a6000, NVIDIA RTX A6000, {{[0-9]+}} MHz)
 *
 * Code for several chips is nobody's own.
 * RUN: %gpuperf predict --device gfx11-generic --local 256 %s | FileCheck %s --check-prefix=GENERIC
 * GENERIC: fill on gfx11-generic (not in the database; nearest: w7800, AMD Radeon Pro W7800, {{[0-9]+}} MHz)
 *
 * RUN: %gpuperf predict --json --device a6000,sm_87 --local 256 %s | %python %S/Inputs/check_nearest.py | FileCheck %s --check-prefix=JSON
 * JSON: a6000 itself
 * JSON: sm_87 nearest a6000, the same time, less confidence
 *
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -fplugin-arg-gpuperf-device=gfx1031 -fplugin-arg-gpuperf-threshold=1 %s 2>&1 | FileCheck %s --check-prefix=WARN
 * WARN: warning: uncoalesced global store{{.*}} on gfx1031
 * WARN: note: predicted for {{.*}}; gfx1031 is not in the database, the numbers are those of w6600
 *
 * A board has numbers of its own, and so has a target with some that are stated.
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -fplugin-arg-gpuperf-device="rtx 4060" -fplugin-arg-gpuperf-threshold=1 %s 2>&1 | FileCheck %s --check-prefix=BOARD
 * BOARD: note: predicted for {{.*}}; rtx 4060: what boards.tsv does not tell is rtx4090's
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -fplugin-arg-gpuperf-device=sm_89:sms=24:gbps=272 -fplugin-arg-gpuperf-threshold=1 %s 2>&1 | FileCheck %s --check-prefix=SOME
 * SOME: note: predicted for {{.*}}; sm_89:sms=24:gbps=272: what is not stated is rtx4090's
 *
 * RUN: %gpuperf devices sm_87 --json | FileCheck %s --check-prefix=SHOW
 * SHOW: "name": "sm_87"
 * SHOW: "nearest_device": "a6000"
 *
 * RUN: not %gpuperf predict --device sm_8x %s 2>&1 | FileCheck %s --check-prefix=WRONG
 * RUN: not %gpuperf predict --device gfx9999 %s 2>&1 | FileCheck %s --check-prefix=NOBODY
 * RUN: not %gpuperf predict --device sm_9999 %s 2>&1 | FileCheck %s --check-prefix=NOBODY
 * NOBODY: unknown device '{{gfx|sm_}}9999'; 'gpuperf devices' lists entries
 * WRONG: unknown device 'sm_8x'; {{.*}}or state a compile target's numbers, sm_89:sms=24
 */
__kernel void fill(__global float *out, float value)
{
    out[get_global_id(0) * 64] = value;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
