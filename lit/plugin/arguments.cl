// Wrong arguments fail the compile with a sentence that lists what is valid.
// RUN: not %cl -fplugin-arg-gpuperf-devcie=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not %cl -fplugin-arg-gpuperf-device=a999 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not %cl -fplugin-arg-gpuperf-device=a100,,h100 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not %cl -fplugin-arg-gpuperf-annotate=maybe -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ANNOTATE
// RUN: not %cl -fplugin-arg-gpuperf-threshold=ten -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// RUN: not %cl -fplugin-arg-gpuperf-threshold=101 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// RUN: not %cl -fplugin-arg-gpuperf-warn=uncoalesced,slow -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not %cl -fplugin-arg-gpuperf-warn= -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=NO-CAUSE
// RUN: not %cl -fplugin-arg-gpuperf-model=guess -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not %cl -fplugin-arg-gpuperf-assume=n=3 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ASSUME
// RUN: not %cl -fplugin-arg-gpuperf-assume=scale:m=3 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not %cl -fplugin-arg-gpuperf-assume=scale:local=0x4 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %cl -fplugin-arg-gpuperf-assume=skale:n=3 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=NOKERNEL
// RUN: not %cl -fplugin-arg-gpuperf-report= -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: rm -f %t.out && not %cl -fplugin-arg-gpuperf-device=a999 -c %s -o %t.out 2>/dev/null && not ls %t.out
// RUN: not env GPUPERF_DEVICE=a998 %cl -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ENVIRONMENT
// RUN: env GPUPERF_DEVICE=h100 %cl -S %s -o - | FileCheck %s --check-prefix=FROM-ENVIRONMENT

// KEY: error: gpuperf: unknown argument 'devcie'; valid are device, annotate, assume, threshold, warn, config, report, profile, preprocessed, edits, model, builtins, unroll
// DEVICE: error: gpuperf: unknown device 'a999'; 'gpuperf devices' lists entries
// LIST: error: gpuperf: 'device' must be a list of device names
// ANNOTATE: error: gpuperf: 'annotate' must be on or off, not 'maybe'
// THRESHOLD: error: gpuperf: 'threshold' must be a percentage from 0 to 100
// WARN: error: gpuperf: unknown cause 'slow' in 'warn'; valid are default, all, none, uncoalesced, bank-conflict{{.*}}, or a list of these
// NO-CAUSE: error: gpuperf: 'warn' names no cause; valid are default, all, none, uncoalesced
// MODEL: error: gpuperf: {{.*}}guess{{.*}}throughput
// ASSUME: error: gpuperf: 'assume' must be KERNEL:global=XxYxZ:local=XxYxZ:NAME=NUMBER... (KERNEL may be *), not 'n=3'
// ARGUMENT: error: gpuperf: in 'assume' for kernel 'scale': {{.*}}'m'{{.*}}n
// ZERO: error: gpuperf: in 'assume' for kernel 'scale':
// NOKERNEL: error: gpuperf: 'assume' names kernel 'skale', which is not here; there are scale
// FILE: error: gpuperf: 'report' needs the name of a file
// ENVIRONMENT: error: gpuperf: {{.*}}a998
// FROM-ENVIRONMENT: !"h100", i32

kernel void scale(global float *data, int n)
{
    int i = get_global_id(0);
    if (i < n)
        data[i] *= 2.0f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
