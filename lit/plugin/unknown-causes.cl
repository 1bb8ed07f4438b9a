// A name that is no cause is never taken in silence: where it asks for warnings it is an error, elsewhere a warning; what it was to silence is warned about.
// RUN: not %cl -Wno-unknown-warning-option -Werror=gpuperf-spil -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=GATE
// RUN: %cl -Wno-unknown-warning-option -Wno-error=gpuperf-spil -Wno-gpuperf-uncoalessed -fplugin-arg-gpuperf-warn=none -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: %cl -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not "is no cause"
// RUN: not %cl -Werror -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %cl -w -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -Wno-everything -c %s -o %t.bc 2>&1 | count 0

// RUN: not %cl -Wno-unknown-warning-option -Wgpuperf_spill -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: not %cl -Wno-unknown-warning-option -Wgpuperf-spil -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: error: gpuperf: '-Wgpuperf{{.spil.*}}' names no cause
// GATE: error: gpuperf: '-Werror=gpuperf-spil' names no cause; valid are gpuperf-CAUSE, and CAUSE is one of uncoalesced, {{.*}}spill
// FLAGS: warning: gpuperf: '-Wno-error=gpuperf-spil' names no cause
// FLAGS: warning: gpuperf: '-Wno-gpuperf-uncoalessed' names no cause
// ERROR: error: gpuperf: 'uncoalessed' behind gpuperf-ignore: is no cause{{.*}}[-Werror]

// CHECK: :[[@LINE+5]]:{{[0-9]+}}: warning: gpuperf: 'uncoalessed' behind gpuperf-ignore: is no cause, and nothing is ignored for it; causes are uncoalesced,
// CHECK: :[[@LINE+10]]:{{[0-9]+}}: warning: gpuperf: 'bankconflict' behind gpuperf-ignore: is no cause
// CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: uncoalesced global store
kernel void misspelt(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore: uncoalessed
}

// One name of two, and a line that nothing is found in.
kernel void one_of_two(global const float *in, global float *out, int n)
{
    int i = get_global_id(0); /* gpuperf-ignore: bankconflict by design */
    out[i * n + get_global_id(1)] = in[get_global_id(1) * n + i]; /* gpuperf-ignore: uncoalesced, spill */
}

// Reasons are none.
kernel void reasons(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore: it's the host's order, uncoalesced as it is
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
