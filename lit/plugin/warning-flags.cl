// The warnings are Clang's own: -Werror and -w work on them, as do the plugin's threshold and warn.
// RUN: not %cl -Werror -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %cl -w -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -Wno-everything -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-warn=none -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-warn=bank-conflict -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-warn=spill,uncoalesced -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -fplugin-arg-gpuperf-warn=default -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -fplugin-arg-gpuperf-threshold=100 -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-warn=all -fplugin-arg-gpuperf-threshold=0 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %cl -fplugin-arg-gpuperf-warn=default,bandwidth,latency -fplugin-arg-gpuperf-threshold=0 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %cl -fplugin-arg-gpuperf-warn=all,spill -fplugin-arg-gpuperf-threshold=0 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %cl -fplugin-arg-gpuperf-warn=none,uncoalesced -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -fplugin-arg-gpuperf-warn=none,spill -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -Wno-unknown-warning-option -Wno-gpuperf -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -Wno-unknown-warning-option -Wno-gpuperf-uncoalesced -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -Wno-unknown-warning-option -Wno-gpuperf-spill -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -Wno-unknown-warning-option -Wno-gpuperf -Wgpuperf-uncoalesced -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: not %cl -Wno-unknown-warning-option -Werror=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ERROR-FOR
// RUN: not %cl -Wno-unknown-warning-option -Werror=gpuperf-uncoalesced -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ERROR-FOR
// RUN: %cl -Wno-unknown-warning-option -Werror=gpuperf-spill -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -Wno-unknown-warning-option -Werror -Wno-error=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s

// ERROR-FOR: error: uncoalesced global store{{.*}}[gpuperf-uncoalesced] [-Werror=gpuperf-uncoalesced]
// ERROR: error: uncoalesced global store{{.*}}[gpuperf-uncoalesced] [-Werror]
// CHECK: warning: uncoalesced global store{{.*}}[gpuperf-uncoalesced]
// ALL: warning: {{.*}}[gpuperf-{{bandwidth|latency}}]

kernel void transpose(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    out[col * n + row] = in[row * n + col];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
